/* The page of one run. */

function runCards(data) {
  const s = data.summary, cards = [], target = data.target, quality = data.quality;
  if (quality && s.metrics[quality] !== undefined) {
    const baselines = Object.entries(s.non_federated || {}).filter(([, value]) => value[quality] !== undefined);
    cards.push(card(`${quality}, test items`, present(s.metrics[quality], "quality"),
      baselines.map(([name, value]) => `${name} ${present(value[quality], "quality")}`).join(", "), s.metrics[quality]));
  }
  if (target) {
    const time = number(target.time_s);
    if (!Number.isNaN(time))
      cards.push(card("Time to target", Number.isFinite(time) ? present(time, "time") : "not reached",
        Number.isFinite(time) ? `round ${target.round}, ${present(number(target.bytes), "bytes")}` : target.text, time));
  }
  const peers = s.peers || {bytes: 0, wasted_bytes: 0}, bytes = s.bytes.down + s.bytes.up + peers.bytes, connecting = s.bytes.setup_down + s.bytes.setup_up, edges = (s.bytes.edge_down || 0) + (s.bytes.edge_up || 0), all = bytes + connecting + edges, parts = pathOf(s.critical_path), bound = bindingOf(parts, s.critical_path.server_link_s, s.idle || {clients_s: s.idle_s});
  cards.push(card("Simulated time", present(s.simulated_s, "time"), `${s.rounds} rounds`, s.simulated_s));
  cards.push(card("Sent", present(all, "bytes"), `${present(s.bytes.down + s.bytes.setup_down, "bytes")} down, ${present(s.bytes.up + s.bytes.setup_up, "bytes")} up${
    s.peers ? `, ${present(peers.bytes, "bytes")} between clients` : ""}${
    edges > 0 ? `, ${present(edges, "bytes")} between edges and the server` : ""}${
    connecting > 0 ? `; ${present(connecting, "bytes")} of it for connecting` : ""}`, all));
  cards.push(card("Delivered", present(s.outcomes.delivered / s.participations, "share"),
    `${present(s.outcomes.delivered, "plain")} of ${present(s.participations, "plain")} participations`, s.outcomes.delivered / s.participations));
  const wasted = s.bytes.wasted + (s.bytes.setup_wasted || 0) + (s.bytes.edge_wasted || 0) + peers.wasted_bytes, share = all > 0 ? wasted / all : NaN;
  cards.push(card("Wasted", present(share, "share"), `${present(wasted, "bytes")} of what was sent`, share));
  if (s.bottleneck)
    cards.push(card("Bottleneck", s.bottleneck.of, `${s.bottleneck.what_if}: ${changeText(s.bottleneck.change_percent)} of the time, measured${firstRounds(data, s.bottleneck.what_if)}${
      Number.isNaN(bound.share) || bound.name === "waiting" ? "" : `; the largest share of the time is ${bound.name} (${present(bound.share, "share")}), which is no saving`}`));
  else {
    const [name, more] = (bound.name === "waiting" ? waitingText(s) : bound.name).split(": ");
    cards.push(card("Most time in", name, Number.isNaN(bound.share) ? "" : `${more ? `${more}: ` : ""}${present(bound.share, "share")} of the time, which is no saving`));
  }
  return el("dl", {class: "cards"}, cards);
}

/* " in the first 272 rounds", where a what-if was not simulated to the end. */
function firstRounds(data, name) {
  const one = data.what_if && data.what_if.what_if.find((found) => found.name === name);
  return one && one.rounds !== data.what_if.rounds ? ` in the first ${one.rounds} rounds` : "";
}

/* What most of the waiting was for, where it is known. */
function waitingText(s) {
  const {unreachable_s: unreachable = 0, noticing_s: noticing = 0} = s.waiting || {}, half = s.critical_path.wait_s / 2;
  return unreachable > half ? "waiting: for clients not online" : noticing > half ? "waiting: to notice lost clients" : "waiting";
}

/* "−24 %" */
function changeText(percent) {
  const digits = Math.abs(percent).toFixed(1);
  return Number(digits) === 0 ? "0 %" : `${percent < 0 ? "−" : "+"}${digits} %`;
}

/* What the rounds would have taken under another setting, each measured by a run of its own (what_if.json). */
function whatIfs(data) {
  const told = data.what_if;
  if (!told)
    return [];
  const rows = [...told.what_if].sort((a, b) => a.change_percent - b.change_percent);
  const settings = (one) => Object.entries(one.settings).map(([key, value]) => `${key} = ${value}`).join(", ");
  return [told.none ? el("p", {class: "note"}, `What would help was not measured: ${told.none}.`) : null,
    rows.length ? table("What would help: the same rounds with one setting changed", ["Change", "Time with it", "Time without", "Difference", "Rounds", "Setting"],
      rows.map((one) => [whatIfCell(one), figure(one.seconds, "time"), figure(one.seconds_without, "time"),
        {text: changeText(one.change_percent), value: one.change_percent / 100, class: "number"},
        {text: one.rounds === told.rounds ? `all ${told.rounds}` : `first ${one.rounds}`, value: one.rounds, class: "number"}, settings(one)])) : null,
    told.left_out.length ? el("p", {class: "note"}, `Not measured: ${told.left_out.map((one) => `${one.name} (${one.reason})`).join("; ")}.`) : null].filter(Boolean);
}

