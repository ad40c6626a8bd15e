// Header, strip, and the panel that stands where there is no task to show.

function buildDesk(desk) {
  const r = desk.refs;
  r.title = h("h1", { class: "mono" });
  r.meta = h("span", { class: "meta" });
  r.standing = h("span", { class: "tag" });
  r.position = h("span", { class: "meta place" });
  r.sync = h("span", { class: "tag warn", role: "status", hidden: true });
  r.ids = h("datalist", { id: "assay-cases" });
  r.jump = h("input", { class: "in sm jump", placeholder: "Jump to id", "aria-label": "Jump to id", list: "assay-cases", spellcheck: "false", onkeydown: (event) => jumpOnEnter(desk, event) });
  r.overview = button(desk, "overview", "Overview", { class: "btn sm quiet" });
  r.accept = button(desk, "accept_identical", "", { class: "btn sm" });
  r.acceptWords = h("span", {});
  r.accept.append(r.acceptWords);
  r.cols = h("div", { class: "cols one" });
  r.settle = buildSettle(desk);
  r.sendBack = buildSendBack(desk);
  r.drawer = buildDrawer(desk);
  r.say = h("div", { class: "say-line", role: "status", hidden: true });
  r.alerts = h("div", { class: "alerts", role: "alert" });
  r.help = h("div", { class: "help", hidden: true });
  const step = (action, label, mark) => h("button", { type: "button", class: "btn sm quiet", "data-do": action, "aria-label": label, title: label }, h("kbd", {}, mark));
  desk.root.append(
    h("header", { class: "bar1" }, r.title, r.meta, r.standing, h("span", { class: "sp" }), r.sync, r.position,
      h("span", { class: "row" }, step("previous", "Previous case", "←"), step("next", "Next case", "→")), r.overview, r.accept, r.jump, r.ids),
    r.cols,
    h("footer", { class: "judge" }, r.say, r.sendBack, r.settle, r.drawer, buildStrip(desk)),
    r.alerts, r.help,
  );
}

function buildStrip(desk) {
  const r = desk.refs;
  r.takes = h("span", { class: "row", role: "group", "aria-label": "Take a review" });
  r.own = button(desk, "own", "Write own");
  r.send = button(desk, "send_back", "Send back", { class: "btn quiet" });
  r.settleNow = h("button", { type: "button", class: "btn primary", "data-do": "settle" }, kbd(desk, "settle"), h("span", {}, "Settle and next"));
  return h(
    "div", { class: "strip", role: "toolbar", "aria-label": "Adjudication" },
    r.takes, r.own, h("span", { class: "gap" }), r.send, button(desk, "skip", "Skip", { class: "btn quiet" }),
    button(desk, "undo", "Undo", { class: "btn quiet" }), h("span", { class: "spring" }), r.settleNow,
    button(desk, "help", "Help", { class: "btn quiet" }),
  );
}

function paint(desk) {
  paintHeader(desk);
  paintStrip(desk);
  paintPanels(desk);
  paintDrawer(desk);
  if (desk.isSendingBack) desk.refs.drawer.hidden = true;
  paintSync(desk);
}

function paintHeader(desk) {
  const r = desk.refs;
  const item = desk.byId.get(desk.at);
  const view = desk.views.get(desk.at);
  setText(r.title, desk.at || "Adjudicate");
  r.title.title = desk.at;
  const stratum = item ? desk.strata[item.stratum] || item.stratum : "";
  const category = view && view.category !== stratum ? `category ${view.category}` : "";
  setText(r.meta, [stratum, category].filter(Boolean).join(", "));
  setText(r.standing, item ? standingWords(desk, item) : "");
  r.standing.hidden = !r.standing.textContent;
  setText(r.position, positionWords(desk, item));
  press(r.overview, !desk.at);
  const ready = acceptable(desk).length;
  r.accept.hidden = !ready;
  r.accept.disabled = Boolean(desk.notice);
  setText(r.acceptWords, `Accept ${ready} identical`);
  paintIds(desk);
}

function standingWords(desk, item) {
  if (item.state === "settled") return `settled by ${item.by === desk.reviewer ? "you" : item.by}`;
  if (item.state === "returned") return "sent back, waiting";
  if (item.state === "waiting") return "waiting for reviews";
  if (item.state === "identical") return "identical";
  return item.refused ? "not yours to settle" : "";
}

