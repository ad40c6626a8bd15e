// What came from the server: taken up, laid under what it does not know yet, and painted.

function receive(desk, data) {
  const isFirst = !desk.isBuilt;
  if (isFirst) desk.count = Math.max(desk.count, data.count); // numbers go on where an earlier visit left them
  desk.answered = data.count;
  const isWhole = takeFixed(desk, data.fixed) && takeQueue(desk, data.queue);
  if (!isWhole) return askForAll(desk); // answers to the log are repeated with it
  Object.assign(desk, { audit: data.audit, store: data.store, reviewer: data.reviewer, notice: data.notice });
  Object.assign(desk.reviews, data.reviews);
  takeDrafts(desk, data.drafts);
  if (isFirst) recallVisit(desk);
  const failed = takeAcks(desk, data.acks);
  overlay(desk);
  takeFacets(desk, data.facets);
  if (desk.at in data.prose || data.views.some((row) => row.id === desk.at)) keepScroll(desk);
  const isMissing = takeViews(desk, data.views);
  takeProse(desk, data.prose);
  if (isFirst) {
    build(desk);
    desk.at = placeOnArrival(desk, data.at);
    startClock(desk);
  }
  makeRoom(desk);
  theme(desk);
  showTask(desk);
  takeTrial(desk, data.regrade);
  paint(desk);
  for (const entry of failed) giveBack(desk, entry);
  paintAlerts(desk);
  prepare(desk);
  if (isFirst) arrive(desk);
  const isStarved = desk.at && !desk.views.has(desk.at) && desk.byId.has(desk.at) && Date.now() - desk.lastSent > 500;
  const wantsMore = (data.more && !isAway(desk)) || wantedProse(desk).length > 0 || wantsFacets(desk);
  if ((isFirst && desk.log.length) || isMissing || isStarved || desk.isWanted) send(desk);
  else if (wantsMore) sendSoon(desk);
  return undefined;
}

// A little later, so that Streamlit ends the run that answered: only then it takes off what is gone.
function sendSoon(desk) {
  clearTimeout(desk.soonTimer);
  desk.soonTimer = setTimeout(() => { if (desk.isMounted) send(desk); }, SOON_MS);
}

// Whether the focus is in something beside the desk: what is chosen there must not be overtaken by a
// message that could as well wait.
function isAway(desk) {
  const active = document.activeElement;
  return Boolean(active && active !== document.body && !desk.root.contains(activeIn(desk)));
}

function askForAll(desk) {
  desk.queueDigest = "";
  desk.fixedDigest = "";
  send(desk);
}

// Keys, taxonomy and names of strata, which travel once.
function takeFixed(desk, fixed) {
  if (fixed.digest === desk.fixedDigest) return true;
  if (!fixed.keys) return false;
  Object.assign(desk, { fixedDigest: fixed.digest, keys: fixed.keys, taxonomy: fixed.taxonomy, strata: fixed.strata });
  if (desk.isBuilt) {
    labelKeys(desk, desk.root);
    for (const view of desk.views.values()) if (view.node) labelKeys(desk, view.node);
  }
  return true;
}

function takeDrafts(desk, drafts) {
  for (const [task, draft] of Object.entries(drafts)) {
    if (draft) desk.drafts[task] = draft;
    else delete desk.drafts[task];
  }
}

function recallVisit(desk) {
  for (const [task, draft] of recall(desk, "draft:")) desk.localDrafts.set(task, draft);
  desk.log = recallLog(desk);
  desk.isAuto = recallOne(desk, "auto") !== false;
  recallFilter(desk);
  recallHints(desk);
}

function arrive(desk) {
  sayUnknownTask(desk);
  placeInAddress(desk);
  paintClock(desk, true);
  focusDesk(desk, true); // from the choice of the audit, for example: the next key is for the desk
}

function takeProse(desk, prose) {
  for (const [task, html] of Object.entries(prose)) {
    const view = desk.views.get(task);
    if (view) view.prose = html;
  }
}

// Tasks on and after the screen whose prompts are wanted as Markdown.
function wantedProse(desk) {
  if (!desk.isProse || !desk.isBuilt) return [];
  return [desk.at, ...comingOpen(desk, desk.at, 3)].filter((task) => desk.views.has(task) && desk.views.get(task).prose === undefined);
}

function wantsFacets(desk) {
  return (desk.isFiltering || needsFacets(desk.filter)) && !hasFacets(desk);
}

// How many views are read ahead follows from their size; old ones make room.
function makeRoom(desk) {
  const sizes = [...desk.views.values()].map(sizeOf);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
  desk.ahead = Math.max(LEAST_AHEAD, Math.min(MOST_AHEAD, Math.floor((0.6 * KEPT_CHARS) / Math.max(1, mean))));
  const around = [neighbour(desk, 1), neighbour(desk, -1)].filter(Boolean);
  const coming = comingOpen(desk, desk.at, desk.ahead);
  dropViews(desk, new Set([...coming, ...around]));
  desk.lacks = coming.filter((task) => !desk.views.has(task)).length;
  desk.root.dataset.lacks = desk.lacks;
}

// The task to open: past one that was judged here already, where only the server does not know yet,
// and within the filter where the address names none.
function placeOnArrival(desk, at) {
  const item = desk.byId.get(at);
  if (!item) return "";
  if (at === taskInAddress()) return at;
  if (!passes(desk, indexOf(desk, at))) return nextOpen(desk, at);
  return item.state === "clean" || item.state === "defect" ? nextOpen(desk, at) : at;
}

function takeAcks(desk, acks) {
  const answers = new Map(acks.map((ack) => [ack.id, ack.error]));
  const failed = [];
  for (const entry of desk.log) {
    const { action } = entry;
    if (!answers.has(action.id)) continue;
    forget(desk, `action:${action.id}`);
    const error = answers.get(action.id);
    if (error) failed.push({ action, error });
    else if (action.kind === "draft") settleDraft(desk, action);
    else desk.alerts = desk.alerts.filter((alert) => alert.task !== action.task_id);
  }
  desk.log = desk.log.filter(({ action }) => !answers.has(action.id));
  return failed;
}

function settleDraft(desk, action) {
  const local = desk.localDrafts.get(action.task_id);
  if (action.draft && local && local.time > action.draft.time) return;
  desk.localDrafts.delete(action.task_id);
  forget(desk, `draft:${action.task_id}`);
  desk.draftSaved.set(action.task_id, Date.now());
}

// A refused action: say why, put the input back and return to the task.
function giveBack(desk, { action, error }) {
  const task = action.task_id;
  desk.alerts = [...desk.alerts.filter((alert) => alert.task !== task), { task, text: error }];
  desk.trail = desk.trail.filter((entry) => entry.id !== action.id);
  if (desk.reviews[task] && desk.reviews[task].id === action.id) delete desk.reviews[task];
  if (action.kind === "draft" || !desk.byId.has(task)) return;
  const item = desk.byId.get(task);
  const form = action.kind === "defect" ? formOfFindings(action.findings, item.review) : { ...blankForm(item.review), note: action.note };
  if (action.kind === "defect" || action.note) {
    form.time = Date.now();
    desk.forms.set(task, form);
    desk.localDrafts.set(task, form);
    remember(desk, `draft:${task}`, form);
  }
  goTo(desk, task);
}
