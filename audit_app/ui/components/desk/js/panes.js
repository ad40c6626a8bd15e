// Task, key and outputs: server-escaped markup, mounted once a task and kept for the way back.

const KEPT_VIEWS = 64;
const KEPT_CHARS = 24e6;

function takeViews(desk, rows) {
  let isMissing = false;
  for (const row of rows) {
    const known = desk.views.get(row.id);
    if (known && known.digest === row.digest) continue;
    if (row.left === undefined) {
      isMissing = true;
      continue;
    }
    desk.full.delete(row.id);
    const scroll = known ? known.scroll : {};
    desk.views.set(row.id, { ...row, node: null, scroll, group: known ? known.group : null });
  }
  return isMissing;
}

function sizeOf(view) {
  return view.left.length + view.right.length;
}

// Forgets the oldest views that are not wanted now, once there are many or they are large.
function dropViews(desk, wanted) {
  let size = 0;
  for (const view of desk.views.values()) size += sizeOf(view);
  for (const [id, view] of desk.views) {
    if (desk.views.size <= KEPT_VIEWS && size <= KEPT_CHARS) return;
    if (id === desk.at || wanted.has(id)) continue;
    size -= sizeOf(view);
    desk.views.delete(id);
  }
}

function nodeOf(desk, view) {
  const prose = desk.isProse && view.prose;
  if (view.node && view.isProse === Boolean(prose)) return view.node;
  view.isProse = Boolean(prose);
  const left = h("section", { class: "pane left", "aria-label": "Task and key" });
  const right = h("section", { class: "pane right", "aria-label": "Model outputs" });
  left.append(fragmentOf(prose || view.left));
  right.append(fragmentOf(view.right));
  view.node = h("div", { class: view.wide ? "cols wide-left" : "cols" }, left, right);
  for (const mark of view.node.querySelectorAll("kbd[data-key]")) mark.textContent = keyLabel(desk, mark.dataset.key);
  return view.node;
}

// Builds the panes that will be wanted next while the reviewer reads.
function prepare(desk) {
  const later = window.requestIdleCallback || ((work) => setTimeout(work, 50));
  later(() => {
    const view = desk.views.get(nextOpen(desk, desk.at));
    if (view && desk.isMounted) nodeOf(desk, view);
  });
}

function show(desk) {
  const view = desk.at ? desk.views.get(desk.at) : null;
  const node = view ? nodeOf(desk, view) : desk.at ? loadingNode(desk) : endNode(desk);
  if (desk.refs.cols !== node) {
    desk.refs.cols.replaceWith(node);
    desk.refs.cols = node;
    desk.onScreen = view ? desk.at : null;
    if (view) restoreScroll(view);
  }
  if (view) {
    selectGroup(desk, startGroup(view), false);
    paintRaw(desk);
  }
}

function loadingNode(desk) {
  return h("div", { class: "cols one" }, h("p", { class: "quiet-note", role: "status" }, `Loading ${desk.at} …`));
}

function scrollers(view) {
  return view.node ? [...view.node.querySelectorAll(".scroll")] : [];
}

function keepScroll(desk) {
  const view = desk.views.get(desk.at);
  if (view && view.node) view.scroll = scrollers(view).map((pane) => pane.scrollTop);
}

function restoreScroll(view) {
  scrollers(view).forEach((pane, index) => { pane.scrollTop = view.scroll[index] || 0; });
}

function groupsOf(desk) {
  const view = desk.views.get(desk.at);
  return view && view.node ? [...view.node.querySelectorAll(".group")] : [];
}

// The group that was selected last, else the first one that does not simply pass.
function startGroup(view) {
  if (view.group !== null) return view.group;
  const start = view.node && view.node.querySelector("[data-start]");
  return start ? Number(start.dataset.group) : 0;
}

function selectGroup(desk, index, moves = true) {
  const groups = groupsOf(desk);
  const view = desk.views.get(desk.at);
  if (!groups.length || !view) return;
  view.group = ((index % groups.length) + groups.length) % groups.length;
  for (const group of groups) {
    const isHere = Number(group.dataset.group) === view.group;
    if (isHere) group.setAttribute("aria-current", "true");
    else group.removeAttribute("aria-current");
    if (isHere && moves) group.scrollIntoView({ block: "nearest" });
  }
}

function paintRaw(desk) {
  desk.root.classList.toggle("raw", desk.isRaw);
  desk.root.classList.toggle("nokey", desk.isKeyHidden);
  for (const control of desk.refs.cols.querySelectorAll('[data-do="raw"]')) press(control, desk.isRaw);
}
