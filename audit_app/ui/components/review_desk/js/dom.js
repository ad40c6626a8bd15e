// Small helpers: nodes made of text only, ids, times.

function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// Server-rendered markup, in which every foreign text is escaped already.
function fragmentOf(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function clock(time) {
  return new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

function plural(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setValue(field, text) {
  if (field.value !== text) field.value = text;
}

function press(button, isPressed) {
  button.setAttribute("aria-pressed", isPressed ? "true" : "false");
}

const ON_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

function keyLabel(desk, action) {
  const binding = desk.keys.find((row) => row.action === action);
  const label = binding ? binding.label : "";
  return ON_MAC ? label.replace("Ctrl+", "⌘") : label;
}

function kbd(desk, action) {
  return h("kbd", { "data-key": action }, keyLabel(desk, action));
}

// Keys on controls, after they were mounted or the key map changed.
function labelKeys(desk, root) {
  for (const mark of root.querySelectorAll("kbd[data-key]")) setText(mark, keyLabel(desk, mark.dataset.key));
}

// Seconds as minutes and seconds: 0:42, 12:05.
function minutes(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function button(desk, action, label, props) {
  return h("button", { type: "button", class: "btn", "data-do": action, ...props }, kbd(desk, action), label);
}

function isEditable(node) {
  if (!node || !node.tagName) return false;
  if (node.isContentEditable || node.tagName === "TEXTAREA" || node.tagName === "SELECT") return true;
  return node.tagName === "INPUT" && !/^(checkbox|radio|button|submit|reset|range|color|file)$/.test(node.type);
}
