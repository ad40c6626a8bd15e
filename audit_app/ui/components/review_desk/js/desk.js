// The desk itself: keys in, data in, log out.

const ANSWER_MS = 1500; // an answer that takes longer is not waited for

function createDesk(parent) {
  const desk = {
    parent, root: h("div", { class: "desk", tabindex: "-1" }), refs: {}, fields: {},
    served: [], queue: [], byId: new Map(), reviews: {}, drafts: {}, strata: {}, keys: [], taxonomy: null,
    views: new Map(), forms: new Map(), localDrafts: new Map(), draftSaved: new Map(), seconds: new Map(),
    log: [], trail: [], alerts: [], full: new Set(), at: "", onScreen: null, trial: null, trialAsked: null, trialWanted: "", trialCount: 0, pending: null, family: null,
    isRaw: false, isKeyHidden: false, isMounted: true, isBuilt: false, memoryFails: false, count: 0, answered: 0, isWanted: false, lastSent: 0,
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
  on(document, "keydown", (event) => onKey(desk, event), true);
  on(document, "click", (event) => followLink(desk, event), true);
  on(document, "visibilitychange", () => onVisibility(desk));
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

function chordOf(event) {
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey || (event.ctrlKey && event.metaKey)) return "";
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  let name = digit ? `Digit${digit[1]}` : event.code === "Space" ? "Space" : event.key;
  if (name === "Enter" || name.length > 1) return (mod ? "Mod+" : "") + (event.shiftKey ? "Shift+" : "") + name;
  const latin = /^Key([A-Z])$/.exec(event.code);
  if (latin && !/^[a-z]$/i.test(name)) [, name] = latin; // other alphabets: by position
  return (mod ? "Mod+" : "") + (event.shiftKey ? "Shift+" : "") + name.toLowerCase();
}

function onKey(desk, event) {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
  const target = event.composedPath()[0];
  const isTyping = isEditable(target) || isEditable(activeIn(desk));
  const isMine = desk.root.contains(target);
  if (!isMine && (isTyping || isElsewhere(target))) return;
  const chord = chordOf(event);
  if (!isTyping && desk.pending && /^Digit[1-9]$/.test(chord) && desk.refs.help.hidden) {
    take(event);
    if (!event.repeat) chooseCause(desk, Number(chord.slice(5)));
    return;
  }
  const binding = desk.keys.find((row) => row.chords.includes(chord));
  if (!binding || (isTyping && !binding.typing)) return;
  if (!desk.refs.help.hidden && binding.action !== "help" && binding.action !== "leave") return;
  if ((chord === "Space" || chord === "Enter") && isPressable(target)) return;
  take(event);
  const mayRepeat = ["previous", "next", "next_group"].includes(binding.action);
  if (event.repeat && !mayRepeat) return;
  if (desk.pending && !binding.action.startsWith("family:")) desk.pending = null;
  act(desk, binding.action);
}

function take(event) {
  event.preventDefault();
  event.stopPropagation();
}

// Streamlit's dialogs, menus and fields keep their keys; so do its controls for Space and Enter.
function isElsewhere(target) {
  if (!target || !target.closest) return false;
  return Boolean(target.closest('[role="dialog"], [role="menu"], [role="listbox"], [contenteditable="true"]'));
}

function isPressable(target) {
  return Boolean(target.closest && target.closest("button, summary, a, input, [role=tab]"));
}

function activeIn(desk) {
  const active = document.activeElement;
  return (active && active.shadowRoot && active.shadowRoot.activeElement) || active;
}

function focusDesk(desk, isArriving = false) {
  const active = activeIn(desk);
  const isOutside = active && active !== document.body && !desk.root.contains(active);
  if (isOutside && isEditable(active) && !isArriving) return;
  const pane = desk.refs.cols.querySelector(".scroll") || desk.root;
  pane.focus({ preventScroll: true });
}

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
  if (control.dataset.do && !(isDouble && ["clean", "save", "skip", "undo"].includes(control.dataset.do))) {
    act(desk, control.dataset.do);
  }
  if (control.dataset.edit && !isDouble) withTask(desk, () => offerEdit(desk, control.dataset.edit));
  if (event.detail > 0 && control.matches("button, summary") && !isEditable(activeIn(desk)) && desk.refs.help.hidden) focusDesk(desk);
}

