// The judging strip: what can be done with the task on screen, and why not where it cannot.

function buildStrip(desk) {
  const r = desk.refs;
  r.clean = button(desk, "clean", "Clean", { class: "btn tog" });
  r.defect = button(desk, "defect", "Defect", { class: "btn tog" });
  r.quick = h("span", { class: "row" }, button(desk, "fn", "FN"), button(desk, "fp", "FP"), button(desk, "stale", "Stale"));
  r.readback = h("span", { class: "readback" });
  r.second = button(desk, "second_look", "Second look", { class: "btn quiet" });
  r.note = textField("input", "Note on this task (optional)", { class: "in note", placeholder: "Note (optional)", "data-field": "clean-note" }, (value) => {
    if (!desk.at) return;
    formOf(desk, desk.at).note = value;
    touch(desk);
  });
  r.saveWords = h("span", {});
  r.save = h("button", { type: "button", class: "btn primary", "data-do": "save" }, kbd(desk, "save"), r.saveWords);
  r.lock = h("span", { class: "lock", role: "status" });
  return h(
    "div", { class: "strip", role: "toolbar", "aria-label": "Judgement" },
    r.clean, r.defect, h("span", { class: "gap" }), h("span", { class: "zone" }, r.quick, r.readback, r.lock), h("span", { class: "gap" }),
    button(desk, "skip", "Skip", { class: "btn quiet" }), r.second, button(desk, "undo", "Undo", { class: "btn quiet" }),
    r.note, h("span", { class: "spring" }), r.save, button(desk, "help", "Help", { class: "btn quiet" }),
  );
}

// Something was written on a task that is no longer handed out to the reviewer: saving it is tried.
function hasLateWork(desk, item) {
  return (item.state === "taken" || item.state === "closed") && isWorthKeeping(formOf(desk, item.id));
}

// Why nothing can be done with the task on screen; empty where something can.
function lockWords(desk) {
  if (desk.notice) return desk.notice;
  const item = desk.byId.get(desk.at);
  if (!item || hasLateWork(desk, item)) return "";
  if (item.state === "taken") return "Handed out to another reviewer: to read, not to judge.";
  return item.state === "closed" ? "Has all its reviews: to read, not to judge." : "";
}

// Why the judgement cannot be saved yet, while it can be written; empty where it can.
function waitWords(desk) {
  const item = desk.byId.get(desk.at);
  return item && item.state === "open" && item.waits ? "Being handed out to you …" : "";
}

const SAVES = new Set(["clean", "save"]);

function paintStrip(desk) {
  const r = desk.refs;
  const item = desk.byId.get(desk.at);
  const form = desk.at ? formOf(desk, desk.at) : null;
  const isOn = Boolean(form && form.on);
  const lock = lockWords(desk);
  const isReady = Boolean(desk.onScreen && !lock);
  const mayWait = isReady ? waitWords(desk) : "";
  press(r.clean, Boolean(item && item.state === "clean" && !isOn));
  press(r.defect, isOn || Boolean(item && item.state === "defect"));
  press(r.second, Boolean(item && item.second));
  const isLocked = Boolean(desk.onScreen && lock);
  r.lock.hidden = !isLocked && !mayWait;
  setText(r.lock, isLocked && !desk.notice ? lock : mayWait);
  r.quick.hidden = isOn || isLocked;
  r.readback.hidden = !isOn || isLocked;
  if (isOn) setText(r.readback, readbackWords(desk, form));
  r.note.hidden = isOn || isLocked || Boolean(mayWait);
  if (form && !isOn) setValue(r.note, form.note);
  for (const control of desk.root.querySelectorAll(".strip button")) {
    control.disabled = !isReady || Boolean(mayWait && SAVES.has(control.dataset.do));
  }
  r.note.disabled = !isReady;
  for (const control of desk.root.querySelectorAll('.strip [data-do="help"]')) control.disabled = false;
  for (const control of desk.root.querySelectorAll('.strip [data-do="skip"]')) control.disabled = !desk.onScreen;
  for (const control of desk.root.querySelectorAll('.strip [data-do="undo"]')) control.disabled = Boolean(desk.notice);
  r.save.disabled = r.save.disabled || !(isOn || (item && item.state === "clean" && form.note !== standingNote(desk)));
  setText(r.saveWords, desk.isAuto ? "Save and next" : "Save");
}

function standingNote(desk) {
  const review = desk.reviews[desk.at];
  return review ? review.note : "";
}

function readbackWords(desk, form) {
  if (desk.pending) {
    const family = desk.taxonomy.families.find((row) => row.letter === desk.pending);
    return `${family.label}: number 1 to ${family.causes.length}`;
  }
  const words = form.findings.some((finding) => finding.effects.length) ? wordsOf(form.findings) : "no effect chosen yet";
  return form.shown ? words : `${words} (form hidden)`;
}
