// What each key and each button does, and the log that carries it to the server.

function record(desk, kind, task, extra) {
  const item = desk.byId.get(task);
  const action = {
    id: uuid(), kind, task_id: task, supersedes: item ? item.review : null, findings: [], note: "", draft: null,
    seconds: Math.round(secondsOn(desk, task) * 10) / 10, ...extra,
  };
  const entry = { action, time: Date.now() };
  desk.log.push(entry);
  remember(desk, `action:${action.id}`, entry);
  overlayOne(desk, action, entry.time);
  send(desk);
  return action;
}

function goTo(desk, task, keepsFocus = false) {
  flushDraft(desk);
  stopClock(desk);
  keepScroll(desk);
  if (task !== desk.at) desk.refs.say.hidden = true; // what was said was about the other task
  desk.at = task;
  desk.pending = null;
  startClock(desk);
  showTask(desk);
  paint(desk);
  paintAlerts(desk);
  placeInAddress(desk);
  if (!keepsFocus) focusDesk(desk);
  prepare(desk);
  send(desk);
}

function advance(desk) {
  goTo(desk, nextOpen(desk, desk.at));
}

function showTask(desk) {
  show(desk);
  markModels(desk);
  for (const control of desk.refs.cols.querySelectorAll('[data-do="rendered"]')) press(control, desk.isProse);
}

// After any change to the form on screen: paint, keep it in this browser, tell the server soon.
function touch(desk) {
  const form = formOf(desk, desk.at);
  form.time = Date.now();
  desk.localDrafts.set(desk.at, form);
  desk.draftTask = desk.at;
  clearTimeout(desk.draftTimer);
  desk.draftTimer = setTimeout(() => flushDraft(desk), 600);
  paintStrip(desk);
  paintDrawer(desk);
}

function flushDraft(desk) {
  clearTimeout(desk.draftTimer);
  const task = desk.draftTask;
  desk.draftTask = null;
  if (!task) return;
  const form = formOf(desk, task);
  const draft = isWorthKeeping(form) ? JSON.parse(JSON.stringify(form)) : null;
  if (draft) remember(desk, `draft:${task}`, draft);
  else forget(desk, `draft:${task}`);
  dropDraftsFromLog(desk, task);
  record(desk, "draft", task, { draft });
}

function dropDraftsFromLog(desk, task) {
  for (const { action } of desk.log) {
    if (action.kind === "draft" && action.task_id === task) forget(desk, `action:${action.id}`);
  }
  desk.log = desk.log.filter(({ action }) => action.kind !== "draft" || action.task_id !== task);
}

function dropDraft(desk, task) {
  if (desk.draftTask === task) {
    clearTimeout(desk.draftTimer);
    desk.draftTask = null;
  }
  dropDraftsFromLog(desk, task);
  desk.localDrafts.delete(task);
  delete desk.drafts[task];
  forget(desk, `draft:${task}`);
  desk.forms.delete(task);
}

function judge(desk, kind, extra) {
  const task = desk.at;
  const kept = desk.forms.get(task);
  dropDraft(desk, task);
  const action = record(desk, kind, task, extra);
  if (kind !== "skip") desk.reviews[task] = { id: action.id, judgement: kind, note: action.note, findings: action.findings };
  else if (kept && isWorthKeeping(kept)) keepForm(desk, task, kept);
  desk.trail.push({ task, kind, id: action.id, findings: action.findings, note: action.note });
  endHints(desk);
  if (desk.isAuto || kind === "skip") advance(desk);
  else goTo(desk, task);
}

// Puts a form back on a task and keeps it as a draft.
function keepForm(desk, task, form) {
  const item = desk.byId.get(task);
  form.base = item ? item.review : null;
  form.time = Date.now();
  desk.forms.set(task, form);
  desk.localDrafts.set(task, form);
  desk.draftTask = task;
  flushDraft(desk);
}