function pathOf(path) {
  return Object.fromEntries(PATH.map((part) => [part, number(path[`${part}_s`]) || 0]));
}

/* Which interactions of a user are held out, by data.order. */
const HELD_OUT = {time: "each user's newest interactions, by their time", file: "each user's newest interactions, by their place in the file", random: "interactions of each user, drawn at random"};

/* What a change of a what-if is, where its name does not say it. */
const WHAT_IFS = [[/^over-selection × (.*)$/u, (factor) => `${Math.round(100 * Number(factor) - 100)} % more clients are selected than a round waits for, which sends more bytes: how many, and its effect on quality, were not measured`], [/^detection ½$/u, () => "the server notices a lost client in half the time"],
  [/^contact timeout ½$/u, () => "the server gives up sooner on a client that is not online"], [/^connections kept$/u, () => "no client connects anew, and the server holds a connection to each"]];

function whatIfCell({name, trained}) {
  const [pattern, meaning] = WHAT_IFS.find(([pattern]) => pattern.test(name)) || [];
  const notes = [pattern ? meaning(pattern.exec(name)[1]) : null, trained ? "other clients arrive, and were trained for it" : null].filter(Boolean).join("; ");
  return notes ? {text: name, value: name, element: el("span", {}, `${name} `, el("span", {class: "under"}, `(${notes})`))} : name;
}

const DECLARED = "Sizes of messages and work are declared, not measured; nothing is trained, so that there is no quality";

/* What the quality rests on: one line under the headline, and what a server that reads uploads finds. */
function facts(data) {
  const s = data.summary, p = data.provenance, seen = s.server_sees;
  const heldOut = s.order ? `; held out: ${HELD_OUT[s.order] || s.order}` : "";
  const described = s.declared ? [DECLARED, `seed ${p.seed}; one seed: no interval`].join("; ") : [`Protocol ${protocolText(s.protocol)}, ${candidatesText(s.candidates, p.settings["evaluation.negatives"])}${heldOut}`, p.data ? `data: ${p.data.description.replace(/, order: [^,]*$/u, "")}` : null,
    `seed ${p.seed}; one seed: no interval`].filter(Boolean).join("; ");
  const found = seen && seen.interactions_found !== undefined && seen.interactions_found !== null ? ` From one upload a curious server finds ${
    seen.interactions_found === 1 ? "all" : `at least ${present(seen.interactions_found, "share")}`} of a client's interactions${seen.items_of_an_upload !== undefined && seen.items_of_an_upload !== null ? ` (${digits(seen.items_of_an_upload)} items stand out in it)` : ""}.` : "";
  return [el("p", {class: "soft", id: "facts"}, `${described}.`),
    ...((p.data && p.data.notes) || []).map((note) => el("p", {class: "note data-note"}, `Data, ${note.topic}: ${note.text}.`)),
    seen && seen.uplink ? el("p", {class: "soft", id: "seen"}, `What the server reads: ${seen.uplink}.${found}`) : null];
}

const ITEMS = {test: "", validation: "validation_", participants: "participants_"};

/* The measures of quality on the test items among these names, the first cut-off's before those of others. */
const MEASURE_ORDER = ["hr", "ndcg", "recall", "precision", "mrr", "map", "auc", "mae", "rmse"];
const cutOffOf = (name) => Number(name.split("@")[1] || 0);

function measuresOf(data, names) {
  const first = cutOffOf(data.quality || ""), place = (name) => [![0, first].includes(cutOffOf(name)), cutOffOf(name) === first ? 0 : cutOffOf(name), MEASURE_ORDER.indexOf(name.split("@")[0])];
  const before = (a, b) => { const i = a.findIndex((part, k) => part !== b[k]); return i < 0 ? 0 : a[i] - b[i]; };
  return names.filter((name) => kindOf(name) === "quality" && !/^(validation|participants)_/u.test(name))
    .sort((a, b) => before(place(a), place(b)));
}

/* Every measure of quality at the first cut-off before training, in the end, at the best round by validation, and of the
 * non-federated baselines; those at other cut-offs folded. */
function qualityTable(data) {
  const s = data.summary, best = s.best_by_validation, metrics = measuresOf(data, Object.keys(s.metrics)), first = cutOffOf(data.quality || "");
  if (metrics.length === 0)
    return null;
  const others = [...new Set(metrics.map(cutOffOf))].filter((k) => k && k !== first);
  const rows = [["before training", s.initial_metrics], ["last round", s.metrics], best ? [`round ${best.round}, the best by validation`, best] : null,
    ...Object.entries(s.non_federated || {})].filter((row) => row && row[1]);
  const of = (caption, names) => table(caption, ["When, or what", ...names],
    rows.map(([name, found]) => [name, ...names.map((metric) => figure(number(found[metric]), "quality"))]));
  const shown = of("Quality on the test items", metrics.filter((name) => !others.includes(cutOffOf(name))));
  return others.length === 0 ? shown : el("div", {}, shown, folded(`At ${others.join(", ")}`,
    ...others.map((k) => of(`Quality on the test items at ${k}`, metrics.filter((name) => cutOffOf(name) === k)))));
}

/* ---- curves ---- */

const CURVE_AXES = {time: ["simulated time", "time"], bytes: ["sent until then", "bytes"], round: ["round", "plain"]};

