// Keys: one chord, one action. What belongs to Streamlit or to a text field stays there.

const IN_HELP = new Set(["help", "guide", "auto", "leave"]);

function chordOf(event) {
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey || (event.ctrlKey && event.metaKey)) return "";
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  let name = digit ? `Digit${digit[1]}` : event.code === "Space" ? "Space" : event.key;
  if (name === "Enter" || name.length > 1) return (mod ? "Mod+" : "") + (event.shiftKey ? "Shift+" : "") + name;
  const latin = /^Key([A-Z])$/.exec(event.code);
  if (latin && !/^[a-z]$/i.test(name)) [, name] = latin; // other alphabets: by position
  return (mod ? "Mod+" : "") + (event.shiftKey ? "Shift+" : "") + name.toLowerCase();
}

// While one desk takes the place of another (another person, another audit) both are mounted for a
// moment: keys are for the later one.
const MOUNTED = (window.assayDesks ||= []);

function takeKeys(desk) {
  MOUNTED.push(desk);
  desk.undoers.push(() => MOUNTED.splice(MOUNTED.indexOf(desk), 1));
}

function onKey(desk, event) {
  if (MOUNTED[MOUNTED.length - 1] !== desk) return;
  if (window.assayDesk !== desk || event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
  const target = event.composedPath()[0];
  const isTyping = isEditable(target) || isEditable(activeIn(desk));
  const isMine = desk.root.contains(target);
  if (!isMine && (isTyping || isElsewhere(target))) return;
  const chord = chordOf(event);
  if (!isTyping && desk.pending && /^Digit[1-9]$/.test(chord) && desk.refs.help.hidden) {
    take(event);
    if (!event.repeat) chooseCause(desk, Number(chord.slice(5)));
    return;
  }
  const binding = desk.keys.find((row) => row.chords.includes(chord));
  if (!binding || (isTyping && !binding.typing)) return;
  if (!desk.refs.help.hidden && !IN_HELP.has(binding.action)) return;
  if ((chord === "Space" || chord === "Enter") && isPressable(target)) return;
  take(event);
  const mayRepeat = ["previous", "next", "next_group"].includes(binding.action);
  if (event.repeat && !mayRepeat) return;
  if (desk.pending && !binding.action.startsWith("family:")) desk.pending = null;
  act(desk, binding.action);
}

function take(event) {
  event.preventDefault();
  event.stopPropagation();
}

// Streamlit's dialogs, menus and fields keep their keys; so do its controls for Space and Enter.
function isElsewhere(target) {
  if (!target || !target.closest) return false;
  return Boolean(target.closest('[role="dialog"], [role="menu"], [role="listbox"], [contenteditable="true"]'));
}

function isPressable(target) {
  return Boolean(target.closest && target.closest("button, summary, a, input, [role=tab]"));
}

function activeIn(desk) {
  const active = document.activeElement;
  return (active && active.shadowRoot && active.shadowRoot.activeElement) || active;
}

function focusDesk(desk, isArriving = false) {
  const active = activeIn(desk);
  const isOutside = active && active !== document.body && !desk.root.contains(active);
  if (isOutside && isEditable(active) && !isArriving) return;
  const pane = desk.refs.cols.querySelector(".scroll") || desk.root;
  pane.classList.add("quiet"); // the keys are for the desk: no frame around one pane
  pane.addEventListener("blur", () => pane.classList.remove("quiet"), { once: true });
  pane.focus({ preventScroll: true });
}
