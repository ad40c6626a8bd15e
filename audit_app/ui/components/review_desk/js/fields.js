// Fields of the defect form, built once from the taxonomy. Each reads and writes through `edit`,
// which changes the finding on screen and repaints.

function optionButton(desk, role, attrs, key, title, detail, choose) {
  return h(
    "button",
    { type: "button", class: "opt", role, "aria-checked": "false", onclick: choose, ...attrs },
    h("span", { class: role === "radio" ? "box r" : "box", "aria-hidden": "true" }),
    key ? h("kbd", {}, key) : h("span", {}),
    h("span", {}, h("b", {}, title), " ", h("small", {}, detail)),
  );
}

function effectField(desk, edit) {
  const hints = { FN: "right answer marked wrong", FP: "wrong answer marked right", NEUTRAL: "cannot change a score", UNSURE: "not settled" };
  const options = desk.taxonomy.effects.map((effect) =>
    optionButton(
      desk, "checkbox", { "data-effect": effect.id, title: effect.definition },
      keyLabel(desk, effect.id.toLowerCase()), effect.id.length === 2 ? effect.id : effect.label, hints[effect.id] || "",
      () => edit((finding) => toggleEffect(finding, effect.id)),
    ),
  );
  return h("div", { class: "effects", role: "group", "aria-label": "Effect" }, options);
}

function severityField(desk, edit) {
  const words = desk.taxonomy.severities.map((row) =>
    h(
      "button",
      {
        type: "button", role: "radio", "aria-checked": "false", "data-severity": row.id, title: row.definition,
        onclick: () => edit((finding) => { finding.severity = finding.severity === Number(row.id) ? null : Number(row.id); }),
      },
      severityWords(row),
    ),
  );
  return h("div", { class: "seg", role: "radiogroup", "aria-label": "Severity" }, words);
}

function severityWords(row) {
  return row.label.startsWith(row.id) ? row.label : `${row.id} ${row.label.toLowerCase()}`;
}

function familyField(desk, choose) {
  const families = desk.taxonomy.families.map((family) =>
    h(
      "button",
      { type: "button", class: "fam", "aria-pressed": "false", "data-family": family.letter, onclick: () => choose(family.letter) },
      h("kbd", {}, keyLabel(desk, `family:${family.letter}`)),
      family.label,
    ),
  );
  return h("div", { role: "group", "aria-label": "Cause family" }, families);
}

function causeOptions(desk, family, edit) {
  return family.causes.map((cause, index) =>
    optionButton(
      desk, "radio", { "data-cause": cause.code, title: `${cause.definition}\nExample: ${cause.example}` },
      String(index + 1), cause.code, cause.label.toLowerCase(),
      () => edit((finding) => { finding.cause = finding.cause === cause.code ? null : cause.code; }),
    ),
  );
}

function secondaryField(desk, edit) {
  const boxes = desk.taxonomy.families.flatMap((family) =>
    family.causes.map((cause) =>
      h(
        "label", { title: cause.definition },
        h("input", {
          type: "checkbox", "data-also": cause.code,
          onchange: (event) => edit((finding) => {
            const others = finding.causes.filter((code) => code !== cause.code);
            finding.causes = event.target.checked ? [...others, cause.code] : others;
          }),
        }),
        ` ${cause.code} `, h("small", {}, cause.label.toLowerCase()),
      ),
    ),
  );
  return h("details", { class: "also" }, h("summary", {}, "Further causes: none"), h("div", { class: "also-list" }, boxes));
}

function stateField(desk, edit) {
  return h(
    "select",
    { class: "sel sm", "aria-label": "State of the finding", onchange: (event) => edit((finding) => { finding.state = event.target.value; }) },
    desk.taxonomy.states.map((row) => h("option", { value: row.id, title: row.definition }, row.label)),
  );
}

function textField(tag, label, props, write) {
  return h(tag, { "aria-label": label, spellcheck: "false", dir: "auto", oninput: (event) => write(event.target.value), ...props });
}
