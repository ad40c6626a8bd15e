// The defect form: built once, painted from the form of the task on screen.

function buildDrawer(desk) {
  const edit = (change) => editFinding(desk, change);
  const write = (name) => (value) => editFinding(desk, (finding) => { finding[name] = value; });
  const f = desk.fields = {
    title: h("span", { class: "meta" }),
    saved: h("span", { class: "meta", role: "status" }),
    effects: effectField(desk, edit),
    severity: severityField(desk, edit),
    severityHint: h("p", { class: "meta hint" }),
    families: familyField(desk, (letter) => chooseFamily(desk, letter)),
    causes: h("div", { role: "radiogroup", "aria-label": "Cause" }),
    also: secondaryField(desk, edit),
    state: stateField(desk, edit),
    note: textField("textarea", "Note", { class: "grow-text", "data-field": "note", placeholder: "Why: what a right answer does, and how it is misgraded" }, write("note")),
    evidence: textField("textarea", "Evidence links, one a line", { class: "links", rows: "2", "data-field": "evidence", placeholder: "Evidence links, one a line (https://…)" }, write("evidence")),
    evidenceSay: h("p", { class: "meta say-field", role: "status" }),
    proposed: textField("textarea", "Proposed key, JSON", { class: "grow-text code", "data-field": "proposed_key", placeholder: "What should stand instead (JSON)" }, write("proposed_key")),
    proposedSay: h("p", { class: "say-field trial", role: "status" }),
    prefill: h("button", { type: "button", class: "btn sm", onclick: () => prefillKey(desk) }, "Start from the key"),
    live: button(desk, "confirm", "Confirm live", { class: "btn sm", hidden: true }),
    pages: h("span", { class: "row" }),
    remove: h("button", { type: "button", class: "btn sm quiet", onclick: () => removeFinding(desk) }, "Remove finding"),
  };
  const label = (text, ...rest) => h("div", { class: "lab" }, h("b", {}, text), h("span", { class: "row" }, rest));
  return h(
    "section", { class: "drawer", "aria-label": "Defect form", hidden: true },
    h("div", { class: "ph" }, h("h2", {}, "Defect"), f.title, f.pages, h("span", { class: "sp" }), f.saved, f.remove,
      h("button", { type: "button", class: "btn sm", onclick: () => addFinding(desk) }, "Add a finding")),
    h("div", { class: "fields" },
      h("div", {}, label("Effect"), f.effects, label("Severity", severityKeys(desk)), f.severity, f.severityHint),
      h("div", {}, label("Cause", "family, then number"), h("div", { class: "cascade" }, f.families, f.causes), f.also),
      h("div", { class: "col" }, label("Note", "state", f.state), f.note, f.evidence, f.evidenceSay),
      h("div", { class: "col" }, label("Proposed key", f.prefill, f.live), f.proposed, f.proposedSay),
    ),
  );
}

// The keys of the severities: what they share once, where the rest is the number itself.
function severityKeys(desk) {
  const labels = desk.taxonomy.severities.map((row) => [row.id, keyLabel(desk, `severity:${row.id}`)]);
  const shared = labels.length ? labels[0][1].replace(/\+[^+]*$/, "") : "";
  if (shared && labels.every(([id, label]) => label === `${shared}+${id}`)) return [h("kbd", {}, shared), " + number"];
  return labels.filter(([, label]) => label).map(([, label]) => h("kbd", {}, label));
}

function currentFinding(form) {
  return form.findings[form.index];
}

function editFinding(desk, change) {
  if (!desk.at || desk.notice) return;
  const form = formOf(desk, desk.at);
  if (!form.on) openForm(desk, form);
  change(currentFinding(form));
  touch(desk);
}

function openForm(desk, form) {
  const review = desk.reviews[desk.at];
  const item = desk.byId.get(desk.at);
  const stands = review && item && item.review === review.id && review.judgement === "defect";
  if (stands && !form.findings.some(findingHasInput)) form.findings = review.findings.map(fromFinding);
  if (form.note && !form.findings[0].note) {
    form.findings[0].note = form.note;
    form.note = "";
  }
  form.on = true;
  form.shown = true;
  form.index = Math.min(form.index, form.findings.length - 1);
}

function closeForm(form) {
  form.on = false;
  form.shown = false;
  form.index = 0;
  form.findings = [newFinding()];
}

function addFinding(desk) {
  const form = formOf(desk, desk.at);
  form.findings.push(newFinding());
  form.index = form.findings.length - 1;
  touch(desk);
}