const ACTS = {
  clean(desk) {
    const form = formOf(desk, desk.at);
    const item = desk.byId.get(desk.at);
    if (hasDefectInput(form)) {
      return say(desk, `Not filed as clean: the defect form holds input. ${keyLabel(desk, "save")} saves the defect, Remove finding discards it.`);
    }
    if (item.state === "clean" && form.note === standingNote(desk)) return advance(desk);
    return judge(desk, "clean", { note: form.note });
  },
  defect(desk) {
    const form = formOf(desk, desk.at);
    if (!form.on) openForm(desk, form);
    else if (hasDefectInput(form)) form.shown = !form.shown;
    else closeForm(form);
    desk.pending = null;
    touch(desk);
  },
  fn: (desk) => editFinding(desk, (finding) => toggleEffect(finding, "FN")),
  fp: (desk) => editFinding(desk, (finding) => toggleEffect(finding, "FP")),
  stale: (desk) => editFinding(desk, markStale),
  save(desk) {
    const form = formOf(desk, desk.at);
    const item = desk.byId.get(desk.at);
    if (!form.on) {
      if (item.state === "clean") return ACTS.clean(desk);
      return say(desk, `Nothing is chosen yet: ${keyLabel(desk, "clean")} for clean, ${keyLabel(desk, "defect")} for a defect. The note is kept.`);
    }
    const problem = formProblem(form, desk);
    if (problem) {
      form.shown = true;
      form.index = problem.index;
      paint(desk);
      return say(desk, `Not saved: ${problem.text}`);
    }
    return judge(desk, "defect", { findings: form.findings.map(toFinding) });
  },
  draft(desk) {
    desk.draftTask = desk.at;
    flushDraft(desk);
    say(desk, "Draft kept. The task stays open until you judge it.");
  },
  skip(desk) {
    const { state } = desk.byId.get(desk.at);
    if (state === "open") return judge(desk, "skip", {});
    if (state === "returned") desk.passed.add(desk.at);
    return advance(desk);
  },
  second_look(desk) {
    record(desk, "second_look", desk.at, {});
    paint(desk);
  },
  undo(desk) {
    const step = lastStanding(desk);
    if (!step) return say(desk, "There is nothing of yours to undo.");
    if (desk.trail[desk.trail.length - 1] === step) desk.trail.pop();
    const review = desk.reviews[step.task];
    const findings = step.findings || (review && review.id === step.id ? review.findings : []);
    const note = step.note !== undefined ? step.note : review && review.id === step.id ? review.note : "";
    flushDraft(desk);
    const written = desk.forms.get(step.task);
    record(desk, "undo", step.task, {});
    delete desk.reviews[step.task];
    if (findings.length) keepForm(desk, step.task, formOfFindings(findings, null));
    else if (note) keepForm(desk, step.task, { ...blankForm(null), note });
    else if (written && isWorthKeeping(written)) keepForm(desk, step.task, written);
    goTo(desk, step.task);
    return say(desk, `Undone: ${step.task} is open again.`);
  },
  previous: (desk) => step(desk, -1),
  next: (desk) => step(desk, 1),
  next_group: (desk) => nextGroup(desk),
  raw(desk) {
    desk.isRaw = !desk.isRaw;
    paintRaw(desk);
    const view = desk.views.get(desk.at);
    if (view) selectGroup(desk, startGroup(view));
  },
  toggle_key(desk) {
    desk.isKeyHidden = !desk.isKeyHidden;
    paintRaw(desk);
  },
  rendered(desk) {
    desk.isProse = !desk.isProse;
    keepScroll(desk);
    showTask(desk);
    if (wantedProse(desk).length) send(desk);
  },
  note(desk) {
    const form = formOf(desk, desk.at);
    if (form.on && !form.shown) {
      form.shown = true;
      paint(desk);
    }
    (form.on ? desk.fields.note : desk.refs.note).focus();
  },
  jump: (desk) => desk.refs.jump.focus(),
  filter: (desk) => toggleFilterBar(desk),
  clear_filter(desk) {
    clearTimeout(desk.filterTimer);
    applyFilter(desk, NO_FILTER);
  },
  auto(desk) {
    desk.isAuto = !desk.isAuto;
    remember(desk, "auto", desk.isAuto);
    paint(desk);
    for (const control of desk.refs.help.querySelectorAll('[data-do="auto"]')) press(control, desk.isAuto);
    if (desk.refs.help.hidden) say(desk, desk.isAuto ? "Auto-advance is on: a saved judgement goes on to the next task." : "Auto-advance is off: a saved judgement stays on its task.");
  },
  confirm: (desk) => toConfirm(desk),
  help: (desk) => toggleHelp(desk, desk.refs.help.hidden || desk.helpPart !== "keys"),
  guide: (desk) => toggleHelp(desk, desk.refs.help.hidden || desk.helpPart !== "guide", "guide"),
  leave(desk) {
    if (!desk.refs.help.hidden) return toggleHelp(desk, false);
    if (desk.pending) {
      desk.pending = null;
      return paint(desk);
    }
    flushDraft(desk);
    return focusDesk(desk);
  },
};

// What neither judges nor writes acts on every task, also on one that is still loading or locked.
const ANYWHERE = new Set([
  "undo", "previous", "next", "help", "guide", "leave", "raw", "toggle_key", "rendered", "next_group", "jump", "filter", "clear_filter", "auto", "confirm",
]);

const LEAVE_MS = 2000;

// To the live trials of the task on screen, once what was written is on disk. Where the server does
// not answer in time, it stays in this browser and is sent on the way back.
function toConfirm(desk) {
  if (!desk.at) return say(desk, "No task is on screen.");
  flushDraft(desk);
  placeInAddress(desk);
  const since = Date.now();
  const timer = setInterval(() => {
    if (desk.log.length && Date.now() - since < LEAVE_MS) return;
    clearInterval(timer);
    location.assign(new URL(`./confirm${location.search}`, location.href));
  }, 40);
  return undefined;
}

function step(desk, by) {
  const task = neighbour(desk, by);
  if (task) goTo(desk, task);
  else say(desk, `This is the ${by < 0 ? "first" : "last"} task${isFiltered(desk) ? " in this filter" : ""}.`);
}

function act(desk, action) {
  if (action === "skip" && desk.onScreen && lockWords(desk)) return advance(desk); // nothing to leave open
  if (action.startsWith("severity:")) {
    return withTask(desk, () => editFinding(desk, (finding) => { finding.severity = Number(action.slice(9)); }));
  }
  if (action.startsWith("family:")) return withTask(desk, () => chooseFamily(desk, action.slice(7)));
  if (!ACTS[action]) return undefined;
  if (ANYWHERE.has(action)) return ACTS[action](desk);
  return withTask(desk, () => (SAVES.has(action) && waitWords(desk) ? say(desk, waitWords(desk)) : ACTS[action](desk)));
}

// Judging acts on the task that is painted, never on one that is still loading.
function withTask(desk, work) {
  if (!desk.onScreen || desk.onScreen !== desk.at) {
    return say(desk, desk.at ? "The task is still loading; nothing was filed." : "No task is on screen; nothing was filed.");
  }
  const lock = lockWords(desk);
  return lock ? say(desk, lock) : work();
}

function jumpOnEnter(desk, event) {
  if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const found = search(desk, event.target.value);
  if (found.length === 1) {
    event.target.value = "";
    goTo(desk, found[0].id);
  } else if (event.target.value.trim()) {
    say(desk, found.length ? `${plural(found.length, "task")} of this sample match; type more of the id.` : `No task of this sample has an id with “${event.target.value.trim()}”.`);
  }
}
