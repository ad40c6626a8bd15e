// Time on the task, which stands still while the page is hidden.

function secondsOn(desk, task) {
  const before = desk.seconds.get(task) || 0;
  return task === desk.at && desk.since ? before + (performance.now() - desk.since) / 1000 : before;
}

function stopClock(desk) {
  if (desk.at) desk.seconds.set(desk.at, secondsOn(desk, desk.at));
  desk.since = null;
}

function startClock(desk) {
  desk.since = document.visibilityState === "hidden" ? null : performance.now();
}

// Written once a second and on a new task; the median only then, since it walks through the queue.
function paintClock(desk, isTick = false) {
  const { time, median } = desk.refs;
  time.hidden = !desk.at;
  setText(time, desk.at ? minutes(secondsOn(desk, desk.at)) : "");
  if (!isTick || desk.medianOf === desk.version) return;
  desk.medianOf = desk.version;
  const middle = medianSeconds(desk);
  setText(median, middle === null ? "" : `median ${minutes(middle)}`);
}