function removeFinding(desk) {
  const form = formOf(desk, desk.at);
  form.findings.splice(form.index, 1);
  if (form.findings.length) form.index = Math.min(form.index, form.findings.length - 1);
  else closeForm(form);
  desk.pending = null;
  touch(desk);
}

function prefillKey(desk) {
  const view = desk.views.get(desk.at);
  editFinding(desk, (finding) => { finding.proposed_key = view && view.key_text ? view.key_text : ""; });
  desk.fields.proposed.focus();
}

function chooseFamily(desk, letter) {
  editFinding(desk, () => {});
  desk.pending = letter;
  paintDrawer(desk);
}

function chooseCause(desk, number) {
  const family = desk.taxonomy.families.find((row) => row.letter === desk.pending);
  const cause = family && family.causes[number - 1];
  desk.pending = null;
  if (cause) editFinding(desk, (finding) => { finding.cause = cause.code; });
  else {
    say(desk, `${family ? family.label : "This family"} has no cause number ${number}.`);
    paintDrawer(desk);
  }
}

function paintDrawer(desk) {
  const form = desk.at ? formOf(desk, desk.at) : null;
  const isShown = Boolean(form && form.on && form.shown);
  desk.refs.drawer.hidden = !isShown;
  if (!isShown) return;
  const f = desk.fields;
  const finding = currentFinding(form);
  setText(f.title, `finding ${form.index + 1} of ${form.findings.length}`);
  paintPages(desk, form);
  for (const option of f.effects.children) check(option, finding.effects.includes(option.dataset.effect));
  for (const option of f.severity.children) check(option, String(finding.severity) === option.dataset.severity);
  paintSeverityHint(desk, finding);
  paintCauses(desk, finding);
  setValue(f.state, finding.state);
  setValue(f.note, finding.note);
  setValue(f.evidence, finding.evidence);
  setValue(f.proposed, finding.proposed_key === null ? "" : finding.proposed_key);
  paintProblems(desk, finding);
  setText(f.saved, draftWords(desk));
}

function check(option, isOn) {
  option.setAttribute("aria-checked", isOn ? "true" : "false");
}

function paintPages(desk, form) {
  const pages = desk.fields.pages;
  if (form.findings.length < 2) {
    pages.replaceChildren();
    return;
  }
  pages.replaceChildren(...form.findings.map((finding, index) => {
    const page = h("button", { type: "button", class: "btn sm", title: wordsOfFinding(finding), onclick: () => { form.index = index; desk.pending = null; paint(desk); } }, String(index + 1));
    press(page, index === form.index);
    return page;
  }));
}

function paintSeverityHint(desk, finding) {
  const row = desk.taxonomy.severities.find((one) => Number(one.id) === finding.severity);
  setText(desk.fields.severityHint, row ? row.definition : "Not stated: counts by default, and leaves the strict rate undefined.");
}

function paintCauses(desk, finding) {
  const { families, causes, also } = desk.fields;
  const letter = desk.pending || (finding.cause ? finding.cause[0] : desk.family || "K");
  if (desk.family !== letter || !causes.children.length) {
    desk.family = letter;
    const family = desk.taxonomy.families.find((row) => row.letter === letter) || desk.taxonomy.families[0];
    causes.replaceChildren(...causeOptions(desk, family, (change) => { desk.pending = null; editFinding(desk, change); }));
  }
  for (const option of families.children) press(option, option.dataset.family === letter);
  for (const option of causes.children) check(option, option.dataset.cause === finding.cause);
  causes.classList.toggle("waiting", Boolean(desk.pending));
  setText(also.firstChild, `Further causes: ${finding.causes.join(", ") || "none"}`);
  for (const box of also.querySelectorAll("input")) box.checked = finding.causes.includes(box.dataset.also);
}

function paintProblems(desk, finding) {
  const { evidence, evidenceSay, prefill, live } = desk.fields;
  const link = linkProblem(finding.evidence);
  setText(evidenceSay, link);
  evidence.toggleAttribute("aria-invalid", Boolean(link));
  const text = finding.proposed_key || "";
  paintTrial(desk, text, keyProblem(text));
  prefill.hidden = text.trim() !== "";
  live.hidden = !prefill.hidden;
}

function draftWords(desk) {
  const saved = desk.draftSaved.get(desk.at);
  const form = formOf(desk, desk.at);
  if (desk.localDrafts.has(desk.at)) return "Draft not saved yet";
  return saved && saved >= form.time ? `Draft saved ${clock(saved)}` : "";
}
