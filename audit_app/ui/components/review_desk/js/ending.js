// What is left, where no task is on screen: nothing is said to be done that is not.

function endHead(desk, count) {
  const here = count.open + count.returned - count.openOutside;
  if (!count.total) return "No task has been drawn yet.";
  if (here) return `${plural(here, "task")} still open.`;
  if (count.openOutside) return `Nothing is left in this filter; ${plural(count.openOutside, "open task")} outside it.`;
  if (count.judged === count.total) return `All ${count.total} tasks are judged.`;
  if (count.skipped) return "No open task is left, but not all are judged.";
  if (count.taken) return `Nothing is left for you now: ${plural(count.taken, "task")} with other reviewers.`;
  return "Nothing is left: every task has its reviews.";
}

function endDetail(desk, count) {
  if (count.taken && !count.skipped) return "They come back here if they are not judged in time; this page notices by itself.";
  if (count.waiting) return `${plural(count.waiting, "task")} will be handed out to you as others finish.`;
  return "";
}

// Every count with a way to its tasks.
function endCounts(desk, count) {
  const rows = [
    [count.judged, "judged by you", "judged"], [count.open, "open", "open"], [count.returned, "sent back to you", "returned"],
    [count.skipped, "skipped by you", "skipped"], [count.taken, "with other reviewers", "taken"], [count.closed, "closed, with all reviews", "closed"],
  ];
  const links = rows.filter(([number]) => number).map(([number, words, state]) =>
    h("button", { type: "button", class: "btn sm", onclick: () => applyFilter(desk, { ...NO_FILTER, state }) }, h("b", {}, String(number)), words));
  if (isFiltered(desk)) {
    links.push(h("button", { type: "button", class: "btn sm", "data-do": "clear_filter" }, kbd(desk, "clear_filter"), `Clear the filter: ${count.total - count.within.length} filtered out`));
  }
  return h("div", { class: "links-list plain" }, links);
}

function endNode(desk) {
  const count = tally(desk);
  const list = (title, test) => {
    const items = desk.queue.filter((item, place) => test(item) && passes(desk, place));
    if (!items.length) return null;
    return h("div", {}, h("h2", { class: "h" }, title), h("div", { class: "links-list" }, items.slice(0, 40).map((item) =>
      h("button", { type: "button", class: "btn sm", onclick: () => goTo(desk, item.id) }, item.id)), items.length > 40 ? h("span", { class: "meta" }, `and ${items.length - 40} more`) : null));
  };
  const also = [[count.returned, "sent back"], [count.taken, "with other reviewers"], [count.closed, "closed"]].filter(([number]) => number).map(([number, words]) => `, ${number} ${words}`);
  return h(
    "div", { class: "cols one" },
    h("div", { class: "end", role: "status" },
      h("h2", { class: "big" }, endHead(desk, count)),
      h("p", { class: "meta" }, `${count.judged} of ${count.total} judged, ${count.open} open, ${count.skipped} skipped${also.join("")}.`),
      h("p", { class: "meta" }, endDetail(desk, count)),
      endCounts(desk, count),
      list("Sent back to you", (item) => item.state === "returned"),
      list("Open", (item) => item.state === "open"),
      list("Skipped", (item) => item.state === "skipped"),
      list("Marked for a second look", (item) => item.second),
    ),
  );
}
