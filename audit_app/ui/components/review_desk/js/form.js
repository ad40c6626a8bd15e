// The judgement being written for one task: plain data, changed by small functions.

function newFinding() {
  return { effects: [], cause: null, causes: [], severity: 2, state: "confirmed", note: "", evidence: "", proposed_key: null };
}

function blankForm(base) {
  return { on: false, shown: false, index: 0, note: "", findings: [newFinding()], base, time: 0 };
}

function fromFinding(finding) {
  return { ...newFinding(), ...finding, causes: [...(finding.causes || [])], evidence: (finding.evidence || []).join("\n") };
}

function toFinding(finding) {
  const key = finding.proposed_key && finding.proposed_key.trim() ? finding.proposed_key : null;
  return { ...finding, evidence: linesOf(finding.evidence), proposed_key: key };
}

function linesOf(text) {
  return text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
}

function formOfFindings(findings, base) {
  return { ...blankForm(base), on: true, shown: true, findings: findings.map(fromFinding) };
}

function findingHasInput(finding) {
  return Boolean(
    finding.effects.length || finding.cause || finding.causes.length || finding.note || finding.evidence ||
    finding.proposed_key !== null || finding.severity !== 2 || finding.state !== "confirmed",
  );
}

function hasDefectInput(form) {
  return form.on && (form.findings.length > 1 || form.findings.some(findingHasInput));
}

function isWorthKeeping(form) {
  return form.on || form.note !== "" || form.findings.some(findingHasInput);
}

function toggleEffect(finding, effect) {
  const had = finding.effects.includes(effect);
  if (had) finding.effects = finding.effects.filter((one) => one !== effect);
  else if (effect === "FN" || effect === "FP") {
    finding.effects = [...finding.effects.filter((one) => one === "FN" || one === "FP"), effect];
  } else finding.effects = [effect];
  finding.effects.sort();
}

function markStale(finding) {
  if (finding.cause === "K2") {
    finding.cause = null;
    return;
  }
  finding.cause = "K2";
  if (!finding.effects.includes("FP")) finding.effects = ["FN"];
}

function wordsOfFinding(finding) {
  const parts = [...finding.effects];
  if (finding.cause) parts.push(finding.cause);
  if (finding.severity !== null) parts.push(`severity ${finding.severity}`);
  return parts.join(", ");
}

function wordsOf(findings) {
  const more = findings.length - 1;
  return wordsOfFinding(findings[0]) + (more > 0 ? `, ${more} more` : "");
}

const JSON_TOKEN = /\s*([{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

// Index of the first character that no JSON text could have there.
function jsonErrorAt(text) {
  const open = [];
  let wants = "value"; // value, first (value or end), key, firstKey, colon, or end (comma or close)
  for (JSON_TOKEN.lastIndex = 0; ; ) {
    const from = JSON_TOKEN.lastIndex;
    const found = JSON_TOKEN.exec(text);
    const at = from + /^\s*/.exec(text.slice(from))[0].length;
    if (!found) return at;
    const token = found[1];
    const isKey = wants === "key" || wants === "firstKey";
    const closes = (token === "]" && open.at(-1) === "[" && (wants === "first" || wants === "end")) ||
      (token === "}" && open.at(-1) === "{" && (wants === "firstKey" || wants === "end"));
    if (closes) {
      open.pop();
      wants = "end";
    } else if (isKey && token[0] === '"') wants = "colon";
    else if (wants === "colon" && token === ":") wants = "value";
    else if (wants === "end" && token === "," && open.length) wants = open.at(-1) === "{" ? "key" : "value";
    else if ((wants === "value" || wants === "first") && !"}],:".includes(token)) {
      if (token === "{" || token === "[") open.push(token);
      wants = token === "{" ? "firstKey" : token === "[" ? "first" : "end";
    } else return at;
  }
}

// Why the proposed key cannot be saved as it stands, with the place; empty where it can.
function keyProblem(text) {
  if (text === null || !text.trim()) return "";
  try {
    JSON.parse(text);
    return "";
  } catch {
    const before = text.slice(0, jsonErrorAt(text)).split("\n");
    return `Not valid JSON at line ${before.length}, column ${before[before.length - 1].length + 1}.`;
  }
}

function linkProblem(text) {
  const rows = text.split(/\r?\n/);
  const bad = rows.findIndex((row) => row.trim() && !/^https?:\/\/\S+$/.test(row.trim()));
  return bad < 0 ? "" : `Line ${bad + 1} is not a link that begins with https:// or http://.`;
}

// The first reason not to save the findings, with where it is; null where there is none. With the
// desk given it names the keys.
function formProblem(form, desk = null) {
  const by = (action, plain) => (desk && keyLabel(desk, action)) || plain;
  for (const [index, finding] of form.findings.entries()) {
    const where = form.findings.length > 1 ? `Finding ${index + 1}: ` : "";
    if (!finding.effects.length) return { index, field: "effect", text: `${where}choose an effect first: ${by("fn", "1")} for FN, ${by("fp", "2")} for FP.` };
    const link = linkProblem(finding.evidence);
    if (link) return { index, field: "evidence", text: where + link };
    const key = keyProblem(finding.proposed_key);
    if (key) return { index, field: "proposed", text: `${where}the proposed key is not saved yet. ${key}` };
  }
  return null;
}

// The form of a task: what is being written, else a draft, else a blank one.
function formOf(desk, task) {
  if (!desk.forms.has(task)) desk.forms.set(task, restoredForm(desk, task));
  return desk.forms.get(task);
}

function restoredForm(desk, task) {
  const item = desk.byId.get(task);
  const base = item ? item.review : null;
  const drafts = [desk.localDrafts.get(task), desk.drafts[task]].filter((draft) => isDraft(draft, item));
  const newest = drafts.sort((a, b) => b.time - a.time)[0];
  if (newest) return { ...blankForm(base), ...newest };
  const form = blankForm(base);
  const review = desk.reviews[task];
  if (review && review.id === base && review.judgement === "clean") form.note = review.note;
  return form;
}

// A draft counts unless a judgement was made after it was written.
function isDraft(draft, item) {
  if (!draft || !Array.isArray(draft.findings) || !draft.findings.length) return false;
  const base = item ? item.review : null;
  return draft.base === base || !item.at || draft.time > Date.parse(item.at);
}
