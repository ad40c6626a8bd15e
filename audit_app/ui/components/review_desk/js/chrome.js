// Header, judgement strip, alerts and help.

function buildDesk(desk) {
  const r = desk.refs;
  r.title = h("h1", { class: "mono" });
  r.meta = h("span", { class: "meta" });
  r.standing = h("span", { class: "tag" });
  r.position = h("span", { class: "meta place" });
  r.sync = h("span", { class: "tag warn", role: "status", hidden: true });
  r.ids = h("datalist", { id: "assay-ids" });
  r.jump = h("input", { class: "in sm jump", placeholder: "Jump to id", "aria-label": "Jump to id", list: "assay-ids", spellcheck: "false", onkeydown: (event) => jumpOnEnter(desk, event) });
  r.cols = h("div", { class: "cols one" });
  r.drawer = buildDrawer(desk);
  r.say = h("div", { class: "say-line", role: "status", hidden: true });
  r.alerts = h("div", { class: "alerts", role: "alert" });
  r.help = h("div", { class: "help", hidden: true });
  const step = (action, label, mark) => h("button", { type: "button", class: "btn sm quiet", "data-do": action, "aria-label": label, title: label }, h("kbd", {}, mark));
  desk.root.append(
    h("header", { class: "bar1" }, r.title, r.meta, r.standing, h("span", { class: "sp" }), r.sync, r.position,
      h("span", { class: "row" }, step("previous", "Previous task", "←"), step("next", "Next task", "→")), r.jump, r.ids),
    r.cols,
    h("footer", { class: "judge" }, r.say, r.drawer, buildStrip(desk)),
    r.alerts, r.help,
  );
}

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
  r.save = button(desk, "save", "Save and next", { class: "btn primary" });
  return h(
    "div", { class: "strip", role: "toolbar", "aria-label": "Judgement" },
    r.clean, r.defect, h("span", { class: "gap" }), h("span", { class: "zone" }, r.quick, r.readback), h("span", { class: "gap" }),
    button(desk, "skip", "Skip", { class: "btn quiet" }), r.second, button(desk, "undo", "Undo", { class: "btn quiet" }),
    r.note, h("span", { class: "spring" }), r.save, button(desk, "help", "Help", { class: "btn quiet" }),
  );
}

function paint(desk) {
  paintHeader(desk);
  paintStrip(desk);
  paintDrawer(desk);
  paintSync(desk);
}

function paintHeader(desk) {
  const r = desk.refs;
  const item = desk.byId.get(desk.at);
  const view = desk.views.get(desk.at);
  const count = tally(desk);
  setText(r.title, desk.at || "Review");
  r.title.title = desk.at;
  const stratum = item ? desk.strata[item.stratum] || item.stratum : "";
  const category = view && view.category !== stratum ? `category ${view.category}` : "";
  setText(r.meta, [stratum, category].filter(Boolean).join(", "));
  const standing = item && (item.words || (item.state === "skipped" ? "skipped" : ""));
  r.standing.hidden = !standing && !(item && item.second);
  setText(r.standing, [standing ? `${item.review ? "judged " : ""}${standing}` : "", item && item.second ? "second look" : ""].filter(Boolean).join(", "));
  setText(r.position, desk.at ? `Task ${indexOf(desk, desk.at) + 1} of ${count.total}, ${count.judged} judged` : `${count.judged} of ${count.total} judged`);
  paintIds(desk);
}

function paintIds(desk) {
  const { ids } = desk.refs;
  if (ids.children.length === desk.queue.length) return;
  ids.replaceChildren(...desk.queue.map((item) => h("option", { value: item.id })));
}