// Links to a task of this audit (the rail's, for example) open in place.
function followLink(desk, event) {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const anchor = event.composedPath().find((node) => node.tagName === "A" && node.href);
  if (!anchor) return;
  const url = new URL(anchor.href);
  const task = url.searchParams.get("task");
  if (url.origin !== location.origin || url.searchParams.get("audit") !== desk.audit || !desk.byId.has(task)) return;
  take(event);
  goTo(desk, task);
}

function onVisibility(desk) {
  if (document.visibilityState === "hidden") {
    flushDraft(desk);
    stopClock(desk);
  } else startClock(desk);
}

function tick(desk) {
  if ((desk.log.length || desk.trialAsked) && Date.now() - desk.lastSent > 4000) send(desk);
  paintSync(desk);
}

// Everything without an answer goes with every message, so none depends on an earlier one. One is
// under way at a time: a second would interrupt the run that is about to answer the first.
function send(desk) {
  if (desk.isSending) return;
  desk.isSending = true;
  queueMicrotask(() => {
    desk.isSending = false;
    if (!desk.isMounted) return;
    desk.isWanted = desk.answered < desk.count && Date.now() - desk.lastSent < ANSWER_MS;
    clearTimeout(desk.sendTimer);
    if (desk.isWanted) {
      desk.sendTimer = setTimeout(() => send(desk), ANSWER_MS);
      return;
    }
    desk.count += 1;
    desk.lastSent = Date.now();
    const have = Object.fromEntries([...desk.views].map(([id, view]) => [id, view.digest]));
    desk.set({ count: desk.count, at: desk.at, have, full: [...desk.full], regrade: desk.trialAsked, log: desk.log.map((entry) => entry.action) });
  });
}

function receive(desk, data) {
  const isFirst = !desk.isBuilt;
  if (isFirst) desk.count = data.count; // numbers go on where an earlier visit left them
  desk.answered = data.count;
  Object.assign(desk, {
    audit: data.audit, store: data.store, reviewer: data.reviewer, strata: data.strata, notice: data.notice,
    keys: data.keys, taxonomy: data.taxonomy, drafts: data.drafts, served: data.queue,
  });
  desk.reviews = { ...desk.reviews, ...data.reviews };
  if (isFirst) {
    for (const [task, draft] of recall(desk, "draft:")) desk.localDrafts.set(task, draft);
    desk.log = recallLog(desk);
  }
  const failed = takeAcks(desk, data.acks);
  overlay(desk);
  const isMissing = takeViews(desk, data.views);
  dropViews(desk, new Set(data.views.map((view) => view.id)));
  if (isFirst) {
    build(desk);
    desk.at = placeOnArrival(desk, data.at);
    startClock(desk);
  }
  theme(desk);
  show(desk);
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

// The task to open: past one that was judged here already, where only the server does not know yet.
function placeOnArrival(desk, at) {
  const item = desk.byId.get(at);
  if (!item) return "";
  return item.state === "open" || at === taskInAddress() ? at : nextOpen(desk, at);
}

function sayUnknownTask(desk) {
  const wanted = taskInAddress();
  if (wanted && !desk.byId.has(wanted)) say(desk, `No task of this sample has the id “${wanted}” that the address names.`);
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

function theme(desk) {
  const style = getComputedStyle(desk.root);
  const probe = style.getPropertyValue("--st-background-color").trim();
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(probe);
  const isDark = parts ? parts.slice(1).reduce((sum, part) => sum + parseInt(part, 16), 0) < 382 : matchMedia("(prefers-color-scheme: dark)").matches;
  desk.root.classList.toggle("dark", isDark);
}

export default function reviewDesk({ data, parentElement, setStateValue }) {
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
