// What must survive a reload: actions without an answer, and drafts the server does not have yet.
// One entry each, so that two tabs never overwrite one another.

function memoryPrefix(desk) {
  return `assay:${desk.store}:${desk.reviewer}:`;
}

function remember(desk, name, value) {
  try {
    localStorage.setItem(memoryPrefix(desk) + name, JSON.stringify(value));
    desk.memoryFails = false;
  } catch {
    desk.memoryFails = true; // storage is full or forbidden: the server's answer still decides
  }
}

function forget(desk, name) {
  try {
    localStorage.removeItem(memoryPrefix(desk) + name);
  } catch {
    desk.memoryFails = true;
  }
}

function recall(desk, kind) {
  const found = [];
  try {
    const prefix = memoryPrefix(desk) + kind;
    for (let i = 0; i < localStorage.length; i += 1) {
      const name = localStorage.key(i);
      if (!name.startsWith(prefix)) continue;
      try {
        found.push([name.slice(prefix.length), JSON.parse(localStorage.getItem(name))]);
      } catch {
        localStorage.removeItem(name);
      }
    }
  } catch {
    desk.memoryFails = true;
  }
  return found;
}

function recallOne(desk, name) {
  try {
    return JSON.parse(localStorage.getItem(memoryPrefix(desk) + name));
  } catch {
    return null;
  }
}

function recallLog(desk) {
  const held = new Set(desk.log.map((entry) => entry.action.id));
  const rows = recall(desk, "action:").map(([, entry]) => entry);
  return rows
    .filter((entry) => entry && entry.action && !held.has(entry.action.id))
    .sort((a, b) => a.time - b.time);
}
