// The desk itself: data in, log out.

const ANSWER_MS = 1500; // an answer that takes longer is not waited for

function createDesk(parent) {
  const desk = {
    parent, root: h("div", { class: "desk adjudicate", tabindex: "-1" }), refs: {}, fields: {}, settle: {}, sendBack: {},
    served: [], queue: [], byId: new Map(), reviews: {}, drafts: {}, strata: {}, keys: [], taxonomy: null, notice: "",
    views: new Map(), forms: new Map(), localDrafts: new Map(), draftSaved: new Map(),
    log: [], trail: [], alerts: [], full: new Set(), at: "", onScreen: null, trial: null, trialAsked: null, trialWanted: "", trialCount: 0, pending: null, family: null,
    isRaw: false, isKeyHidden: false, isSendingBack: false, isMounted: true, isBuilt: false, memoryFails: false, count: 0, answered: 0, isWanted: false, lastSent: 0,
  };
  parent.append(desk.root);
  return desk;
}

function build(desk) {
  desk.isBuilt = true;
  buildDesk(desk);
  const on = (target, type, handler, options) => {
    target.addEventListener(type, handler, options);
    desk.undoers.push(() => target.removeEventListener(type, handler, options));
  };
  desk.undoers = [];
  takeKeys(desk);
  on(document, "keydown", (event) => onKey(desk, event), true);
  on(document, "click", (event) => followLink(desk, event), true);
  on(document, "visibilitychange", () => flushDraft(desk));
  on(window, "pagehide", () => flushDraft(desk));
  // Streamlit's own one-letter shortcuts must not see what is typed here.
  for (const type of ["keydown", "keypress", "keyup"]) {
    on(desk.root, type, (event) => { if (isEditable(event.composedPath()[0])) event.stopPropagation(); });
  }
  on(desk.root, "click", (event) => onClick(desk, event));
  on(desk.root, "focusout", () => flushDraft(desk));
  const timer = setInterval(() => tick(desk), 2000);
  desk.undoers.push(() => clearInterval(timer));
}

const ONCE = ["settle", "skip", "undo", "accept_identical"];

function onClick(desk, event) {
  const control = event.target.closest("[data-do], [data-full], .group, summary, button");
  if (!control || !desk.root.contains(control)) return;
  if (control.hasAttribute("data-full")) {
    desk.full.add(desk.at);
    control.textContent = "Loading all of it …";
    send(desk);
    return;
  }
  const isDouble = event.detail > 1; // the second click of a double-click was not meant for the next task
  const group = event.target.closest(".group");
  if (group) selectGroup(desk, Number(group.dataset.group), false);
  if (control.dataset.do && !(isDouble && ONCE.includes(control.dataset.do))) act(desk, control.dataset.do);
  if (control.dataset.edit && !isDouble) withTask(desk, () => { inOwn(desk, () => {}); offerEdit(desk, control.dataset.edit); });
  if (event.detail > 0 && control.matches("button, summary") && !isEditable(activeIn(desk)) && desk.refs.help.hidden) focusDesk(desk);
}

function receive(desk, data) {
  const isFirst = !desk.isBuilt;
  if (isFirst) desk.count = data.count; // numbers go on where an earlier visit left them
  desk.answered = data.count;
  Object.assign(desk, {
    audit: data.audit, store: data.store, reviewer: data.reviewer, strata: data.strata, why: data.why,
    isOff: data.is_off, keys: data.keys, taxonomy: data.taxonomy, served: data.items, agreement: data.agreement, planted: data.planted,
  });
  if (isFirst) {
    desk.drafts = Object.fromEntries(recall(desk, "draft:"));
    desk.log = recallLog(desk);
  }
  const failed = takeAcks(desk, data.acks);
  overlay(desk);
  keepScroll(desk);
  const isMissing = takeViews(desk, data.views);
  dropViews(desk, new Set(data.views.map((view) => view.id)));
  if (isFirst) {
    build(desk);
    desk.at = placeOnArrival(desk, data.at);
  }
  theme(desk);
  present(desk);
  takeTrial(desk, data.regrade);
  paint(desk);
  for (const entry of failed) giveBack(desk, entry);
  paintAlerts(desk);
  prepare(desk);
  if (isFirst) {
    sayUnknownTask(desk);
    placeInAddress(desk);
    focusDesk(desk, true); // from the choice of the audit, for example: the next key is for the desk
  }
  const isStarved = desk.at && !desk.views.has(desk.at);
  if ((isFirst && desk.log.length) || isMissing || (isStarved && desk.byId.has(desk.at) && Date.now() - desk.lastSent > 500) || desk.isWanted) send(desk);
}

// The task to open: past one that was settled here already, where only the server does not know yet.
function placeOnArrival(desk, at) {
  const item = desk.byId.get(at);
  if (!item) return "";
  return isOpen(item) || at === taskInAddress() ? at : nextOpen(desk, at);
}

function takeAcks(desk, acks) {
  const answers = new Map(acks.map((ack) => [ack.id, ack.error]));
  const failed = [];
  for (const entry of desk.log) {
    const { action } = entry;
    if (!answers.has(action.id)) continue;
    forget(desk, `action:${action.id}`);
    const error = answers.get(action.id);
    if (error) failed.push({ ...entry, error });
    else desk.alerts = desk.alerts.filter((alert) => alert.task !== action.task_id);
  }
  desk.log = desk.log.filter(({ action }) => !answers.has(action.id));
  return failed;
}

// A refused action: say why, put the input back and return to the task.
function giveBack(desk, { action, form, error }) {
  const task = action.task_id;
  desk.alerts = [...desk.alerts.filter((alert) => alert.task !== task), { task, text: error }];
  desk.trail = desk.trail.filter((entry) => entry.id !== action.id);
  const item = desk.byId.get(task);
  if (!item) return;
  if (form) keepForm(desk, task, { ...blankForm(item.review), ...form, base: item.review, time: Date.now() });
  goTo(desk, task);
  desk.isSendingBack = action.kind === "send_back";
  paint(desk);
}

export default function adjudicateDesk({ data, parentElement, setStateValue }) {
  const desk = parentElement.assayDesk || (parentElement.assayDesk = createDesk(parentElement));
  desk.set = (value) => setStateValue("sent", value);
  receive(desk, data);
  return () => {
    flushDraft(desk);
    desk.isMounted = false;
    clearTimeout(desk.sendTimer);
    for (const undo of desk.undoers || []) undo();
    desk.root.remove();
    delete parentElement.assayDesk;
  };
}
