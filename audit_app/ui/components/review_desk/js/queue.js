// The queue as the reviewer sees it: what the server said, plus what it has not answered yet.

function overlay(desk) {
  const items = new Map(desk.served.map((item) => [item.id, { ...item }]));
  for (const { action, time } of desk.log) {
    const item = items.get(action.task_id);
    if (item) applyTo(item, action, time);
  }
  desk.queue = [...items.values()];
  desk.byId = items;
}

function applyTo(item, action, time) {
  if (action.kind === "clean" || action.kind === "defect") {
    item.state = action.kind;
    item.review = action.id;
    item.at = new Date(time).toISOString();
    item.words = action.kind === "clean" ? "clean" : wordsOf(action.findings);
  } else if (action.kind === "skip" && item.state === "open") {
    item.state = "skipped";
    item.skipped = new Date(time).toISOString();
  } else if (action.kind === "undo") {
    item.state = "open";
    item.review = null;
    item.at = "";
    item.skipped = "";
    item.words = "";
  } else if (action.kind === "second_look") {
    item.second = !item.second;
  }
}

function indexOf(desk, task) {
  return desk.queue.findIndex((item) => item.id === task);
}

function nextOpen(desk, task) {
  const here = indexOf(desk, task);
  const cycle = [...desk.queue.slice(here + 1), ...desk.queue.slice(0, Math.max(here, 0))];
  const item = cycle.find((candidate) => candidate.state === "open");
  return item ? item.id : "";
}

function neighbour(desk, step) {
  if (!desk.at) return step < 0 && desk.queue.length ? desk.queue[desk.queue.length - 1].id : null;
  const item = desk.queue[indexOf(desk, desk.at) + step];
  return item ? item.id : null;
}

function tally(desk) {
  const count = (state) => desk.queue.filter((item) => item.state === state).length;
  const judged = count("clean") + count("defect");
  return { judged, open: count("open"), skipped: count("skipped"), total: desk.queue.length };
}

// The last thing of mine that still stands: of this visit first, else by its time.
function lastStanding(desk) {
  while (desk.trail.length) {
    const step = desk.trail[desk.trail.length - 1];
    const item = desk.byId.get(step.task);
    const stands = item && (step.kind === "skip" ? item.state === "skipped" : item.review === step.id);
    if (stands) return step;
    desk.trail.pop();
  }
  const when = (item) => item.at || item.skipped;
  const mine = desk.queue.filter((item) => item.state !== "open").sort((a, b) => (when(a) < when(b) ? 1 : -1));
  return mine.length ? { task: mine[0].id, id: mine[0].review } : null;
}

function search(desk, text) {
  const wanted = text.trim();
  if (!wanted) return [];
  const exact = desk.queue.filter((item) => item.id === wanted);
  if (exact.length) return exact;
  const low = wanted.toLowerCase();
  return desk.queue.filter((item) => item.id.toLowerCase().includes(low));
}
