// What goes to the server and what the page is: messages by number, the theme.

function tick(desk) {
  const isElsewhere = (new URL(location.href).searchParams.get("audit") || desk.audit) !== desk.audit;
  if (isElsewhere) return; // another audit is on its way: its run is not to be interrupted
  if ((desk.log.length || desk.trialAsked) && Date.now() - desk.lastSent > 4000) send(desk);
  else if (desk.isWaiting && desk.isWaiting()) send(desk);
  paintSync(desk);
}

// Everything without an answer goes with every message, so none depends on an earlier one. One is
// under way at a time: a second would interrupt the run that is about to answer the first.
function send(desk) {
  if (desk.isSending) return;
  desk.isSending = true;
  queueMicrotask(() => {
    desk.isSending = false;
    if (!desk.isMounted) return;
    desk.isWanted = desk.answered < desk.count && Date.now() - desk.lastSent < ANSWER_MS;
    clearTimeout(desk.sendTimer);
    if (desk.isWanted) {
      desk.sendTimer = setTimeout(() => send(desk), ANSWER_MS);
      return;
    }
    desk.count += 1;
    desk.lastSent = Date.now();
    desk.set({ ...messageOf(desk), ...(desk.alsoSends ? desk.alsoSends() : {}) });
  });
}

function messageOf(desk) {
  const have = Object.fromEntries([...desk.views].map(([id, view]) => [id, view.digest]));
  return { count: desk.count, at: desk.at, have, full: [...desk.full], regrade: desk.trialAsked, log: desk.log.map((entry) => entry.action) };
}

// The desk that was answered last is the one on the page. Another that Streamlit has not taken off
// yet, of the page or audit left just now, goes from the screen and gets no key.
function claimPage(desk) {
  if (window.assayDesk && window.assayDesk !== desk) window.assayDesk.root.remove();
  if (!desk.root.isConnected) desk.parent.append(desk.root);
  window.assayDesk = desk;
}

function theme(desk) {
  claimPage(desk);
  const style = getComputedStyle(desk.root);
  const probe = style.getPropertyValue("--st-background-color").trim();
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(probe);
  const isDark = parts ? parts.slice(1).reduce((sum, part) => sum + parseInt(part, 16), 0) < 382 : matchMedia("(prefers-color-scheme: dark)").matches;
  desk.root.classList.toggle("dark", isDark);
}