function sentUntil(rounds) {
  let sum = 0;
  const columns = ["down_bytes", "up_bytes", "setup_down_bytes", "setup_up_bytes", "peer_up_bytes", "edge_down_bytes", "edge_up_bytes"].filter((name) => rounds[name]);
  return rounds.down_bytes.map((value, i) => { sum += columns.reduce((all, name) => all + (number(rounds[name][i]) || 0), 0); return sum; });
}

/* Curve, baselines and target of the same items: hit rates of other items are of another scale. */
function curveSeries(data, by, items, quality) {
  const rounds = data.rounds, sent = sentUntil(rounds);
  const places = {time: rounds.end_s, bytes: sent, round: rounds.round}[by];
  const column = ITEMS[items] + quality, before = number((data.summary.initial_metrics || {})[column]);
  const series = [{name: data.summary.method, points: [{x: 0, y: before}, ...places.map((x, i) => ({x: number(x), y: number(rounds[column][i])}))].filter((point) => Number.isFinite(point.y))}];
  const ends = [0, Math.max(...places.map(number))];
  const flat = (name, value, dash) => ({name, flat: true, thin: true, dash, points: ends.map((x) => ({x, y: value}))});
  for (const [name, value] of Object.entries(data.summary.non_federated || {}))
    if (!Number.isNaN(number(value[column])))
      series.push(flat(name, value[column], [6, 4]));
  if (data.target && data.target.column === column && !Number.isNaN(number(data.target.threshold)))
    series.push({...flat("target", number(data.target.threshold), [2, 3]), colour: "ink"});
  return series;
}

/* "hr@10 ≥ popularity + 0.03 (validation items; the default), which is 0.455 here" */
function targetHere(target) {
  const bar = number(target.threshold);
  return Number.isNaN(bar) || !target.text.includes("popularity") ? target.text : `${target.text}, which is ${present(bar, "quality")} here`;
}

function curves(data) {
  const quality = data.quality;
  if (!quality || !data.rounds[quality])
    return section("Quality", data.summary.declared ? "Nothing is trained, so that there is no quality." : "This run was not evaluated: there is no curve.");
  const place = el("div"), there = [["test", "test items"], ["validation", "validation items"], ["participants", "test items of participants"]].filter(([key]) => data.rounds[ITEMS[key] + quality]);
  const goesBy = there.find(([key]) => data.target && data.target.column === ITEMS[key] + quality) || there[0], now = {by: "time", items: goesBy[0], quality};
  const measures = measuresOf(data, Object.keys(data.rounds));
  const show = (change) => {
    Object.assign(now, change);
    const ofItems = there.find(([key]) => key === now.items)[1], apart = data.target && now.quality === quality && data.target.column !== ITEMS[now.items] + quality;
    place.replaceChildren(lines(`${now.quality} of ${ofItems} against ${CURVE_AXES[now.by][0]}`, curveSeries(data, now.by, now.items, now.quality), CURVE_AXES[now.by], [`${now.quality}, ${ofItems}`, "quality"], 360),
      ...(apart ? [el("p", {class: "note"}, `The target is one of ${goesBy[1]}: it has no line among ${ofItems}.`)] : []));
    drawCharts();
  };
  const figures = el("select", {id: "curve-figure", onchange: () => show({quality: figures.value})}, measures.map((name) => el("option", {value: name}, name)));
  figures.value = quality;
  const rounds = data.rounds, evaluated = rounds.round.map((round, i) => i).filter((i) => !Number.isNaN(number(rounds[quality][i])));
  const sent = sentUntil(rounds);
  const result = section("Quality", data.target ? `Target: ${targetHere(data.target)}.` : null,
    choice("against", [["time", "simulated time"], ["bytes", "bytes"], ["round", "rounds"]], "time", (by) => show({by})),
    there.length > 1 ? choice("of", there, now.items, (items) => show({items})) : null,
    measures.length > 1 ? el("p", {}, el("label", {for: "curve-figure"}, "Figure "), figures) : null, place,
    folded("As a table", table(`${quality} of evaluated rounds`, ["Round", "Ended", data.n_rounds > rounds.round.length ? "Sent (of rounds on this page)" : "Sent until then", quality,
      ...(rounds[`validation_${quality}`] ? [`validation ${quality}`] : [])],
    evaluated.map((i) => [{text: String(rounds.round[i]), value: rounds.round[i]}, figure(rounds.end_s[i], "time"), figure(sent[i], "bytes"),
      figure(rounds[quality][i], "quality"), ...(rounds[`validation_${quality}`] ? [figure(number(rounds[`validation_${quality}`][i]), "quality")] : [])]))));
  result.afterInsert = () => show({});
  return result;
}

/* Buttons of which one is pressed. */
function choice(label, options, chosen, act) {
  const buttons = options.map(([key, text]) => el("button", {type: "button", class: "small", "aria-pressed": String(key === chosen),
    onclick: (event) => {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === event.currentTarget)));
      act(key);
    }}, text));
  return el("div", {class: "choice", role: "group", "aria-label": label}, el("span", {class: "soft"}, label), " ", buttons);
}

/* ---- where the time went ---- */

const MOST_BARS = 120;

