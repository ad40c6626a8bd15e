// The cases as the adjudicator sees them: what the server said, plus what it has not answered yet.

function overlay(desk) {
  const items = new Map(desk.served.map((item) => [item.id, { ...item }]));
  desk.byId = items;
  desk.queue = [...items.values()];
  for (const { action, time } of desk.log) applyTo(desk, action, time);
}

function applyTo(desk, action, time) {
  if (action.kind === "accept_identical") {
    for (const item of acceptable(desk)) settleItem(desk, item, null, "identical", time);
    return;
  }
  const item = desk.byId.get(action.task_id);
  if (!item) return;
  item.isAhead = true; // of what the server knows
  if (action.kind === "take") settleItem(desk, item, action.id, "took", time);
  else if (action.kind === "own") settleItem(desk, item, action.id, "own", time);
  else if (action.kind === "send_back") Object.assign(item, { state: "returned", review: null, at: "", by: "", how: "" });
  else if (action.kind === "undo") {
    Object.assign(item, { state: item.differing.length ? "differs" : "identical", review: null, at: "", by: "", how: "" });
  }
}

function settleItem(desk, item, id, how, time) {
  Object.assign(item, { state: "settled", review: id, at: new Date(time).toISOString(), by: desk.reviewer, how });
}

function acceptable(desk) {
  return desk.queue.filter((item) => item.state === "identical" && !item.refused);
}

// Cases that the arrows walk over: those that differ, and what became of them.
function isCase(item) {
  return item.state === "differs" || item.state === "returned" || (item.state === "settled" && item.how !== "identical");
}

function casesOf(desk) {
  return desk.queue.filter(isCase);
}

function indexOf(desk, task) {
  return desk.queue.findIndex((item) => item.id === task);
}

function isOpen(item) {
  return item.state === "differs" && !item.refused;
}

function nextOpen(desk, task) {
  const here = indexOf(desk, task);
  const cycle = [...desk.queue.slice(here + 1), ...desk.queue.slice(0, Math.max(here, 0))];
  const item = cycle.find(isOpen);
  return item ? item.id : "";
}

function neighbour(desk, step) {
  const here = indexOf(desk, desk.at);
  const before = (item) => isCase(item) && (here < 0 || indexOf(desk, item.id) < here);
  const found = step < 0 ? desk.queue.filter(before).at(-1) : desk.queue.slice(here + 1).find(isCase);
  return found ? found.id : null;
}

function tally(desk) {
  const count = { waiting: 0, returned: 0, differs: 0, identical: 0, settled: 0, total: desk.queue.length };
  for (const item of desk.queue) count[item.state] += 1;
  return count;
}

// What U takes back: the settled judgement on screen if it is mine, else the last of mine that stands.
function lastStanding(desk) {
  const isMine = (item) => item.state === "settled" && item.by === desk.reviewer;
  const here = desk.byId.get(desk.at);
  if (here && isMine(here)) return here;
  while (desk.trail.length) {
    const step = desk.trail[desk.trail.length - 1];
    const item = desk.byId.get(step.task);
    if (item && isMine(item) && item.review === step.id) return item;
    desk.trail.pop();
  }
  return desk.queue.filter(isMine).sort((a, b) => (a.at < b.at ? 1 : -1))[0] || null;
}

function search(desk, text) {
  const wanted = text.trim();
  if (!wanted) return [];
  const exact = desk.queue.filter((item) => item.id === wanted);
  if (exact.length) return exact;
  const low = wanted.toLowerCase();
  return desk.queue.filter((item) => item.id.toLowerCase().includes(low));
}
