// The task browser: server-escaped markup, links and a form that stay in the app, keys to move.

const PLACE_KEYS = { ArrowLeft: "previous", k: "previous", ArrowRight: "next", j: "next", Escape: "list" };

function createBrowser(parent) {
  const root = h("div", { class: "desk browse", tabindex: "-1" });
  parent.append(root);
  const browser = { parent, root, html: null, group: 0, isRaw: false, isKeyHidden: false };
  root.addEventListener("click", (event) => onBrowserClick(browser, event));
  root.addEventListener("submit", (event) => onSearch(browser, event));
  root.addEventListener("change", (event) => { if (event.target.matches("select")) event.target.form.requestSubmit(); });
  browser.onKey = (event) => onBrowserKey(browser, event);
  document.addEventListener("keydown", browser.onKey, true);
  for (const type of ["keydown", "keypress", "keyup"]) {
    root.addEventListener(type, (event) => { if (isEditable(event.composedPath()[0])) event.stopPropagation(); });
  }
  return browser;
}

// Goes where a link of this page leads, without loading the app anew.
function follow(browser, search) {
  browser.root.setAttribute("aria-busy", "true");
  browser.go(search);
}

function onBrowserClick(browser, event) {
  const control = event.target.closest("a[href], [data-do], [data-full], .group");
  if (!control) return;
  const isPlain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (control.matches("a[href^='?']")) {
    if (!isPlain) return;
    event.preventDefault();
    follow(browser, control.getAttribute("href"));
  } else if (control.hasAttribute("data-full")) follow(browser, browser.whole);
  else if (control.dataset.do) look(browser, control.dataset.do);
  else if (control.matches(".group")) chooseGroup(browser, Number(control.dataset.group), false);
}

function onSearch(browser, event) {
  event.preventDefault();
  const given = [...new FormData(event.target)].filter(([, value]) => value);
  follow(browser, `?${new URLSearchParams(given)}`);
}

function onBrowserKey(browser, event) {
  if (event.isComposing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.composedPath()[0];
  const isMine = browser.root.contains(target);
  if (isEditable(target)) {
    if (isMine && event.key === "Escape") target.blur();
    return;
  }
  if (!isMine && target !== document.body && target.closest && target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const search = browser.root.querySelector("input[type=search]");
  const place = browser.root.querySelector(`[data-place="${PLACE_KEYS[key]}"]`);
  const action = browser.actions[key];
  if (key === "/" && search) search.select();
  else if (place && place.hasAttribute("href")) place.click();
  else if (action) look(browser, action);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function look(browser, action) {
  if (action === "next_group") chooseGroup(browser, browser.group + 1, true);
  if (action === "raw") browser.isRaw = !browser.isRaw;
  if (action === "toggle_key") browser.isKeyHidden = !browser.isKeyHidden;
  paintLook(browser);
}

function paintLook(browser) {
  browser.root.classList.toggle("raw", browser.isRaw);
  browser.root.classList.toggle("nokey", browser.isKeyHidden);
  for (const control of browser.root.querySelectorAll('[data-do="raw"]')) press(control, browser.isRaw);
}

function chooseGroup(browser, index, moves) {
  const groups = [...browser.root.querySelectorAll(".group")];
  if (!groups.length) return;
  browser.group = index % groups.length;
  groups.forEach((group, number) => {
    if (number === browser.group) group.setAttribute("aria-current", "true");
    else group.removeAttribute("aria-current");
  });
  if (moves) groups[browser.group].scrollIntoView({ block: "nearest" });
}

function paintBrowser(browser, data) {
  const { root } = browser;
  root.classList.toggle("dark", data.dark);
  root.removeAttribute("aria-busy");
  browser.whole = data.whole;
  browser.actions = Object.fromEntries(data.keys.map((row) => [row.key, row.action]));
  if (browser.html === data.html) return;
  const wasSearching = root.querySelector("input[type=search]:focus");
  browser.html = data.html;
  root.replaceChildren(fragmentOf(data.html));
  for (const mark of root.querySelectorAll("kbd[data-key]")) {
    const binding = data.keys.find((row) => row.action === mark.dataset.key);
    mark.textContent = binding ? binding.label : "";
  }
  const start = root.querySelector("[data-start]");
  chooseGroup(browser, start ? Number(start.dataset.group) : 0, false);
  paintLook(browser);
  const search = root.querySelector("input[type=search]");
  if (wasSearching && search) {
    search.focus();
    search.setSelectionRange(search.value.length, search.value.length);
  } else (root.querySelector(".scroll") || root).focus({ preventScroll: true });
}

export default function taskBrowser({ data, parentElement, setTriggerValue }) {
  const browser = parentElement.assayBrowser || (parentElement.assayBrowser = createBrowser(parentElement));
  browser.go = (search) => setTriggerValue("go", search);
  paintBrowser(browser, data);
  return () => {
    document.removeEventListener("keydown", browser.onKey, true);
    browser.root.remove();
    delete parentElement.assayBrowser;
  };
}