/* Rounds beside each other; of many, means of neighbours. */
function roundBars(rounds) {
  const n = rounds.round.length, width = Math.ceil(n / MOST_BARS), rows = [];
  for (let from = 0; from < n; from += width) {
    const to = Math.min(n, from + width), parts = {};
    for (const part of PATH)
      parts[part] = meanOf(rounds[`path_${part}_s`].slice(from, to).map((value) => number(value) || 0));
    parts.idle = meanOf((rounds.idle_s || []).slice(from, to).map((value) => number(value) || 0)) || 0;
    rows.push({name: width === 1 ? String(rounds.round[from]) : `${rounds.round[from]}–${rounds.round[to - 1]}`, parts});
  }
  return rows;
}

/* Parts of the waiting, as `waiting` of a summary calls them. */
const WAITS = [["unreachable_s", "part of the waiting: for clients that were not online"], ["noticing_s", "part of the waiting: to notice lost clients"]];

/* ": 2.1 d until rounds open by their times, 1.9 d until enough clients are eligible", where it is known. */
function idleText(s) {
  const parts = [["scheduled_s", "until rounds open by their times"], ["clients_s", "until enough clients are eligible"]]
    .filter(([key]) => s.idle && s.idle[key] > 0).map(([key, name]) => `${present(s.idle[key], "time")} ${name}`);
  return parts.length ? `: ${parts.join(", ")}` : "";
}

function whereTimeWent(data) {
  const path = pathOf(data.summary.critical_path), all = PATH.reduce((sum, part) => sum + path[part], 0);
  const rounds = {...data.rounds};
  for (const part of PATH)
    rounds[`path_${part}_s`] = rounds[`path_${part}_s`] || rounds.round.map(() => 0);
  const shown = PATH.filter((part) => path[part] > 0), idle = number(data.summary.idle_s) || 0;
  return section("Where the time went",
    `The critical path of each round: what the participation that closed it spent its time on. These are shares of the path, not savings${data.what_if ? ": what a change saves is in the table of what would help" : ""}.`,
    ...whatIfs(data),
    stacked("Seconds of the critical path, round by round", roundBars(rounds), idle > 0 ? [...shown, "idle"] : shown, false, "time", idle > 0 ? "a round, and idle before it" : "duration of a round", 300),
    table("The whole run's critical path", ["Part", "Time", "Share"],
      [...PATH.filter((part) => path[part] > 0 || ["down", "compute", "up"].includes(part)).map((part) => [
        {text: PART_NAMES[part]}, figure(path[part], "time"), figure(all > 0 ? path[part] / all : NaN, "share")]),
      ...WAITS.filter(([key]) => data.summary.waiting && data.summary.waiting[key] > 0).map(([key, name]) => [
        name, figure(data.summary.waiting[key], "time"), {text: `(${present(data.summary.waiting[key] / all, "share")})`, value: data.summary.waiting[key] / all, class: "number"}])]),
    data.summary.critical_path.server_link_s > 0 ? el("p", {class: "note"},
      `Of the download and the upload, ${present(data.summary.critical_path.server_link_s, "time")} are what ${data.summary.edge_messages > 0 ? "the access side of edges" : "the server's link"} took longer than the client's own.`) : null,
    idle > 0 ? el("p", {class: "note"}, `Beside the rounds, ${present(idle, "time")} (${present(idle / data.summary.simulated_s, "share")} of the simulated time) were idle${idleText(data.summary)}. The shares in the table are of the rounds alone.`) : null);
}

/* ---- timelines ---- */

const WIDEST_GANTT = 1000, NARROWEST_GANTT = 320, GUTTER = 44, TOP = 32;

/* Letters are 11 px high: up to so many participants each has a line in which its number fits; of more, every second one, or every tenth, is numbered. */
const FEW_ROWS = 36, MOST_HIGH_ROWS = 120, HIGH_ROW = 13, LOW_ROW = 7;

function ganttRow(n) {
  return n <= MOST_HIGH_ROWS ? HIGH_ROW : LOW_ROW;
}

/* What a participant did from the round's start to its close, without gaps: its phases, the latency of a transfer before the
 * transfer, and what it waited. */
function drawnPhases(timeline, part) {
  const start = number(timeline.start_s), end = number(timeline.end_s), drawn = [];
  let until = start;
  for (const [name, from, to, bytes, latency, mark] of part.phases) {
    if (from > until)
      drawn.push({name: "idle", from: until, to: from, bytes: 0});
    if (latency > 0)
      drawn.push({name: "latency", from, to: from + latency, bytes: 0});
    drawn.push({name, from: from + latency, to, bytes, mark});
    until = Math.max(until, to);
  }
  if (until < end)
    drawn.push({name: "wait", from: until, to: end, bytes: 0});
  return drawn;
}

const GANTT_NAMES = {...PART_NAMES, idle: "not doing anything yet", wait: "waiting for the round to close"};

function ganttTip(part, phase) {
  const {name, from, to, bytes, mark} = phase;
  const rate = bytes > 0 && to > from ? `, ${present(bytes / (to - from), "bytes")}/s` : "";
  return `client ${part.client}: ${GANTT_NAMES[name] || name}, ${present(to - from, "time")} from ${digits(from, 5)} s${
    bytes > 0 ? `, ${present(bytes, "bytes")}` : ""}${rate}${mark === "broke" ? ", the connection broke" : ""}; in the end ${
    outcomeOf(part)}`;
}

function outcomeOf(part) {
  return `${(part.outcome || "under way").replaceAll("_", " ")}${part.cause ? ` (${part.cause.replaceAll("_", " ")})` : ""}`;
}

