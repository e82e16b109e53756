/* The controls of a comparison. Everything follows them, and the address keeps their state. */

const IN_ADDRESS = ["by", "target", "budget", "most", "gb", "hour"];

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1));
  for (const key of IN_ADDRESS)
    if (found.has(key))
      state[key] = found.get(key);
  const environment = page.environments.indexOf(found.get("under"));
  state.environment = environment >= 0 ? environment : 0;
}

function writeAddress() {
  const kept = new URLSearchParams();
  if (state.environment > 0)
    kept.set("under", page.environments[state.environment]);
  for (const key of IN_ADDRESS)
    if (state[key] !== USUAL[key])
      kept.set(key, state[key]);
  const text = kept.toString();
  if (text !== location.hash.slice(1))
    history.replaceState(null, "", text ? `#${text}` : "#");
}

function controls(update) {
  const field = (id, label, control) => el("div", {}, el("label", {for: id}, label), control);
  const set = (key, convert = (value) => value) => (event) => { state[key] = convert(event.currentTarget.value); update(); };
  const select = (id, key, options, convert) => {
    const element = el("select", {id, onchange: set(key, convert)}, options.map(([value, text]) => el("option", {value}, text)));
    element.value = String(state[key]);
    return element;
  };
  const input = (id, key, hint, kind = "") => {
    const element = el("input", {id, type: "text", placeholder: hint, autocomplete: "off", class: kind, onchange: set(key)});
    element.value = state[key];
    return element;
  };
  const measured = page.entries[0].records !== undefined, needing = {budget: "best within the budget", money: "money to target (needs a price)", spent: "money of the whole run (needs a price)"};
  const listed = Object.keys(MEASURES).filter((key) => key === "spent" || (["budget", "money"].includes(key) ? measured : available(key)));
  return el("form", {class: "controls", "aria-label": "What is shown", onsubmit: (event) => event.preventDefault()},
    page.across ? null : field("under", "Environment", select("under", "environment", page.environments.map((name, i) => [i, environmentName(i)]), Number)),
    field("by", "Rank by", select("by", "by", [["auto", "automatic"], ...listed.map((key) => [key, needing[key] || MEASURES[key].title()])])),
    measured ? field("target", `Target (${page.entries[0].column})`, input("target", "target", page.target ? "from scenario" : "none")) : null,
    measured ? field("budget", "Best within a budget of", select("budget", "budget", [["none", "no budget"], ["time", "time since the run's start"], ["bytes", "bytes, of all clients, down and up"], ["money", "money"]])) : null,
    measured ? field("most", "at most", input("most", "most", "10 min, 50 MB")) : null,
    el("div", {class: "together"}, field("gb", "Price of a GB", input("gb", "gb", "none", "short")), field("hour", "of a server's hour", input("hour", "hour", "none", "short"))));
}

/* The first few; the others folded. */
function warningsOf(texts) {
  const paragraph = (text) => el("p", {class: "warning", role: "note"}, text);
  return [...texts.slice(0, 4).map(paragraph), ...(texts.length > 4 ? [folded(`${texts.length - 4} more like these`, texts.slice(4).map(paragraph))] : [])];
}

function comparisonPage(held) {
  const data = unpacked(held);
  page = data;
  names = entryNames(data);
  const designs = Math.max(...data.environments.map((_, k) => data.entries.filter((entry) => entry.environment === k).length));
  if (data.answer)
    return searchPage(data);
  if (isAboutAssumptions(data, designs))
    return sensitivityPage(data);
  const compared = data.across ? `${data.entries.length} side by side` : data.entries.length === 1 ? names[0] : `${designs} compared`;
  document.title = `${compared}: fedrecsim report`;
  readAddress();
  const below = el("p", {class: "warning", id: "below", role: "note"}, belowPopularity());
  below.hidden = !below.textContent;
  const answer = el("p", {class: "answer", id: "answer", "aria-live": "polite"}), here = el("p", {id: "now"}), target = el("p", {class: "soft", id: "target-said"}),
    note = el("p", {class: "warning", id: "hint", role: "note"}), head = el("div", {id: "head"}), parts = {};
  const part = (key, title, lead) => { parts[key] = el("div", {id: `part-${key}`}); return section(title, lead, parts[key]); };
  const update = () => {
    writeAddress();
    const races = rankAll(measureOf), race = races[state.environment], rows = race.rows;
    head.replaceChildren(hasHead() ? headTable() : "");
    answer.textContent = isAsPlanned() ? data.headline : sentenceOfAll(races);
    answer.className = hasHead() ? "told" : "answer";
    here.textContent = sentenceOf(race, state.environment);
    target.textContent = targetText() + (hasPrice() ? MONEY_COUNTS : "") + (state.budget === "none" ? "" : BUDGET_COUNTS[state.budget]);
    note.textContent = hint();
    note.hidden = !note.textContent;
    const drawn = {ranking: rankedTable(race), swept: sweptSection(), curves: curveCharts(race), front: paretoFront(race), map: winnersMap(races), time: timeSection(rows),
      bytes: bytesSection(rows), clients: leftOutSection(rows), formula: formulaSection(rows), settings: settingsSection(rows)};
    for (const [key, element] of Object.entries(drawn).filter(([key]) => parts[key]))
      parts[key].replaceChildren(element);
    drawCharts();
  };
  const build = () => controls(update);
  let form = build();
  document.getElementById("main").replaceChildren(...[el("h1", {}, `${compared}${data.environments.length > 1 ? ` under ${data.environments.length} environments` : ""}`),
    sensitivities(data), head, data.across ? null : decidedList(data.decided), answer, data.across ? decidedList(data.decided) : null, below, helpsBrief(), factsOf(), warningsOf(data.warnings), form, note, target,
    section(data.across ? "Side by side" : "Ranking", "Each is compared with the first one, by differences of runs with the same seed: it is “behind” where the difference is beyond chance, and “tied” where it is not. The chance that any such verdict on this page is wrong is at most 5 %.",
      here, parts.ranking = el("div", {id: "part-ranking"})),
    data.across ? part("settings", "Settings in which they differ") : null,
    variedAxes().length ? part("swept", "Against what was varied", "Means over the replicates; bands are 95 % intervals.") : null,
    part("curves", "Quality against time and bytes"),
    data.across ? null : part("front", "Pareto front"),
    data.across ? null : part("map", "Who wins where"),
    part("time", "Where the time went", "Sums of the rounds' critical paths: shares of the time, not what would be saved."),
    part("bytes", "Bytes and waste"),
    part("clients", "Results by group (fairness)"),
    part("formula", "A round by the usual formula, and as simulated", "Papers often take the time of a round from a formula without queues, losses or stragglers (a closed form). Where the ratio is far from 1, the formula leaves something out that matters here."),
    data.across ? null : part("settings", "Settings in which they differ"),
    section("What this is about", null, provenanceSection())].flat().filter(Boolean));
  update();
  addEventListener("hashchange", () => {
    Object.assign(state, USUAL);
    readAddress();
    const anew = build();
    form.replaceWith(anew);
    form = anew;
    update();
  });
  footer(data, "fedrecsim report DIR...");
}
