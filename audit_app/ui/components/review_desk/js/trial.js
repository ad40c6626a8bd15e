// Proposed keys tried while they are typed. The server grades again and answers by number; what it
// says is shown only beside the very text that was asked about, and nothing waits for it.

const TRIAL_MS = 90;

// Asks, a moment after the last change, what the key that is being written would do.
function wantTrial(desk, text) {
  const wanted = `${desk.at}\n${text}`;
  if (desk.trialWanted === wanted) return;
  desk.trialWanted = wanted;
  clearTimeout(desk.trialTimer);
  desk.trialTimer = setTimeout(() => { if (desk.isMounted && proposedText(desk) === text) askTrial(desk, text, ""); }, TRIAL_MS);
}

function askTrial(desk, text, edit) {
  desk.trialCount += 1;
  desk.trialAsked = { n: desk.trialCount, task: desk.at, text, edit };
  send(desk);
}

function proposedText(desk) {
  const form = desk.at ? formOf(desk, desk.at) : null;
  if (!form || !form.on) return "";
  return currentFinding(form).proposed_key || "";
}

function takeTrial(desk, answer) {
  const asked = desk.trialAsked;
  if (!answer || !asked || answer.n !== asked.n || answer.task !== asked.task || answer.asked !== asked.text) return;
  desk.trialAsked = null;
  desk.trial = answer;
  if (answer.edited && !answer.error && answer.task === desk.at && proposedText(desk) === answer.asked) {
    desk.trialWanted = `${desk.at}\n${answer.text}`;
    editFinding(desk, (finding) => { finding.proposed_key = answer.text; });
  }
}

// The answer about this text, null while there is none.
function trialOf(desk, text) {
  const { trial } = desk;
  if (!trial || trial.task !== desk.at) return null;
  return trial.text === text || (trial.error && trial.asked === text) ? trial : null;
}

// An edit of the key that the selected group suggests, made in the proposed key.
function offerEdit(desk, edit) {
  editFinding(desk, () => {});
  const form = formOf(desk, desk.at);
  form.shown = true;
  paint(desk);
  const text = proposedText(desk);
  const problem = keyProblem(text);
  if (problem) return say(desk, `The proposed key cannot be edited yet. ${problem}`);
  return askTrial(desk, text, edit);
}

function paintTrial(desk, text, problem) {
  const { proposed, proposedSay } = desk.fields;
  const isGiven = text.trim() !== "";
  const trial = problem ? null : trialOf(desk, text);
  if (isGiven && !problem && !trial) wantTrial(desk, text);
  const error = problem || (trial ? trial.error : "");
  proposed.toggleAttribute("aria-invalid", Boolean(error));
  proposedSay.classList.toggle("bad", Boolean(error));
  const words = error || (trial ? `${trial.n}` : isGiven ? "waits" : "");
  if (proposedSay.dataset.shown === `${words}${text}`) return;
  proposedSay.dataset.shown = `${words}${text}`;
  if (error) proposedSay.replaceChildren(error);
  else if (trial) {
    proposedSay.replaceChildren(
      h("b", { class: "ok" }, "Valid."), ` ${trial.sentence}`,
      ...trial.flips.map((line) => h("span", { class: "flip", dir: "auto" }, line)),
    );
  } else proposedSay.replaceChildren(isGiven ? h("b", { class: "ok" }, "Valid JSON.") : "", isGiven ? " Grading again …" : "");
}