function ganttScale(from, to, most) {
  const step = 10 ** Math.floor(Math.log10((to - from) / 4 || 1)), steps = [1, 2, 5, 10].map((k) => k * step);
  const chosen = steps.find((value) => (to - from) / value <= most) || steps[3], ticks = [];
  for (let k = 0; k * chosen <= to - from; k++)
    ticks.push(k * chosen);
  return ticks;
}

/* From the round's start to its close, or to what ended after that; as wide as there is room. */
function gantt(timeline, room) {
  const row = timeline.list, high = ganttRow(row.length), every = high === HIGH_ROW ? 1 : row.length <= 300 ? 2 : 10, drawn = row.map((part) => drawnPhases(timeline, part)), phases = drawn.flat(), end = number(timeline.end_s);
  const width = Math.max(NARROWEST_GANTT, Math.min(WIDEST_GANTT, room));
  const from = phases.reduce((least, phase) => Math.min(least, phase.from), number(timeline.start_s)), to = phases.reduce((most, phase) => Math.max(most, phase.to), end);
  const x = (time) => GUTTER + (time - from) / (to - from || 1) * (width - GUTTER - 24), height = TOP + row.length * high + 6;
  const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "gantt",
    "aria-label": `Timeline of round ${timeline.round}: ${row.length} participants, the slowest first; the round closes after ${present(end - number(timeline.start_s), "time")}`});
  for (const tick of ganttScale(from, to, width < 600 ? 4 : 8))
    picture.append(svg("line", {x1: x(from + tick), x2: x(from + tick), y1: 13, y2: height - 4, class: "gridline"}),
      svg("text", {x: x(from + tick), y: 10, class: "tick"}, present(tick, "time", to - from)));
  row.forEach((part, i) => {
    const y = TOP + i * high, good = part.outcome === "delivered" && !part.cause;
    const last = part.phases.reduce((latest, phase) => Math.max(latest, number(phase[2])), from);
    drawn[i].forEach((phase, k) => {
      const rect = svg("rect", {x: x(phase.from), y, height: high - 1.5, class: `part part-${phase.name}${phase.mark === "broke" ? " broke" : ""}`,
        width: Math.max(0.6, x(phase.to) - x(phase.from))});
      rect.dataset.at = `${i}.${k}`;
      picture.append(rect);
      if (["wait", "idle"].includes(phase.name)) /* no pattern: a page has no URL, not even of its own parts */
        picture.append(svg("line", {x1: x(phase.from), x2: x(phase.to), y1: y + (high - 1.5) / 2, y2: y + (high - 1.5) / 2, class: `hatch hatch-${phase.name}`, "stroke-width": phase.name === "wait" ? high - 1.5 : 1.5}));
    });
    if (!good) {
      const why = (part.cause || part.outcome || "").replaceAll("_", " "), letter = high === HIGH_ROW ? 6 : 4, fits = x(last) + 10 + letter * why.length < width;
      picture.append(svg("path", {d: `M${x(last) + 1} ${y + (high - 6) / 2 + 0.5}l4 4m0 -4l-4 4`, class: "lost"}),
        svg("text", {x: fits ? x(last) + 8 : x(last) - 3, y: y + high - 2.5, class: `why${fits ? "" : " before"}${high === HIGH_ROW ? "" : " low"}`}, why));
    }
    if (i % every === 0)
      picture.append(svg("text", {x: GUTTER - 6, y: y + high / 2 + 4, class: "who"}, String(part.client)));
  });
  const near = x(end) > width / 2;
  picture.append(svg("line", {x1: x(end), x2: x(end), y1: 14, y2: height - 2, class: "close"}),
    svg("text", {x: x(end) + (near ? -3 : 3), y: 22, class: near ? "closes before" : "closes"}, `the round closes, ${present(end - number(timeline.start_s), "time")}`));
  picture.addEventListener("mousemove", (event) => {
    const at = event.target.dataset ? event.target.dataset.at : undefined;
    if (at === undefined)
      return hideTip();
    const [i, k] = at.split(".").map(Number);
    showTip(ganttTip(row[i], drawn[i][k]), event.clientX, event.clientY);
  });
  picture.addEventListener("mouseleave", hideTip);
  return picture;
}

function ganttTable(timeline) {
  const drawn = timeline.list.map((part) => drawnPhases(timeline, part)), names = GANTT_PARTS.filter((name) => drawn.some((phases) => phases.some((phase) => phase.name === name)));
  return table(`Participants of round ${timeline.round}`, ["Client", ...names.map((name) => GANTT_NAMES[name] || name), "Sent", "Outcome"],
    timeline.list.map((part, i) => {
      const sum = (name) => drawn[i].filter((phase) => phase.name === name).reduce((all, phase) => all + phase.to - phase.from, 0);
      return [{text: String(part.client), value: part.client}, ...names.map((name) => figure(sum(name), "time")),
        figure(drawn[i].reduce((all, phase) => all + phase.bytes, 0), "bytes"), outcomeOf(part)];
    }));
}

function legend(names) {
  return el("ul", {class: "legend"}, names.map((name) => el("li", {}, el("span", {class: `swatch part-${name}`}), GANTT_NAMES[name] || name)),
    el("li", {}, el("span", {class: "cross"}, "×"), "lost, cut or late"));
}

