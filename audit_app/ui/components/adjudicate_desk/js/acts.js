// What each key and each button does, and the log that carries it to the server.

function record(desk, kind, task, extra, form = null) {
  const item = desk.byId.get(task);
  const view = desk.views.get(task);
  const action = {
    id: uuid(), kind, task_id: task, basis: view ? view.reviews.map((review) => review.id).sort() : [],
    review_id: null, judgement: null, findings: [], note: "", supersedes: replacedBy(item, view), ...extra,
  };
  const entry = { action, time: Date.now(), form };
  desk.log.push(entry);
  remember(desk, `action:${action.id}`, entry);
  overlay(desk);
  send(desk);
  return action;
}

// The adjudication that an action replaces, also where it rests on other reviews than stand now.
function replacedBy(item, view) {
  if (item && item.isAhead) return item.review;
  return view ? view.supersedes : null;
}

function goTo(desk, task) {
  flushDraft(desk);
  keepScroll(desk);
  desk.at = task;
  desk.pending = null;
  desk.isSendingBack = false;
  present(desk);
  paint(desk);
  paintAlerts(desk);
  placeInAddress(desk);
  focusDesk(desk);
  prepare(desk);
  send(desk);
}

function present(desk) {
  show(desk);
  paintAgreement(desk, desk.refs.cols);
}

function advance(desk) {
  goTo(desk, nextOpen(desk, desk.at));
}

// After any change to the form on screen: paint, and keep it in this browser.
function touch(desk) {
  const form = formOf(desk, desk.at);
  if (form.on && !isWritingOwn(form)) Object.assign(form, { choice: OWN, isOwnStarted: true, isClean: false });
  if (!form.on && isWritingOwn(form) && !form.isClean) form.isClean = true; // the last finding was removed
  form.time = Date.now();
  desk.draftTask = desk.at;
  clearTimeout(desk.draftTimer);
  desk.draftTimer = setTimeout(() => { flushDraft(desk); paint(desk); }, 300);
  paint(desk);
}

function flushDraft(desk) {
  clearTimeout(desk.draftTimer);
  const task = desk.draftTask;
  desk.draftTask = null;
  if (task) keepForm(desk, task, formOf(desk, task));
}

function keepForm(desk, task, form) {
  desk.forms.set(task, form);
  if (isWorthHolding(form)) remember(desk, `draft:${task}`, form);
  else forget(desk, `draft:${task}`);
  if (!desk.memoryFails) desk.draftSaved.set(task, Date.now());
}

function dropForm(desk, task) {
  if (desk.draftTask === task) {
    clearTimeout(desk.draftTimer);
    desk.draftTask = null;
  }
  delete desk.drafts[task];
  desk.forms.delete(task);
  forget(desk, `draft:${task}`);
}

function decide(desk, kind, extra) {
  const task = desk.at;
  const form = JSON.parse(JSON.stringify(formOf(desk, task)));
  const action = record(desk, kind, task, extra, form);
  dropForm(desk, task);
  if (kind !== "send_back") desk.trail.push({ task, id: action.id, form });
  advance(desk);
}

function takeNth(desk, number) {
  const review = reviewsOf(desk)[number - 1];
  if (!review) return say(desk, `There is no ${NTH[number - 1]} review of this task.`);
  if (desk.isSendingBack) return chooseAddressee(desk, review.id);
  return changeForm(desk, (form) => {
    form.choice = review.id;
    form.shown = false;
  });
}

// Typing goes into the field that is asked for next.
function focusField(desk, name) {
  const field = desk.root.querySelector(`[data-field="${name}"]`);
  if (field) field.focus();
}

