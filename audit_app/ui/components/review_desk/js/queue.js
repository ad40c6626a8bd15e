// The queue as the reviewer sees it: what the server said, plus what it has not answered yet. Maps
// lead from ids to places, so that no press walks through thousands of tasks more than once.

const PLAIN_ITEM = {
  stratum: "", category: "", state: "open", second: false, review: null, at: "", skipped: "", words: "", tags: [],
  seconds: null, returned: "", waits: false,
};

// Takes what changed; false where it builds on a state that is not held here.
function takeQueue(desk, data) {
  if (data.digest === desk.queueDigest) return true;
  if (data.rows) {
    desk.served = data.rows.map((row) => ({ ...PLAIN_ITEM, ...row }));
    desk.queue = [...desk.served];
    desk.place = new Map(desk.served.map((item, place) => [item.id, place]));
    desk.byId = new Map(desk.served.map((item) => [item.id, item]));
    desk.touched = new Set();
  } else if (data.base === desk.queueDigest) {
    for (const row of data.changed) {
      const place = desk.place.get(row.id);
      desk.served[place] = { ...PLAIN_ITEM, ...row };
      desk.touched.add(place);
    }
  } else return false;
  desk.queueDigest = data.digest;
  return true;
}

// The queue with what has no answer yet laid over it.
function overlay(desk) {
  for (const place of desk.touched) putItem(desk, place, desk.served[place]);
  desk.touched.clear();
  for (const { action, time } of desk.log) overlayOne(desk, action, time);
  desk.version += 1;
}

function putItem(desk, place, item) {
  desk.queue[place] = item;
  desk.byId.set(item.id, item);
}

function overlayOne(desk, action, time) {
  const place = desk.place.get(action.task_id);
  if (place === undefined || action.kind === "draft") return;
  const item = { ...desk.queue[place] };
  applyTo(item, action, time);
  putItem(desk, place, item);
  desk.touched.add(place);
  desk.version += 1;
}

function applyTo(item, action, time) {
  if (action.kind === "clean" || action.kind === "defect") {
    item.state = action.kind;
    item.review = action.id;
    item.at = new Date(time).toISOString();
    item.words = action.kind === "clean" ? "clean" : wordsOf(action.findings);
    item.tags = [...new Set(action.findings.flatMap((finding) => [...finding.effects, finding.cause, ...finding.causes]))].filter(Boolean);
    item.seconds = action.seconds;
    item.returned = "";
  } else if (action.kind === "skip" && item.state === "open") {
    item.state = "skipped";
    item.skipped = new Date(time).toISOString();
  } else if (action.kind === "undo") {
    Object.assign(item, { state: "open", review: null, at: "", skipped: "", words: "", tags: [], seconds: null, waits: false });
  } else if (action.kind === "second_look") {
    item.second = !item.second;
  }
}

function isOpen(item) {
  return item.state === "open" || item.state === "returned";
}

function indexOf(desk, task) {
  const place = desk.place.get(task);
  return place === undefined ? -1 : place;
}

// The next tasks to judge: those sent back first, then those that are held, then those that wait to
// be handed out; each from here on and then from the start, within the filter.
function comingOpen(desk, task, most) {
  const here = indexOf(desk, task);
  const number = desk.queue.length;
  const ranks = [[], [], []];
  const hasReturned = tally(desk).returned > 0;
  for (let step = 1; step <= number; step += 1) {
    const place = (here + step) % number;
    const item = desk.queue[place];
    if (!isOpen(item) || item.id === task || !passes(desk, place)) continue;
    const isFirst = item.state === "returned" && !desk.passed.has(item.id);
    ranks[isFirst ? 0 : item.waits ? 2 : 1].push(item.id);
    if (!hasReturned && ranks[1].length >= most) break;
  }
  return ranks.flat().slice(0, most);
}

function nextOpen(desk, task) {
  return comingOpen(desk, task, 1)[0] || "";
}

// The task before or after this one within the filter.
function neighbour(desk, step) {
  const number = desk.queue.length;
  let place = desk.at ? indexOf(desk, desk.at) + step : step < 0 ? number - 1 : number;
  while (place >= 0 && place < number && !passes(desk, place)) place += step;
  return place >= 0 && place < number ? desk.queue[place].id : null;
}

// Counts over the queue, made again only after it changed.
function tally(desk) {
  if (desk.sums && desk.sums.version === desk.version) return desk.sums;
  const sums = { version: desk.version, open: 0, returned: 0, skipped: 0, clean: 0, defect: 0, taken: 0, closed: 0, second: 0, openOutside: 0, waiting: 0, within: [] };
  desk.queue.forEach((item, place) => {
    sums[item.state] += 1;
    if (item.second) sums.second += 1;
    const isWithin = passes(desk, place);
    if (isWithin && isFiltered(desk)) sums.within.push(item.id);
    if (isOpen(item) && !isWithin) sums.openOutside += 1;
    if (item.state === "open" && item.waits) sums.waiting += 1;
  });
  sums.judged = sums.clean + sums.defect;
  sums.total = desk.queue.length;
  desk.sums = sums;
  return sums;
}

function medianSeconds(desk) {
  const times = desk.queue.filter((item) => isJudged(item) && item.seconds !== null).map((item) => item.seconds).sort((a, b) => a - b);
  const half = times.length >> 1;
  if (!times.length) return null;
  return times.length % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
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
  const when = (item) => (item.state === "skipped" ? item.skipped : item.review ? item.at : "");
  const last = desk.queue.reduce((best, item) => (when(item) && (!best || when(item) > when(best)) ? item : best), null);
  return last ? { task: last.id, id: last.review } : null;
}

function search(desk, text) {
  const wanted = text.trim();
  if (!wanted) return [];
  if (desk.byId.has(wanted)) return [desk.byId.get(wanted)];
  const low = wanted.toLowerCase();
  return desk.queue.filter((item) => item.id.toLowerCase().includes(low));
}