function paintStrip(desk) {
  const r = desk.refs;
  const item = desk.byId.get(desk.at);
  const form = desk.at ? formOf(desk, desk.at) : null;
  const isOn = Boolean(form && form.on);
  const isReady = Boolean(desk.onScreen && !desk.notice);
  press(r.clean, Boolean(item && item.state === "clean" && !isOn));
  press(r.defect, isOn || Boolean(item && item.state === "defect"));
  press(r.second, Boolean(item && item.second));
  r.quick.hidden = isOn;
  r.readback.hidden = !isOn;
  if (isOn) setText(r.readback, readbackWords(desk, form));
  r.note.hidden = isOn;
  if (form && !isOn) setValue(r.note, form.note);
  for (const control of desk.root.querySelectorAll(".strip button")) control.disabled = !isReady;
  r.note.disabled = !isReady;
  for (const control of desk.root.querySelectorAll('[data-do="help"]')) control.disabled = false;
  for (const control of desk.root.querySelectorAll('[data-do="undo"]')) control.disabled = Boolean(desk.notice);
  r.save.disabled = !isReady || !(isOn || (item && item.state === "clean" && form.note !== standingNote(desk)));
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

function paintSync(desk) {
  const waiting = desk.log.filter((entry) => entry.action.kind !== "draft");
  const isLate = waiting.length > 0 && Date.now() - waiting[0].time > 2500;
  desk.refs.sync.hidden = !isLate && !desk.memoryFails;
  const late = isLate ? `${plural(waiting.length, "judgement")} not saved yet, trying again` : "";
  setText(desk.refs.sync, late || (desk.memoryFails ? "This browser cannot keep drafts" : ""));
}

function say(desk, text) {
  const line = desk.refs.say;
  setText(line, text);
  line.hidden = false;
  clearTimeout(desk.sayTimer);
  desk.sayTimer = setTimeout(() => { line.hidden = true; }, 7000);
}

function alertWords({ task, text }) {
  const said = text.replace(/^not saved: /i, "");
  return said.startsWith(task) ? said : `${task}: ${said}`;
}

function paintAlerts(desk) {
  const rows = desk.alerts.map((alert) => h(
    "div", { class: "alert" },
    h("b", {}, "! Not saved."), h("span", { class: "alert-text" }, alertWords(alert)),
    alert.task === desk.at ? null : h("button", { type: "button", class: "btn sm", onclick: () => goTo(desk, alert.task) }, "Go to it"),
    h("button", { type: "button", class: "btn sm", onclick: () => { desk.alerts = desk.alerts.filter((one) => one !== alert); paintAlerts(desk); } }, "Dismiss"),
  ));
  if (desk.notice) rows.unshift(h("div", { class: "alert quiet" }, h("span", {}, desk.notice)));
  desk.refs.alerts.replaceChildren(...rows);
}

function toggleHelp(desk, isOpen) {
  const { help } = desk.refs;
  if (isOpen === !help.hidden) return;
  if (isOpen) {
    desk.focusBefore = activeIn(desk);
    help.replaceChildren(helpBody(desk));
  }
  help.hidden = !isOpen;
  if (isOpen) help.querySelector("button").focus();
  else focusDesk(desk);
}

function helpBody(desk) {
  const groups = [...new Set(desk.keys.map((row) => row.group))];
  const keys = groups.map((group) => h("div", {}, h("h3", {}, group), h("dl", { class: "keys" }, desk.keys.filter((row) => row.group === group)
    .map((row) => [h("dt", {}, kbd(desk, row.action)), h("dd", {}, row.text)]))));
  const define = (title, rows) => h("div", {}, h("h3", {}, title), h("dl", {}, rows.map((row) => [h("dt", {}, row.label), h("dd", {}, row.definition)])));
  const families = desk.taxonomy.families.map((family) => h("div", {}, h("h3", {}, `Cause: ${family.label}`), h("dl", {}, family.causes.map((cause) => [
    h("dt", {}, `${cause.code} ${cause.label}`),
    h("dd", {}, cause.definition, cause.example ? h("span", { class: "meta" }, ` Example: ${cause.example}`) : null, cause.effect ? h("span", { class: "meta" }, ` Mostly ${cause.effect}.`) : null),
  ]))));
  return h(
    "div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": "Keys and definitions" },
    h("div", { class: "ph" }, h("h2", {}, "Keys and definitions"), h("span", { class: "sp" }),
      h("button", { type: "button", class: "btn sm", onclick: () => toggleHelp(desk, false) }, h("kbd", {}, "Esc"), "Close")),
    h("div", { class: "sheet-body" },
      h("section", {}, keys),
      h("section", {}, define("Effect", desk.taxonomy.effects), define("Severity", desk.taxonomy.severities.map((row) => ({ ...row, label: severityWords(row) }))), define("State", desk.taxonomy.states)),
      h("section", {}, families)),
  );
}
