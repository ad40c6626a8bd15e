// The desk itself: keys in, data in, log out.

const ANSWER_MS = 1500; // an answer that takes longer is not waited for
const SOON_MS = 150;
const MOST_AHEAD = 24;
const LEAST_AHEAD = 6;

function createDesk(parent) {
  const desk = {
    parent, root: h("div", { class: "desk review", tabindex: "-1" }), refs: {}, fields: {},
    served: [], queue: [], byId: new Map(), place: new Map(), touched: new Set(), passed: new Set(), queueDigest: "", fixedDigest: "",
    version: 0, sums: null, medianOf: -1, filter: NO_FILTER, conditions: [], facets: null, ahead: MOST_AHEAD, lacks: 0, reviews: {}, drafts: {}, strata: {}, keys: [], taxonomy: null,
    views: new Map(), forms: new Map(), localDrafts: new Map(), draftSaved: new Map(), seconds: new Map(),
    log: [], trail: [], alerts: [], full: new Set(), at: "", onScreen: null, trial: null, trialAsked: null, trialWanted: "", trialCount: 0, pending: null, family: null,
    isAuto: true, isFiltering: false, isProse: false, hasHinted: true, isRaw: false, isKeyHidden: false, isMounted: true, isBuilt: false, memoryFails: false, count: 0, answered: 0, isWanted: false, lastSent: 0,
  };
  desk.alsoSends = () => ({
    queue: desk.queueDigest, fixed: desk.fixedDigest, ahead: desk.ahead, coming: comingOpen(desk, desk.at, desk.ahead),
    prose: wantedProse(desk), facets: wantsFacets(desk),
  });
  desk.isWaiting = () => isWaiting(desk);
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
  on(document, "visibilitychange", () => onVisibility(desk));
  on(window, "pagehide", () => flushDraft(desk));
  // Streamlit's own one-letter shortcuts must not see what is typed here.
  for (const type of ["keydown", "keypress", "keyup"]) {
    on(desk.root, type, (event) => { if (isEditable(event.composedPath()[0])) event.stopPropagation(); });
  }
  on(desk.root, "click", (event) => onClick(desk, event));
  on(desk.root, "focusout", () => flushDraft(desk));
  const timers = [setInterval(() => tick(desk), 2000), setInterval(() => paintClock(desk, true), 1000)];
  desk.undoers.push(() => timers.forEach(clearInterval));
}

// A task that is being handed out, and views read ahead that were put off, are asked for again soon,
// tasks with others now and then.
function isWaiting(desk) {
  const since = Date.now() - desk.lastSent;
  const item = desk.byId.get(desk.at);
  if (item && item.state === "open" && item.waits) return since > 1500;
  if (desk.lacks && !isAway(desk) && desk.answered === desk.count) return since > 1500;
  const mayComeBack = desk.at ? item && item.state === "taken" : tally(desk).taken + tally(desk).waiting > 0;
  return Boolean(mayComeBack) && since > 15000;
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

function onVisibility(desk) {
  if (document.visibilityState === "hidden") {
    flushDraft(desk);
    stopClock(desk);
  } else startClock(desk);
}

export default function reviewDesk({ data, parentElement, setStateValue }) {
  const desk = parentElement.assayDesk || (parentElement.assayDesk = createDesk(parentElement));
  desk.set = (value) => setStateValue("sent", value);
  receive(desk, data);
  return () => {
    flushDraft(desk);
    desk.isMounted = false;
    clearTimeout(desk.sendTimer);
    clearTimeout(desk.soonTimer);
    for (const undo of desk.undoers || []) undo();
    desk.root.remove();
    delete parentElement.assayDesk;
  };
}
