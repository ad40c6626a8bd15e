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
  overlay(desk);
  send(desk);
  return action;
}

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

function goTo(desk, task) {
  flushDraft(desk);
  stopClock(desk);
  keepScroll(desk);
  desk.at = task;
  desk.pending = null;
  startClock(desk);
  show(desk);
  paint(desk);
  paintAlerts(desk);
  placeInAddress(desk);
  focusDesk(desk);
  prepare(desk);
  send(desk);
}

function advance(desk) {
  goTo(desk, nextOpen(desk, desk.at));
}

function taskInAddress() {
  return new URL(location.href).searchParams.get("task");
}

function placeInAddress(desk) {
  const url = new URL(location.href);
  url.searchParams.set("audit", desk.audit);
  if (desk.at) url.searchParams.set("task", desk.at);
  else url.searchParams.delete("task");
  if (url.href !== location.href) history.replaceState(history.state, "", url);
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
  advance(desk);
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
    const problem = formProblem(form);
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
    if (desk.byId.get(desk.at).state === "open") return judge(desk, "skip", {});
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
  next_group(desk) {
    const view = desk.views.get(desk.at);
    if (view) selectGroup(desk, startGroup(view) + 1);
  },
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
  help: (desk) => toggleHelp(desk, desk.refs.help.hidden),
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

const ANYWHERE = new Set(["undo", "previous", "next", "help", "leave", "raw", "toggle_key"]);

function step(desk, by) {
  const task = neighbour(desk, by);
  if (task) goTo(desk, task);
  else say(desk, by < 0 ? "This is the first task." : "This is the last task.");
}

function act(desk, action) {
  if (action.startsWith("severity:")) {
    return withTask(desk, () => editFinding(desk, (finding) => { finding.severity = Number(action.slice(9)); }));
  }
  if (action.startsWith("family:")) return withTask(desk, () => chooseFamily(desk, action.slice(7)));
  if (!ACTS[action]) return undefined;
  return ANYWHERE.has(action) ? ACTS[action](desk) : withTask(desk, () => ACTS[action](desk));
}

// Judging acts on the task that is painted, never on one that is still loading.
function withTask(desk, work) {
  if (desk.notice) return say(desk, desk.notice);
  if (!desk.onScreen || desk.onScreen !== desk.at) {
    return say(desk, desk.at ? "The task is still loading; nothing was filed." : "No task is on screen; nothing was filed.");
  }
  return work();
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