function timelines(data) {
  if (!data.timelines)
    return section("Timelines", "This run wrote no events (output.events = false): there are no timelines.");
  if (data.timelines.length === 0)
    return section("Timelines", "Nobody took part.");
  const place = el("div", {class: "block"});
  const titles = data.timelines.map((timeline) => `round ${timeline.round}${timeline.attempt ? `, attempt ${timeline.attempt + 1}` : ""} (${timeline.why.join(", ")})`);
  const show = (i) => {
    const timeline = data.timelines[i];
    const used = new Set(timeline.list.flatMap((part) => drawnPhases(timeline, part).map((phase) => phase.name)));
    place.replaceChildren(...(timeline.list.length ? [legend(GANTT_PARTS.filter((name) => used.has(name))),
      el("div", {class: "scroll tall", tabindex: "0", role: "region", "aria-label": `Timeline of ${titles[i]}`}, gantt(timeline, place.clientWidth - 12 || WIDEST_GANTT)),
      timeline.list.length > FEW_ROWS ? el("p", {class: "note"}, `${timeline.list.length} lines: scroll within the frame to see them all.`) : null,
      timeline.participants > timeline.list.length ? el("p", {class: "note"}, `${timeline.list.length} of ${timeline.participants} participants, evenly spread from the last one to end to the first.`) : null,
      folded("As a table", ganttTable(timeline))].filter(Boolean) : [el("p", {}, "No client was selected in this round.")]));
  };
  const select = el("select", {id: "timeline", onchange: () => show(Number(select.value))}, titles.map((title, i) => el("option", {value: i}, title)));
  const some = data.events_every > 1 ? ` This run wrote events of round 1 and every ${data.events_every} after it alone: only those have a timeline.` : "";
  const result = section("Timelines", `Who did what when: one line for each participant of a round, the one that ended last at the top.${some}`,
    el("p", {}, el("label", {for: "timeline"}, "Round "), select), place, clientTimes(data));
  result.afterInsert = () => show(0);
  return result;
}

/* Of the smallest and largest values, the quarters, and the median. */
const SPREAD_DASHES = {least: [2, 3], q1: [6, 4], q3: [6, 4], most: [2, 3]};

function clientTimes(data) {
  const times = rowsOfColumns(data.times).filter((row) => row.n > 0);
  if (times.length < 2)
    return null;
  const names = [["least", "fastest"], ["q1", "first quarter"], ["median", "median"], ["q3", "third quarter"], ["most", "slowest"]];
  const series = names.map(([key, name]) => ({name, thin: key !== "median", dash: SPREAD_DASHES[key], points: times.map((row, i) => ({x: row.round, y: row[key]}))}));
  const positive = times.every((row) => row.least > 0), wide = positive && Math.max(...times.map((row) => row.most)) > 30 * Math.min(...times.map((row) => row.least));
  return el("div", {class: "block"}, el("h3", {}, "How long clients take"),
    lines("Time from selection to the end, of the participations of each round", series, ["round", "plain"], ["time of a participation", "time", wide], 280),
    folded("As a table", table("Time from selection to the end", ["Round", "Participants", ...names.map(([, name]) => name)],
      times.map((row) => [{text: String(row.round), value: row.round}, figure(row.n, "plain"), ...names.map(([key]) => figure(row[key], "time"))]))));
}

/* ---- waste, ranks, formula, provenance ---- */

function waste(data) {
  const s = data.summary, b = s.bytes, rows = [];
  for (const [cause, found] of Object.entries(s.waste_by_cause || {}))
    for (const [outcome, one] of Object.entries(found.by_outcome))
      rows.push(wasteRow(cause.replaceAll("_", " "), outcome, one));
  return section("Bytes and waste", null,
    table("Bytes", ["What", "Down", "Up"], [
      ["messages, what was sent again included", figure(b.down, "bytes"), figure(b.up, "bytes")],
      ["of these to catch up with what was missed", figure(b.catchup_down, "bytes"), DASH],
      ["of these sent again", figure(b.resent_down, "bytes"), figure(b.resent_up, "bytes")],
      ["connecting, beside the messages", figure(b.setup_down, "bytes"), figure(b.setup_up, "bytes")],
      ...(s.edge_messages > 0 ? [["between edges and the server, beside those of clients", figure(b.edge_down, "bytes"), figure(b.edge_up, "bytes")]] : []),
      ["all that was sent", figure(b.down + b.setup_down + (b.edge_down || 0), "bytes"), figure(b.up + b.setup_up + (b.edge_up || 0), "bytes")],
      ...(s.peers ? [["from client to client, connecting included", figure(s.peers.bytes, "bytes"), figure(s.peers.bytes, "bytes")]] : []),
      ["as papers count (values alone)", figure(s.nominal_bytes.down, "bytes"), figure(s.nominal_bytes.up, "bytes")]]),
    rows.length ? table("What was spent and not used", WASTE_HEAD, rows) : el("p", {}, "Nothing was wasted."),
    table("How participations ended", ["Outcome", "Participations", "Share"],
      Object.entries(s.outcomes).filter(([, n]) => n > 0).map(([name, n]) => [name.replaceAll("_", " "), figure(n, "plain"), figure(n / s.participations, "share")])));
}