const ACTS = {
  own(desk) {
    changeForm(desk, (form) => {
      if (choiceOf(desk, form) === OWN && form.isOwnStarted) form.shown = form.on && !form.shown;
      else beginOwn(desk, form);
    });
  },
  own_clean: (desk) => changeForm(desk, (form) => setOwn(desk, form, true)),
  own_defect: (desk) => changeForm(desk, (form) => setOwn(desk, form, false)),
  fn: (desk) => inOwn(desk, (finding) => toggleEffect(finding, "FN")),
  fp: (desk) => inOwn(desk, (finding) => toggleEffect(finding, "FP")),
  stale: (desk) => inOwn(desk, markStale),
  send_back(desk) {
    if (desk.isSendingBack) return closeSendBack(desk);
    desk.isSendingBack = true;
    const form = formOf(desk, desk.at);
    if (!form.sendTo && reviewsOf(desk).length === 1) form.sendTo = reviewsOf(desk)[0].id;
    return paint(desk);
  },
  settle(desk) {
    const form = formOf(desk, desk.at);
    if (desk.isSendingBack) return sendItBack(desk, form);
    const problem = settleProblem(desk, form);
    if (problem) {
      if (problem.index !== undefined) Object.assign(form, { index: problem.index, shown: true });
      say(desk, problem.text);
      paint(desk);
      if (problem.field) focusField(desk, problem.field);
      return undefined;
    }
    const note = (form.reason || "").trim();
    if (form.choice !== OWN) return decide(desk, "take", { review_id: form.choice, note });
    const findings = form.isClean ? [] : form.findings.map(toFinding);
    return decide(desk, "own", { judgement: form.isClean ? "clean" : "defect", findings, note });
  },
  skip: (desk) => advanceOrSay(desk),
  undo(desk) {
    const item = lastStanding(desk);
    if (!item) return say(desk, "There is nothing of yours to undo.");
    if (!item.review) return say(desk, "The identical ones are still being saved; undo in a moment.");
    flushDraft(desk);
    const step = desk.trail.find((one) => one.task === item.id && one.id === item.review);
    const view = desk.views.get(item.id);
    const form = step ? step.form : formOfSettled(view);
    desk.trail = desk.trail.filter((one) => one !== step);
    record(desk, "undo", item.id, { supersedes: item.review });
    if (form) keepForm(desk, item.id, { ...blankForm(null), ...form, base: null, time: Date.now() });
    goTo(desk, item.id);
    return say(desk, `Undone: ${item.id} is to be settled again.`);
  },
  accept_identical(desk) {
    const ready = acceptable(desk).length;
    if (!ready) return say(desk, "No identical reviews wait to be accepted.");
    record(desk, "accept_identical", "", { basis: [] });
    present(desk);
    paint(desk);
    return say(desk, `${plural(ready, "task")} accepted; ${keyLabel(desk, "undo")} on one of them opens it again.`);
  },
  overview(desk) {
    if (desk.at) return goTo(desk, "");
    const [first] = casesOf(desk);
    const task = nextOpen(desk, "") || (first ? first.id : "");
    return task ? goTo(desk, task) : say(desk, "No case is there to go to.");
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
    if (desk.isSendingBack && !isEditable(activeIn(desk))) return closeSendBack(desk);
    return focusDesk(desk);
  },
};

const ANYWHERE = new Set(["undo", "skip", "overview", "accept_identical", "previous", "next", "help", "leave", "raw", "toggle_key", "next_group"]);

function inOwn(desk, change) {
  const form = formOf(desk, desk.at);
  if (!isWritingOwn(form) || !form.on) setOwn(desk, form, false);
  form.shown = true;
  editFinding(desk, change);
}

function sendItBack(desk, form) {
  const item = desk.byId.get(desk.at);
  const reason = (form.sendReason || "").trim();
  if (item.refused) return say(desk, item.refused);
  if (!reviewOf(desk, form.sendTo)) return say(desk, `Choose to whom first: ${keyLabel(desk, "take:1")} for the first reviewer.`);
  if (!reason) {
    focusField(desk, "send");
    return say(desk, "Say what to look at again: the reviewer gets the reason with the task.");
  }
  return decide(desk, "send_back", { review_id: form.sendTo, note: reason });
}

function advanceOrSay(desk) {
  const task = nextOpen(desk, desk.at);
  if (!task && desk.at && isOpen(desk.byId.get(desk.at) || {})) return say(desk, "This is the only task left to settle.");
  return goTo(desk, task);
}

function step(desk, by) {
  const task = neighbour(desk, by);
  if (task) goTo(desk, task);
  else say(desk, by < 0 ? "This is the first case." : "This is the last case.");
}

function formOfSettled(view) {
  const settled = view && view.settled;
  if (!settled) return null;
  if (settled.how !== OWN) return { choice: settled.took, reason: settled.note };
  const isClean = settled.judgement !== "defect";
  return { choice: OWN, isOwnStarted: true, isClean, on: !isClean, shown: !isClean, reason: settled.note, findings: isClean ? [newFinding()] : settled.findings.map(fromFinding) };
}

function act(desk, action) {
  if (action.startsWith("take:")) return withTask(desk, () => takeNth(desk, Number(action.slice(5))));
  if (action.startsWith("severity:")) return withTask(desk, () => inOwn(desk, (finding) => { finding.severity = Number(action.slice(9)); }));
  if (action.startsWith("family:")) return withTask(desk, () => { inOwn(desk, () => {}); chooseFamily(desk, action.slice(7)); });
  if (!ACTS[action]) return undefined;
  if (desk.notice && (action === "accept_identical" || action === "undo")) return say(desk, desk.notice);
  return ANYWHERE.has(action) ? ACTS[action](desk) : withTask(desk, () => ACTS[action](desk));
}

// Settling acts on the task that is painted, never on one that is still loading.
function withTask(desk, work) {
  if (desk.notice) return say(desk, desk.notice);
  if (!desk.onScreen || desk.onScreen !== desk.at) {
    return say(desk, desk.at ? "The task is still loading; nothing was filed." : "No task is on screen; nothing was filed.");
  }
  const item = desk.byId.get(desk.at);
  if (item.refused) return say(desk, item.refused);
  if (item.state === "waiting" || reviewsOf(desk).length < 2) return say(desk, "This task does not have all its reviews yet.");
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
