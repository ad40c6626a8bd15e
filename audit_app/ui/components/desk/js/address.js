// The address bar: audit and task, and links that stay on the desk.

function taskInAddress() {
  return new URL(location.href).searchParams.get("task");
}

function placeInAddress(desk) {
  const url = new URL(location.href);
  url.searchParams.set("audit", desk.audit);
  if (desk.at) url.searchParams.set("task", desk.at);
  else url.searchParams.delete("task");
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

// Links to a task of this audit on this page (the rail's, for example) open in place.
function followLink(desk, event) {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const anchor = event.composedPath().find((node) => node.tagName === "A" && node.href);
  if (!anchor) return;
  const url = new URL(anchor.href);
  const task = url.searchParams.get("task");
  if (url.origin !== location.origin || url.pathname !== location.pathname || url.searchParams.get("audit") !== desk.audit || !desk.byId.has(task)) return;
  take(event);
  goTo(desk, task);
}

function sayUnknownTask(desk) {
  const wanted = taskInAddress();
  if (wanted && !desk.byId.has(wanted)) say(desk, `No task of this sample has the id “${wanted}” that the address names.`);
}