function capsTable(caps) {
  const rows = [["bytes", "cap, bytes", "bytes"], ["most_excess_bytes", "above it at most", "bytes"], ["most_error_bytes", "a participation took more than expected by at most", "bytes"],
    ["metered_bytes", "cap, metered bytes", "bytes"], ["most_excess_metered_bytes", "above it at most", "bytes"],
    ["most_error_metered_bytes", "a participation moved more of them than expected by at most", "bytes"],
    ["energy_j", "cap, energy", "energy"], ["most_excess_j", "above it at most", "energy"], ["most_error_j", "a participation took more than expected by at most", "energy"],
    ["clients_held_back", "clients held back in some period", "plain"], ["short_rounds", "rounds with fewer clients than wanted meanwhile", "plain"],
    ["missing_participations", "participations that these rounds had fewer", "plain"], ["clients_above", "clients above a cap", "plain"]];
  return table("Caps", ["What", "Value"], rows.filter(([key]) => caps[key] !== undefined).map(([key, name, unit]) => [name, figure(caps[key], unit)]));
}

/* Of each client the fullest of its periods; summaries of older versions have no figures of it. */
function perClient(data) {
  const told = data.summary.per_client;
  if (!told)
    return null;
  const rows = [["bytes", "bytes", "bytes"], ["energy_j", "energy, by a model", "energy"], ["busy_s", "busy", "time"], ["participations", "participations", "plain"],
    ...(told.max_metered_bytes > 0 ? [["metered_bytes", "of the bytes those over a metered link", "bytes"]] : [])];
  return section("What a client takes", told.periods < 1
    ? `In ${present(told.period_s * told.periods, "time")}, as long as the run lasts: less than one period of ${present(told.period_s, "time")} (caps.period), so that these are not figures of a whole one.`
    : `In ${present(told.period_s, "time")} (caps.period), in the fullest period of each client; the run lasts ${present(told.periods, "plain")} of them.`,
    table("What a client takes", ["Figure", "Mean", "95 % of clients at most", "Most"],
      rows.map(([key, name, unit]) => [name, ...["mean", "p95", "max"].map((kind) => figure(told[`${kind}_${key}`], unit))])),
    data.summary.caps ? capsTable(data.summary.caps) : null);
}

const FORMULA = {participation_s: "a participation, on average", slowest_s: "the slowest participation of a round", server_link_s: "all messages on the server's link",
  round_s: "a round by the formula", simulated_round_s: "a round as simulated", to_simulated: "formula over simulation", leaves_out: "left out by the formula", none: "no formula applies"};

function formula(data) {
  const form = data.summary.closed_form;
  return form ? section("A round by the usual formula, and as simulated", "Papers often take the time of a round from a formula without queues, losses or stragglers (a closed form); beside it what the simulation found.",
    table("By the formula, and as simulated", ["Figure", "Value"], flatRows(form).map(([key, value]) => [FORMULA[key] || key.replace(/^leaves_out\..*/u, FORMULA.leaves_out), value]))) : null;
}

function correction(data) {
  const told = data.summary.correction;
  return told && told.text ? section("What corrects the mean of uploads", null, el("p", {}, `${told.text}.`),
    table("What the correction kept", ["What", "Value"], [["clients heard", figure(told.clients_heard, "plain")], ["updates kept at the server", figure(told.kept_bytes, "bytes")]])) : null;
}

function privacy(data) {
  const told = data.summary.privacy_guarantee;
  return told && told.text ? section("What the noise guarantees", null,
    told.missed ? el("p", {class: "warning", role: "note"}, told.missed) : null, el("p", {}, told.text)) : null;
}

/* Each step in its order, then the parts of the split. */
function preparationTable(steps) {
  return table("What each step of preparation left, then what the parts of the split have", ["Step", "Key", "Value", "Rows", "Users", "Items"],
    steps.map((step) => [step.step, step.key, step.value, figure(step.rows, "plain"), figure(step.users, "plain"), figure(number(step.items), "plain")]));
}

function provenance(data) {
  const p = data.provenance, s = data.summary, about = {version: p.version, seed: p.seed, "scenario hash": p.scenario_hash,
    protocol: protocolText(s.protocol), candidates: s.candidates, "order of interactions": s.order, status: s.status, "data": p.data ? p.data.description : DASH,
    "hash of the data": p.data ? p.data.hash : DASH, "users tied at the test item": p.data && p.data.users_tied_at_test !== undefined ? p.data.users_tied_at_test : "not counted",
    "network model": p.engine ? p.engine.network_model : DASH, "notices a lost client after": p.settings["failures.detect"] || DASH,
    "tries again": p.settings["failures.retry.times"] === "0" ? "never" : p.settings["failures.retry.times"] ? `up to ${p.settings["failures.retry.times"]} times` : DASH, "gives the same results every time": p.deterministic ? "yes" : "no"};
  return section("What this is about", null, table("Provenance", ["What", "Value"], Object.entries(about).map(([key, value]) => [key, String(value)])),
    p.data && p.data.preparation && p.data.preparation.length ? folded("What the preparation of the data left", preparationTable(p.data.preparation)) : null,
    folded("All settings", settingsTable("Settings", p.settings)), folded("Libraries", settingsTable("Libraries", p.libraries || {})));
}

const ASSIGNED_HEAD = ["Clients", "Assigned", "Mean size", "In time", "Never delivered"];
const ASSIGNED_FAMILIES = [["device_class", "device class"], ["network_class", "network class"], ["uplink_quartile", "quarter of the uplinks, the slowest first"]];

