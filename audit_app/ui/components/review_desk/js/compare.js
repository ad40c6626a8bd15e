// Models named by the filter, marked in the outputs and brought to the top: A first, then B.

function groupModels(group) {
  if (!group.assayModels) group.assayModels = new Set(JSON.parse(group.dataset.models || "[]"));
  return group.assayModels;
}

function markModels(desk) {
  const groups = groupsOf(desk);
  const { a, b, model } = desk.filter;
  const wanted = [["A", a], ["B", b], ["", model === a || model === b ? "" : model]].filter(([, name]) => name);
  const marked = JSON.stringify(wanted);
  const home = groups.length ? groups[0].parentElement : null;
  if (!home || (home.dataset.marked || "[]") === marked) return;
  home.dataset.marked = marked;
  const rankOf = (group) => {
    const rank = wanted.findIndex(([, name]) => groupModels(group).has(name));
    return rank < 0 ? wanted.length : rank;
  };
  for (const group of groups) {
    for (const old of group.querySelectorAll(".chips")) old.remove();
    const here = wanted.filter(([, name]) => groupModels(group).has(name));
    if (here.length) {
      group.querySelector(".gb").prepend(h("div", { class: "chips" }, here.map(([letter, name]) =>
        h("span", { class: "tag chip" }, letter ? h("b", {}, `${letter} `) : null, h("bdi", {}, name)))));
    }
  }
  const sorted = [...groups].sort((one, two) => rankOf(one) - rankOf(two) || one.dataset.group - two.dataset.group);
  home.prepend(...sorted);
}

// The next group as it stands on screen.
function nextGroup(desk) {
  const groups = groupsOf(desk);
  const here = groups.findIndex((group) => group.hasAttribute("aria-current"));
  if (groups.length) selectGroup(desk, Number(groups[(here + 1) % groups.length].dataset.group));
}