function positionWords(desk, item) {
  const cases = casesOf(desk);
  const done = cases.filter((one) => one.state === "settled").length;
  const settled = done ? `, ${done} settled` : "";
  if (!item || !isCase(item)) return cases.length ? `${cases.length} differing${settled}` : "";
  return `Differing ${cases.indexOf(item) + 1} of ${cases.length}${settled}`;
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
  const choice = form ? choiceOf(desk, form) : "";
  const isReady = Boolean(desk.onScreen && desk.onScreen === desk.at && !desk.notice);
  const reviews = isReady ? reviewsOf(desk) : [];
  const isMine = Boolean(isReady && item && !item.refused && reviews.length > 1 && item.state !== "waiting");
  paintTakes(desk, reviews, choice, isMine);
  r.takes.hidden = desk.isSendingBack;
  r.own.hidden = desk.isSendingBack;
  press(r.own, choice === OWN);
  r.own.disabled = !isMine;
  r.send.disabled = !isMine;
  press(r.send, Boolean(desk.isSendingBack));
  r.settleNow.disabled = !isMine || (!choice && !desk.isSendingBack);
  setText(r.settleNow.lastChild, desk.isSendingBack ? "Send back and next" : "Settle and next");
  for (const control of desk.root.querySelectorAll('[data-do="undo"], [data-do="skip"]')) control.disabled = Boolean(desk.notice);
}

function paintTakes(desk, reviews, choice, isMine) {
  const { takes } = desk.refs;
  if (takes.children.length !== reviews.length) {
    const short = reviews.length > 3;
    takes.replaceChildren(...reviews.map((_, index) => button(desk, `take:${index + 1}`, short ? NTH[index] : `Take ${NTH[index]}`)));
  }
  reviews.forEach((review, index) => {
    const control = takes.children[index];
    control.title = `Take what ${review.reviewer} says: ${wordsOfReview(review)}`;
    control.disabled = !isMine;
    press(control, review.id === choice);
  });
}

const KINDS = [
  ["differs", "differing"], ["returned", "sent back and waiting"], ["waiting", "waiting for reviews"],
  ["identical", "identical, to be accepted"], ["settled", "settled"],
];

function endNode(desk) {
  const count = tally(desk);
  const counts = KINDS.filter(([state]) => count[state]).map(([state, words]) => `${count[state]} ${words}`);
  const list = (title, items) => items.length
    ? h("div", {}, h("h2", { class: "h" }, title), h("div", { class: "links-list" }, items.slice(0, 60).map((item) =>
        h("button", { type: "button", class: "btn sm", title: standingWords(desk, item), onclick: () => goTo(desk, item.id) }, h("bdi", {}, item.id))),
        items.length > 60 ? h("span", { class: "meta" }, `and ${items.length - 60} more`) : null))
    : null;
  const of = (state) => desk.queue.filter((item) => item.state === state);
  const node = h(
    "div", { class: "cols one" },
    h("div", { class: "end scroll", tabindex: "-1" },
      h("div", { role: "status" }, h("h2", { class: "big" }, headWords(desk, count)), counts.length ? h("p", { class: "meta" }, `${plural(count.total, "task")} judged: ${counts.join(", ")}.`) : null, desk.why ? h("p", { class: "meta" }, desk.why) : null),
      h("div", { class: "agreement", "data-agreement": "" }),
      h("div", { class: "agreement", "data-planted": "" }),
      list("Differing", desk.queue.filter(isOpen)),
      list("Differing, and not yours to settle", desk.queue.filter((item) => item.state === "differs" && item.refused)),
      list("Sent back", of("returned")),
      list("Identical", of("identical")),
      list("Settled", of("settled")),
    ),
  );
  paintAgreement(desk, node);
  node.querySelector("[data-planted]").replaceChildren(fragmentOf(desk.planted));
  return node;
}

function headWords(desk, count) {
  const open = desk.queue.filter(isOpen).length;
  if (desk.isOff || !count.total) return "Nothing to adjudicate.";
  if (open) return `${plural(open, "task")} to settle.`;
  if (count.settled === count.total) return `All ${count.total} tasks are settled.`;
  return count.identical && !count.waiting && !count.returned && !count.differs ? "Nothing differs." : "Nothing to settle now.";
}

function paintAgreement(desk, node) {
  const slot = node.querySelector("[data-agreement]");
  if (!slot || slot.dataset.shown === desk.agreement) return;
  slot.dataset.shown = desk.agreement;
  slot.replaceChildren(fragmentOf(desk.agreement));
}