function grantRow(name, group) {
  return [name, figure(number(group.clients), "plain"), figure(number(group.assigned), "plain"), figure(number(group.mean), "plain"),
    figure(number(group.in_time_share), "share"), figure(number(group.never_delivered), "plain")];
}

/* What became of all grants: shares of their ends, and predictions beside what is known of the actual durations. */
function grantEnds(adaptation) {
  const ends = [["in_time", "in time"], ["late", "late"], ["cut", "stopped by the server"], ["lost", "client lost or not reached"]];
  const predictions = [["arrived", adaptation.of_arrived, "mean_actual_s"], ["stopped by the server", adaptation.of_cut, "mean_waited_s"],
    ["both", adaptation, "mean_actual_s"]].filter(([, part]) => part && part.mean_predicted_s !== undefined);
  const count = (part) => part === adaptation ? number(adaptation.of_arrived.participations) + number(adaptation.of_cut.participations) : number(part.participations);
  return [
    table("What became of all grants", ["Ended", "Participations", "Share"], ends.map(([key, name]) =>
      [name, figure(number(adaptation[key]), "plain"), figure(number(adaptation[key]) / number(adaptation.assigned), "share")])),
    predictions.length ? table("Predicted and actual", ["Participations that", "How many", "Predicted", "Took", "Error"], predictions.map(([name, part, actual]) =>
      [name, figure(count(part), "plain"), figure(number(part.mean_predicted_s), "time"), figure(number(part[actual]), "time"), figure(number(part.mean_error_s), "time")])) : null,
    predictions.length ? el("p", {class: "note"}, "Means. One that the server stopped took at least as long as the server had waited for it: that counts as its duration, and only what the prediction was below it as its error. Lost clients are left out.") : null];
}

/* How large an upload was assigned: how often each size, to whom, what became of it, and round by round. */
function ranks(data) {
  const adaptation = data.summary.adaptation;
  if (!adaptation)
    return null;
  const {participations} = adaptation, all = Object.values(participations || {}).reduce((sum, n) => sum + n, 0);
  const assigned = rowsOfColumns(data.assigned || {}), names = [["least", "smallest"], ["q1", "first quarter"], ["median", "median"], ["q3", "third quarter"], ["most", "largest"]];
  return section("Assigned upload sizes", "Columns or groups that an upload may have, as the adaptation has decided for each participation.",
    assigned.length > 1 ? lines("Sizes assigned in each round", names.map(([key, name]) => ({name, thin: key !== "median", dash: SPREAD_DASHES[key], points: assigned.map((row) => ({x: row.round, y: row[key]}))})),
      ["round", "plain"], ["size of an upload", "plain"], 280) : null,
    all > 0 ? table("How often each size was assigned", ["Size", "Participations", "Share"],
      Object.entries(participations).map(([size, n]) => [{text: size, value: Number(size)}, figure(n, "plain"), figure(n / all, "share")])) : null,
    assigned.length ? folded("Round by round", table("Sizes assigned, by round", ["Round", "Participations", ...names.map(([, name]) => name)],
      assigned.map((row) => [{text: String(row.round), value: row.round}, figure(row.n, "plain"), ...names.map(([key]) => figure(row[key], "plain"))]))) : null,
    ...(adaptation.of_arrived ? grantEnds(adaptation) : []),
    ...ASSIGNED_FAMILIES.filter(([key]) => adaptation[key]).map(([key, name]) => table(`Sizes assigned by ${name}`, ["Group", ...ASSIGNED_HEAD],
      Object.entries(adaptation[key]).map(([group, told]) => grantRow(group, told)))),
    table("Adaptation", ["Figure", "Value"], ["name", "largest_possible", "min", "max", "mean", "up_bytes_saved"].filter((key) => adaptation[key] !== undefined)
      .map((key) => flatRows({[key]: adaptation[key]})[0])));
}

function runPage(data) {
  const s = data.summary;
  document.title = `${s.method}, a run: fedrecsim report`;
  const notes = [];
  if (s.status !== "complete")
    notes.push(`This run is ${s.status}: it did not come to its end, and its figures are those of the rounds it had.`);
  if (data.n_rounds > data.rounds.round.length)
    notes.push(`${data.rounds.round.length} of ${data.n_rounds} rounds are on this page, evenly spread; rounds.csv has all of them.`);
  if (s.better_than_baseline && s.better_than_baseline.better === false)
    notes.push(`In the end it is no better than ${s.better_than_baseline.non_federated}, which needs no training.`);
  if (s.protocol === "leaky")
    notes.push("The protocol is leaky: quality says little about recommendations.");
  const decided = decidedList((s.decided_by || []).map((one) => `${one.text}.`));
  const parts = [el("h1", {}, `${s.method}: one run`), el("p", {class: "answer"}, data.headline), facts(data), decided,
    notes.map((note) => el("p", {class: "warning", role: "note"}, note)), runCards(data), qualityTable(data), curves(data), plan(data), whereTimeWent(data), timelines(data),
    section("Results by group (fairness)", null, ...leftOut(data.clients, data.quality === "rmse" || data.quality === "mae")), ranks(data), perClient(data), loadAndCosts(data), waste(data), correction(data), privacy(data), formula(data), provenance(data)].flat().filter(Boolean);
  document.getElementById("main").replaceChildren(...parts);
  parts.forEach((part) => part.afterInsert && part.afterInsert());
  footer(data, "fedrecsim report DIR");
}
