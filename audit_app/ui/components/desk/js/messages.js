// What is said to the person: a line that goes by, alerts that stay, what is not saved yet.

function paintSync(desk) {
  const waiting = desk.log.filter((entry) => entry.action.kind !== "draft");
  const isLate = waiting.length > 0 && Date.now() - waiting[0].time > 2500;
  desk.refs.sync.hidden = !isLate && !desk.memoryFails;
  const late = isLate ? `${plural(waiting.length, "judgement")} not saved yet, trying again` : "";
  setText(desk.refs.sync, late || (desk.memoryFails ? "This browser cannot keep drafts" : ""));
}

function say(desk, text) {
  const line = desk.refs.say;
  setText(line, text);
  line.hidden = false;
  clearTimeout(desk.sayTimer);
  desk.sayTimer = setTimeout(() => { line.hidden = true; }, 7000);
}

function alertWords({ task, text }) {
  const said = text.replace(/^not saved: /i, "");
  return said.startsWith(task) ? said : `${task}: ${said}`;
}

function paintAlerts(desk) {
  const rows = desk.alerts.map((alert) => h(
    "div", { class: "alert" },
    h("b", {}, "! Not saved."), h("span", { class: "alert-text" }, alertWords(alert)),
    alert.task === desk.at ? null : h("button", { type: "button", class: "btn sm", onclick: () => goTo(desk, alert.task) }, "Go to it"),
    h("button", { type: "button", class: "btn sm", onclick: () => { desk.alerts = desk.alerts.filter((one) => one !== alert); paintAlerts(desk); } }, "Dismiss"),
  ));
  if (desk.notice) rows.unshift(h("div", { class: "alert quiet" }, h("span", {}, desk.notice)));
  desk.refs.alerts.replaceChildren(...rows);
}
