// What is being decided for one task: a review is taken, an own judgement written, or the task sent
// back. Plain data on the same form as a defect's; it is kept in this browser until it is settled.

const OWN = "own";
const NTH = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

function reviewsOf(desk) {
  const view = desk.views.get(desk.at);
  return view ? view.reviews : [];
}

function reviewOf(desk, id) {
  return reviewsOf(desk).find((review) => review.id === id) || null;
}

function nthOf(desk, id) {
  return NTH[reviewsOf(desk).findIndex((review) => review.id === id)] || "";
}

function wordsOfReview(review) {
  return review.judgement === "defect" ? wordsOf(review.findings) : review.judgement;
}

// The choice, none where the review that was chosen does not stand any more.
function choiceOf(desk, form) {
  if (!form.choice || form.choice === OWN) return form.choice || "";
  return reviewOf(desk, form.choice) ? form.choice : "";
}

function isWritingOwn(form) {
  return form.choice === OWN && form.isOwnStarted === true;
}

function isWorthHolding(form) {
  return Boolean(form.choice || form.reason || form.sendReason || (form.isOwnStarted && isWorthKeeping(form)));
}

function startOf(review) {
  const isClean = review.judgement !== "defect";
  return { isClean, findings: isClean ? [newFinding()] : review.findings.map(fromFinding), index: 0 };
}

function isChanged(desk, form) {
  const start = reviewOf(desk, form.start);
  if (!start) return form.findings.some(findingHasInput);
  const from = startOf(start);
  return form.isClean !== from.isClean || JSON.stringify(form.findings) !== JSON.stringify(from.findings);
}

// Own judgements begin as a copy of the review that is chosen, else of the first with a defect.
function beginOwn(desk, form) {
  const all = reviewsOf(desk);
  const chosen = reviewOf(desk, choiceOf(desk, form)) || (form.isOwnStarted ? null : all.find((one) => one.judgement === "defect") || all[0]);
  if (chosen && !(form.isOwnStarted && isChanged(desk, form))) Object.assign(form, startOf(chosen), { start: chosen.id });
  form.isOwnStarted = true;
  form.choice = OWN;
  form.on = !form.isClean;
  form.shown = form.on;
}

function setOwn(desk, form, isClean) {
  if (!isWritingOwn(form)) beginOwn(desk, form);
  form.isClean = isClean;
  form.on = !isClean;
  form.shown = form.on;
}

// Why the task cannot be settled as it stands, null where it can.
function settleProblem(desk, form) {
  const choice = choiceOf(desk, form);
  const item = desk.byId.get(desk.at);
  if (item.refused) return { text: item.refused };
  if (!choice) return { text: `Choose first: ${keyLabel(desk, "take:1")} takes the first review, ${keyLabel(desk, "own")} writes an own judgement.` };
  if (choice !== OWN) return null;
  const problem = form.isClean ? null : formProblem(form, desk);
  if (problem) return problem;
  return (form.reason || "").trim() ? null : { field: "reason", text: "Say in a few words why: the reason stands beside your own judgement." };
}

function fromWords(desk, form) {
  const nth = nthOf(desk, form.start);
  const from = nth ? `starts from the ${nth}` : "written new";
  return nth && isChanged(desk, form) ? `${from}, changed by hand` : from;
}
