// Lines above the task: the filter, the first hints, and why a task came back.

const HINTS = [["clean", "clean"], ["fn", "false negative"], ["fp", "false positive"], ["skip", "skip"], ["help", "all keys"]];

function buildAbove(desk) {
  const r = desk.refs;
  r.hint = h(
    "div", { class: "hint-line", hidden: true },
    h("span", { class: "row" }, HINTS.map(([action, words]) => h("span", { class: "nw" }, kbd(desk, action), ` ${words}`))),
    h("span", { class: "sp" }),
    h("button", { type: "button", class: "btn sm quiet", "aria-label": "Hide these hints for good", onclick: () => endHints(desk) }, "Close"),
  );
  r.bannerText = h("span", { class: "banner-text", dir: "auto" });
  r.bannerTitle = h("b", {});
  r.banner = h("div", { class: "banner", role: "status", hidden: true }, r.bannerTitle, r.bannerText);
  return h("div", { class: "above" }, buildFilterBar(desk), r.hint, r.banner);
}

function paintAbove(desk) {
  const r = desk.refs;
  const item = desk.byId.get(desk.at);
  const late = item && hasLateWork(desk, item);
  r.banner.hidden = !(item && (item.returned || late));
  if (late) {
    setText(r.bannerTitle, item.state === "taken" ? "Handed out to another reviewer meanwhile." : "It got its last review meanwhile.");
    setText(r.bannerText, "What you wrote is kept; saving it is tried.");
  } else if (item && item.returned) {
    setText(r.bannerTitle, "Sent back to you:");
    setText(r.bannerText, item.returned);
  }
  r.hint.hidden = desk.hasHinted || tally(desk).judged > 0;
}

function hintName(desk) {
  return `assay:${desk.reviewer}:hinted`;
}

function recallHints(desk) {
  try {
    desk.hasHinted = localStorage.getItem(hintName(desk)) !== null;
  } catch {
    desk.hasHinted = true;
  }
}

function endHints(desk) {
  if (desk.hasHinted) return;
  desk.hasHinted = true;
  desk.refs.hint.hidden = true;
  try {
    localStorage.setItem(hintName(desk), "1");
  } catch {
    desk.memoryFails = true;
  }
}
