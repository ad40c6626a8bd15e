// The bar of filters: built once, its choices filled from the queue and from what models did.

function buildFilterBar(desk) {
  const r = desk.refs;
  const f = desk.filterFields = {};
  const change = (name) => (event) => {
    applyFilter(desk, { ...desk.filter, [name]: event.target.type === "checkbox" ? event.target.checked : event.target.value });
    if (desk.isByPointer) focusDesk(desk, true); // the next key is for the desk, not for this list
  };
  const pick = (name, label) => (f[name] = h("select", { class: "sel sm", "aria-label": label, onchange: change(name) }));
  const write = (name, label, props) => (f[name] = h("input", {
    class: "in sm", "aria-label": label, spellcheck: "false", ...props,
    oninput: (event) => { clearTimeout(desk.filterTimer); const { value } = event.target; desk.filterTimer = setTimeout(() => applyFilter(desk, { ...desk.filter, [name]: value }), 250); },
  }));
  f.second = h("input", { type: "checkbox", onchange: change("second") });
  r.facetsSay = h("span", { class: "meta facets-say", role: "status" });
  r.filterBar = h(
    "div", { class: "filter-bar", role: "search", "aria-label": "Filter", hidden: true, onpointerdown: () => { desk.isByPointer = true; }, onkeydown: () => { desk.isByPointer = false; } },
    write("text", "Id contains", { placeholder: "Id contains", size: "12" }),
    pick("stratum", "Stratum"), pick("category", "Category"), pick("state", "State"), pick("tag", "Tagged by me"), pick("without", "Not tagged by me"),
    h("label", { class: "check" }, f.second, " second look"),
    h("label", { class: "check" }, "over ", write("seconds", "Judged in more than so many seconds", { type: "number", min: "0", step: "1", class: "in sm num" }), " s"),
    h("span", { class: "pair" }, pick("model", "Model"), pick("did", "How that model did")),
    h("span", { class: "pair" }, pick("a", "Model A, right"), pick("b", "Model B, wrong")),
    h("span", { class: "pair" }, pick("field", "Field of the task"), pick("value", "Value of that field")),
    r.facetsSay, h("span", { class: "sp" }),
    h("button", { type: "button", class: "btn sm", "data-do": "clear_filter" }, kbd(desk, "clear_filter"), "Clear"),
    h("button", { type: "button", class: "btn sm quiet", "data-do": "filter" }, kbd(desk, "filter"), "Close"),
  );
  return r.filterBar;
}

function fillChoices(select, none, rows, chosen) {
  const known = rows.some(([value]) => value === chosen);
  const all = [["", none], ...rows, ...(chosen && !known ? [[chosen, chosen]] : [])];
  const signature = JSON.stringify(all);
  if (select.dataset.filled !== signature) {
    select.dataset.filled = signature;
    select.replaceChildren(...all.map(([value, label]) => h("option", { value }, label)));
  }
  if (select.value !== chosen) select.value = chosen;
  select.classList.toggle("set", chosen !== "");
}

function distinct(desk, name) {
  return [...new Set(desk.queue.map((item) => item[name]))].filter(Boolean).map((value) => [value, name === "stratum" ? desk.strata[value] || value : value]);
}

function paintFilterBar(desk) {
  const { filterBar, facetsSay } = desk.refs;
  filterBar.hidden = !desk.isFiltering;
  if (!desk.isFiltering) return;
  const { filter, filterFields: f } = desk;
  fillChoices(f.stratum, "any stratum", distinct(desk, "stratum"), filter.stratum);
  fillChoices(f.category, "any category", distinct(desk, "category"), filter.category);
  fillChoices(f.state, "any state", Object.entries(STATE_WORDS), filter.state);
  const tags = [...new Set(desk.queue.flatMap((item) => item.tags))].sort().map((tag) => [tag, tag]);
  fillChoices(f.tag, "any tag", tags, filter.tag);
  fillChoices(f.without, "without tag", tags.map(([tag]) => [tag, `not ${tag}`]), filter.without);
  paintFacetChoices(desk, filter, f);
  f.second.checked = filter.second;
  for (const name of ["text", "seconds"]) if (f[name] !== activeIn(desk)) setValue(f[name], filter[name]);
  setText(facetsSay, facetsWords(desk));
}

function paintFacetChoices(desk, filter, f) {
  const models = hasFacets(desk) ? desk.facets.models.map((row) => [row.name, row.name]) : [];
  fillChoices(f.model, "any model", models, filter.model);
  const did = Object.entries(DID_WORDS);
  if (!f.did.children.length) f.did.replaceChildren(...did.map(([value, label]) => h("option", { value }, label)));
  f.did.value = filter.did;
  f.did.disabled = !filter.model;
  fillChoices(f.a, "A right", models.map(([name]) => [name, `A ${name} right`]), filter.a);
  fillChoices(f.b, "B wrong", models.map(([name]) => [name, `B ${name} wrong`]), filter.b);
  const fields = hasFacets(desk) ? desk.facets.fields : [];
  fillChoices(f.field, "any field", fields.map((row) => [row.name, row.name]), filter.field);
  const chosen = fields.find((row) => row.name === filter.field);
  fillChoices(f.value, "any value", chosen ? chosen.values.map((value) => [value, value]) : [], filter.value);
  f.field.parentElement.hidden = hasFacets(desk) && !fields.length;
  f.value.disabled = !filter.field;
}

// Where the outcomes of the chosen models are from.
function facetsWords(desk) {
  if (!hasFacets(desk)) return "Reading what the models did …";
  if (!desk.facets.models.length) return "No output is graded.";
  const { a, b, model } = desk.filter;
  const chosen = [model, a, b].filter(Boolean);
  const rows = desk.facets.models.filter((row) => !chosen.length || chosen.includes(row.name));
  return [...new Set(rows.map((row) => row.source))].join("; ");
}

// Takes up a filter and moves to its first task to judge, else its first task, where the one on
// screen is not in it.
function applyFilter(desk, filter) {
  setFilter(desk, filter);
  const { within } = tally(desk);
  const place = desk.at ? indexOf(desk, desk.at) : -1;
  const isInside = place >= 0 && passes(desk, place);
  const target = isInside || !isFiltered(desk) ? desk.at || nextOpen(desk, "") : nextOpen(desk, desk.at) || within[0] || desk.at;
  if (target !== desk.at) return goTo(desk, target, true);
  if (!desk.at) show(desk);
  markModels(desk);
  paint(desk);
  return send(desk);
}

function toggleFilterBar(desk) {
  desk.isFiltering = !desk.isFiltering;
  paint(desk);
  if (desk.isFiltering) {
    desk.filterFields.text.focus();
    if (!hasFacets(desk)) send(desk);
  } else focusDesk(desk);
}
