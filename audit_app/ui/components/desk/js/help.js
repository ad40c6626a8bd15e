// The help: all keys, and the definitions with examples. Where a key opens the definitions by
// themselves they are a part of their own, else both stand side by side.

function toggleHelp(desk, isOpen, part = "keys") {
  const { help } = desk.refs;
  const isOther = isOpen && !help.hidden && desk.helpPart !== part;
  if (isOpen === !help.hidden && !isOther) return;
  desk.helpPart = part;
  if (isOpen) help.replaceChildren(helpBody(desk, part));
  help.hidden = !isOpen;
  for (const region of desk.root.children) if (region !== help) region.inert = isOpen;
  if (isOpen) help.querySelector(".sheet-body").focus();
  else focusDesk(desk);
}

function helpBody(desk, part) {
  const isSplit = keyLabel(desk, "guide") !== "";
  const isGuide = isSplit && part === "guide";
  const title = !isSplit ? "Keys and definitions" : isGuide ? "Definitions" : "Keys";
  const turn = (action, label, isHere) => h("button", { type: "button", class: "btn sm", "data-do": action, "aria-pressed": isHere ? "true" : "false" }, kbd(desk, action), label);
  const columns = !isSplit ? [keySections(desk), scaleSections(desk), causeSections(desk)] : isGuide ? [scaleSections(desk), causeSections(desk)] : [keySections(desk)];
  return h(
    "div", { class: `sheet ${isSplit ? (isGuide ? "of-guide" : "of-keys") : "of-both"}`, role: "dialog", "aria-modal": "true", "aria-label": title },
    h("div", { class: "ph" }, h("h2", {}, title),
      isSplit ? h("span", { class: "row" }, turn("help", "Keys", !isGuide), turn("guide", "Definitions", isGuide)) : null,
      h("span", { class: "sp" }), desk.helpExtras ? desk.helpExtras() : null,
      h("button", { type: "button", class: "btn sm", onclick: () => toggleHelp(desk, false) }, kbd(desk, "leave"), "Close")),
    h("div", { class: "sheet-body", tabindex: "0", role: "region", "aria-label": title }, columns.map((sections) => h("section", {}, sections))),
  );
}

function keySections(desk) {
  const groups = [...new Set(desk.keys.map((row) => row.group))];
  return groups.map((group) => h("div", { class: "key-group" }, h("h3", {}, group), h("dl", { class: "keys" }, desk.keys.filter((row) => row.group === group)
    .map((row) => [h("dt", {}, kbd(desk, row.action)), h("dd", {}, row.text)]))));
}

function scaleSections(desk) {
  const define = (title, rows) => h("div", {}, h("h3", {}, title), h("dl", {}, rows.map((row) => [h("dt", {}, row.label), h("dd", {}, row.definition)])));
  return [
    define("Effect", desk.taxonomy.effects.map((row) => ({ ...row, label: row.id.length === 2 ? `${row.id}, ${row.label.toLowerCase()}` : row.label }))),
    define("Severity", desk.taxonomy.severities.map((row) => ({ ...row, label: severityWords(row) }))),
    define("State", desk.taxonomy.states),
  ];
}

function causeSections(desk) {
  return desk.taxonomy.families.map((family) => h("div", {}, h("h3", {}, `Cause: ${family.label}`), h("dl", {}, family.causes.map((cause) => [
    h("dt", {}, `${cause.code} ${cause.label}`),
    h("dd", {}, cause.definition, cause.example ? h("span", { class: "meta" }, ` Example: ${cause.example}`) : null, cause.effect ? h("span", { class: "meta" }, ` Mostly ${cause.effect}.`) : null),
  ]))));
}
