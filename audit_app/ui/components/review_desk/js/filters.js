// Filters: which tasks the reviewer moves among. They never change the sample or its figures, and
// know nothing but the reviewer's own work, the tasks and what models did.

const NO_FILTER = {
  text: "", stratum: "", category: "", state: "", tag: "", without: "", second: false, seconds: "",
  field: "", value: "", model: "", did: "w", a: "", b: "",
};

const STATE_WORDS = {
  open: "open", returned: "sent back to me", skipped: "skipped by me", judged: "judged by me", clean: "judged clean",
  defect: "judged a defect", taken: "with other reviewers", closed: "has all its reviews",
};

const DID_WORDS = { r: "right", w: "wrong", m: "mixed", "-": "no grade" };

function isJudged(item) {
  return item.state === "clean" || item.state === "defect";
}

// What the filter asks for, in words; empty where it asks for nothing.
function conditionsOf(desk, filter) {
  const words = [];
  const add = (isSet, text) => { if (isSet) words.push(text); };
  add(filter.text.trim(), `id has “${filter.text.trim()}”`);
  add(filter.stratum, `stratum ${desk.strata[filter.stratum] || filter.stratum}`);
  add(filter.category, `category ${filter.category}`);
  add(filter.state, STATE_WORDS[filter.state] || filter.state);
  add(filter.tag, `tagged ${filter.tag}`);
  add(filter.without, `not tagged ${filter.without}`);
  add(filter.second, "second look");
  add(Number(filter.seconds) > 0, `over ${Number(filter.seconds)} s`);
  add(filter.field && filter.value, `${filter.field} is ${filter.value}`);
  add(filter.model, `${filter.model} ${DID_WORDS[filter.did]}`);
  add(filter.a, `${filter.a} right`);
  add(filter.b, `${filter.b} wrong`);
  return words;
}

function isFiltered(desk) {
  return desk.conditions.length > 0;
}

function needsFacets(filter) {
  return Boolean(filter.model || filter.a || filter.b || (filter.field && filter.value));
}

// Whether models and fields are known for the queue as it is.
function hasFacets(desk) {
  return Boolean(desk.facets && desk.facets.tasks === desk.queue.length);
}

function outcomeOf(desk, model, place) {
  const found = desk.facets.byModel.get(model);
  return found ? found.did[place] : "-";
}

function fieldOf(desk, name, place) {
  const found = desk.facets.byField.get(name);
  return found ? found.values[found.rows[place]] : undefined;
}

function passesOwn(item, filter) {
  const { state } = filter;
  const wanted = filter.text.trim().toLowerCase();
  return (!wanted || item.id.toLowerCase().includes(wanted)) &&
    (!filter.stratum || item.stratum === filter.stratum) &&
    (!filter.category || item.category === filter.category) &&
    (!state || item.state === state || (state === "judged" && isJudged(item))) &&
    (!filter.tag || item.tags.includes(filter.tag)) &&
    (!filter.without || !item.tags.includes(filter.without)) &&
    (!filter.second || item.second) &&
    (!(Number(filter.seconds) > 0) || (item.seconds !== null && item.seconds > Number(filter.seconds)));
}

function passesFacets(desk, filter, place) {
  return (!filter.model || outcomeOf(desk, filter.model, place) === filter.did) &&
    (!filter.a || outcomeOf(desk, filter.a, place) === "r") &&
    (!filter.b || outcomeOf(desk, filter.b, place) === "w") &&
    (!filter.field || !filter.value || fieldOf(desk, filter.field, place) === filter.value);
}

// Whether the task at a place of the queue is one to move to. What models did counts once it is known.
function passes(desk, place) {
  if (!isFiltered(desk)) return true;
  const { filter } = desk;
  return passesOwn(desk.queue[place], filter) &&
    (!needsFacets(filter) || !hasFacets(desk) || passesFacets(desk, filter, place));
}

function setFilter(desk, filter) {
  desk.filter = { ...NO_FILTER, ...filter };
  desk.conditions = conditionsOf(desk, desk.filter);
  desk.version += 1;
  if (isFiltered(desk)) remember(desk, "filter", desk.filter);
  else forget(desk, "filter");
}

function recallFilter(desk) {
  const kept = recallOne(desk, "filter");
  const known = kept && typeof kept === "object" ? kept : {};
  setFilter(desk, Object.fromEntries(Object.entries(NO_FILTER).map(([name, none]) => [name, typeof known[name] === typeof none ? known[name] : none])));
}

function takeFacets(desk, data) {
  if (!data) return;
  desk.facets = {
    ...data,
    byModel: new Map(data.models.map((row) => [row.name, row])),
    byField: new Map(data.fields.map((row) => [row.name, row])),
  };
  desk.version += 1;
}
