// A panel of server-escaped markup in the flow of a page. Folds stay as the person left them while
// what they hold arrives; what asks for more goes back to the server.

function createPanel(parent) {
  const root = h("div", { class: "desk panel" });
  parent.append(root);
  const panel = { root, html: null, open: new Map() };
  root.addEventListener("click", (event) => {
    const control = event.target.closest("[data-ask], [data-full]");
    if (!control) return;
    const part = control.closest("[data-name]");
    panel.ask(control.dataset.ask || `full:${part ? part.dataset.name : ""}`);
  });
  root.addEventListener("toggle", (event) => {
    const name = event.target.dataset && event.target.dataset.fold;
    if (name) panel.open.set(name, event.target.open);
  }, true);
  return panel;
}

function paintPanel(panel, data) {
  if (panel.html === data.html) return;
  panel.html = data.html;
  const focused = panel.root.getRootNode().activeElement;
  const place = focused && focused.closest("[data-fold]");
  const scrolled = [...panel.root.querySelectorAll("[data-keep]")].map((part) => [part.dataset.keep, part.scrollTop]);
  panel.root.replaceChildren(fragmentOf(data.html));
  for (const fold of panel.root.querySelectorAll("details[data-fold]")) {
    if (panel.open.has(fold.dataset.fold)) fold.open = panel.open.get(fold.dataset.fold);
    if (place && fold.dataset.fold === place.dataset.fold) fold.querySelector("summary").focus({ preventScroll: true });
  }
  for (const [name, top] of scrolled) {
    const part = panel.root.querySelector(`[data-keep="${CSS.escape(name)}"]`);
    if (part) part.scrollTop = top;
  }
}

export default function confirmPanel({ data, parentElement, setTriggerValue }) {
  const panel = parentElement.assayPanel || (parentElement.assayPanel = createPanel(parentElement));
  panel.ask = (what) => setTriggerValue("ask", what);
  paintPanel(panel, data);
  return () => {
    panel.root.remove();
    delete parentElement.assayPanel;
  };
}
