// The whole screen: header, lines above the task, panes, strip, messages, help.

function buildDesk(desk) {
  const r = desk.refs;
  r.title = h("h1", { class: "mono" });
  r.meta = h("span", { class: "meta" });
  r.standing = h("span", { class: "tag" });
  r.position = h("span", { class: "meta place" });
  r.time = h("span", { class: "meta time", role: "timer", "aria-label": "Time on this task", title: "Time on this task" });
  r.median = h("span", { class: "meta median", title: "Half of your judged tasks took less" });
  r.sync = h("span", { class: "tag warn", role: "status", hidden: true });
  r.auto = h("button", { type: "button", class: "btn sm", "data-do": "auto", hidden: true }, kbd(desk, "auto"), "Auto-advance off");
  r.ids = h("datalist", { id: "assay-ids" });
  r.jump = h("input", {
    class: "in sm jump", placeholder: "Jump to id", "aria-label": "Jump to id", list: "assay-ids", spellcheck: "false",
    oninput: () => fillIds(desk), onkeydown: (event) => jumpOnEnter(desk, event),
  });
  r.filterWords = h("span", {});
  r.filter = h("button", { type: "button", class: "btn sm", "data-do": "filter" }, kbd(desk, "filter"), r.filterWords);
  r.cols = h("div", { class: "cols one" });
  r.drawer = buildDrawer(desk);
  r.say = h("div", { class: "say-line", role: "status", hidden: true });
  r.alerts = h("div", { class: "alerts", role: "alert" });
  r.help = h("div", { class: "help", hidden: true });
  const step = (action, label) => h("button", { type: "button", class: "btn sm quiet", "data-do": action, "aria-label": label, title: label }, kbd(desk, action));
  desk.root.append(
    h("div", { class: "top" }, h("header", { class: "bar1" }, r.title, r.meta, r.standing, h("span", { class: "sp" }), r.sync, r.auto,
      h("span", { class: "row times" }, r.median, r.time), r.position,
      h("span", { class: "row steps" }, step("previous", "Previous task"), step("next", "Next task")),
      h("span", { class: "row" }, h("label", { class: "row", "aria-hidden": "true" }, kbd(desk, "jump")), r.jump, r.ids), r.filter), buildAbove(desk)),
    r.cols,
    h("footer", { class: "judge" }, r.say, r.drawer, buildStrip(desk)),
    r.alerts, r.help,
  );
  desk.helpExtras = () => {
    const toggle = h("button", { type: "button", class: "btn sm", "data-do": "auto" }, kbd(desk, "auto"), "Auto-advance");
    press(toggle, desk.isAuto);
    return toggle;
  };
}

function paint(desk) {
  paintHeader(desk);
  paintAbove(desk);
  paintFilterBar(desk);
  paintStrip(desk);
  paintDrawer(desk);
  paintSync(desk);
}

function paintHeader(desk) {
  const r = desk.refs;
  const item = desk.byId.get(desk.at);
  setText(r.title, desk.at || "Review");
  r.title.title = desk.at;
  const stratum = item ? desk.strata[item.stratum] || item.stratum : "";
  const category = item && item.category !== stratum && item.category ? `category ${item.category}` : "";
  setText(r.meta, [stratum, category].filter(Boolean).join(", "));
  const standing = item ? standingWords(item) : "";
  r.standing.hidden = !standing;
  setText(r.standing, standing);
  setText(r.position, positionWords(desk));
  r.position.title = isFiltered(desk) ? desk.conditions.join(", ") : "";
  r.auto.hidden = desk.isAuto;
  press(r.filter, isFiltered(desk));
  setText(r.filterWords, isFiltered(desk) ? `Filter: ${desk.conditions.length === 1 ? desk.conditions[0] : `${desk.conditions.length} conditions`}` : "Filter");
  r.filter.title = desk.conditions.join(", ");
  r.filter.setAttribute("aria-expanded", desk.isFiltering ? "true" : "false");
  paintClock(desk);
}

const STANDING_WORDS = { skipped: "skipped", returned: "sent back", taken: "with another reviewer", closed: "has all its reviews" };

function standingWords(item) {
  const time = item.seconds === null ? "" : ` in ${minutes(item.seconds)}`;
  const judged = item.review ? `judged ${item.words}${time}` : "";
  return [judged, STANDING_WORDS[item.state] || "", item.second ? "second look" : ""].filter(Boolean).join(", ");
}

function positionWords(desk) {
  const count = tally(desk);
  if (isFiltered(desk)) {
    const place = count.within.indexOf(desk.at) + 1;
    return `${place ? `${place} of ` : ""}${count.within.length} in this filter, ${count.total} in the sample`;
  }
  return desk.at ? `Task ${indexOf(desk, desk.at) + 1} of ${count.total}, ${count.judged} judged` : `${count.judged} of ${count.total} judged`;
}

// Ids to choose from, once something is typed: thousands of them would make every key wait.
function fillIds(desk) {
  const { ids, jump } = desk.refs;
  ids.replaceChildren(...search(desk, jump.value).slice(0, 50).map((item) => h("option", { value: item.id })));
}
