// Above the strip: the judgement that is about to be settled, or the task that is about to be sent back.

function buildSettle(desk) {
  const s = desk.settle = {
    from: h("span", { class: "meta" }),
    words: h("b", { class: "readback" }),
    saved: h("span", { class: "meta", role: "status" }),
    clean: button(desk, "own_clean", "Clean", { class: "btn sm" }),
    defect: button(desk, "own_defect", "Defect", { class: "btn sm" }),
    reason: textField("textarea", "Reason", { class: "reason", rows: "2", "data-field": "reason", placeholder: "Why this one" }, (value) => changeForm(desk, (form) => { form.reason = value; })),
  };
  s.kinds = h("span", { class: "row", role: "group", "aria-label": "Own judgement" }, s.clean, s.defect);
  return h(
    "section", { class: "settle", "aria-label": "Settled judgement", hidden: true },
    h("div", { class: "ph" }, h("h2", {}, "Settled judgement"), s.words, s.from, h("span", { class: "sp" }), s.saved, s.kinds),
    h("div", { class: "because" }, h("label", { class: "lab2" }, "Reason"), s.reason),
  );
}

function buildSendBack(desk) {
  const b = desk.sendBack = {
    to: h("span", { class: "row", role: "radiogroup", "aria-label": "Send back to" }),
    reason: textField("textarea", "Reason for sending it back", { class: "reason", rows: "2", "data-field": "send", placeholder: "What to look at again" }, (value) => changeForm(desk, (form) => { form.sendReason = value; })),
    leave: h("button", { type: "button", class: "btn sm quiet", onclick: () => closeSendBack(desk) }, kbd(desk, "leave"), "Do not send back"),
  };
  return h(
    "section", { class: "settle", "aria-label": "Send back", hidden: true },
    h("div", { class: "ph" }, h("h2", {}, "Send back to"), b.to, h("span", { class: "sp" }), b.leave),
    h("div", { class: "because" }, h("span", { class: "lab2" }, "Reason"), b.reason,
      h("p", { class: "meta hint2" }, "The reviewer reads this before judging again. Say what to look at; do not say what the other found, or the second judgement is no longer independent.")),
  );
}

function changeForm(desk, change) {
  if (!desk.at) return;
  change(formOf(desk, desk.at));
  touch(desk);
}

function closeSendBack(desk) {
  desk.isSendingBack = false;
  paint(desk);
  focusDesk(desk);
}

function paintPanels(desk) {
  const form = desk.at ? formOf(desk, desk.at) : null;
  const choice = form ? choiceOf(desk, form) : "";
  const isReady = Boolean(form && desk.onScreen === desk.at && !desk.notice);
  desk.refs.sendBack.hidden = !isReady || !desk.isSendingBack;
  desk.refs.settle.hidden = !isReady || desk.isSendingBack || !choice;
  if (!desk.refs.settle.hidden) paintSettle(desk, form, choice);
  if (!desk.refs.sendBack.hidden) paintSendBack(desk, form);
  desk.root.classList.toggle("writing", Boolean(isReady && !desk.isSendingBack && form.on && form.shown));
}

function paintSettle(desk, form, choice) {
  const s = desk.settle;
  const isOwn = choice === OWN;
  const review = isOwn ? null : reviewOf(desk, choice);
  s.kinds.hidden = !isOwn;
  press(s.clean, isOwn && form.isClean);
  press(s.defect, isOwn && !form.isClean);
  setText(s.words, isOwn ? ownWords(form) : wordsOfReview(review));
  setText(s.from, isOwn ? fromWords(desk, form) : `as ${review.reviewer} has it`);
  s.reason.placeholder = isOwn ? "Why: it stands beside the judgement" : "Why this one (optional)";
  setValue(s.reason, form.reason || "");
  setText(s.saved, form.isClean || !isOwn ? draftWords(desk) : "");
}

function ownWords(form) {
  if (form.isClean) return "clean";
  return form.findings.some((finding) => finding.effects.length) ? wordsOf(form.findings) : "defect, no effect chosen yet";
}

function paintSendBack(desk, form) {
  const { to, reason } = desk.sendBack;
  const reviews = reviewsOf(desk);
  to.replaceChildren(...reviews.map((review, index) => {
    const option = h("button", { type: "button", class: "btn sm who-to", role: "radio", onclick: () => chooseAddressee(desk, review.id) }, kbd(desk, `take:${index + 1}`), h("bdi", {}, review.reviewer));
    check(option, review.id === form.sendTo);
    return option;
  }));
  setValue(reason, form.sendReason || "");
}

function chooseAddressee(desk, id) {
  changeForm(desk, (form) => { form.sendTo = id; });
  desk.sendBack.reason.focus();
}
