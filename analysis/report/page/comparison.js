/* The page of a comparison: runs, or cells of sweeps. Everything follows the controls, and the address keeps their state. */

const MOST_CURVES = 8, MOST_ROWS_OF_BARS = 24;

const state = {by: "auto", target: "", circumstance: 0, budget: "none", most: ""};
let page = null; /* the data */
let names = []; /* of entries, without what their circumstance says */

/* ---- entries ---- */

function entryNames(data) {
  if (!data.one_sweep)
    return data.entries.map((entry) => entry.name);
  const choices = data.axes.filter((axis) => axis.role === "choice").length;
  const found = data.entries.map((entry) => entry.labels.map((label, i) => [label, data.axes[i]])
    .filter(([, axis]) => axis && axis.role === "choice").map(([label, axis]) => choices === 1 && /\p{L}/u.test(label) ? label : `${axis.name}=${label}`).join(", "));
  const clashes = data.entries.some((entry, i) => !found[i] || data.entries.some((other, k) => k < i &&
    other.circumstance === entry.circumstance && found[k] === found[i]));
  return clashes ? data.entries.map((entry) => entry.name) : found;
}

function circumstanceName(i) {
  return page.circumstances[i] || "the same circumstances";
}

function membersOf(circumstance) {
  return page.entries.map((entry, i) => i).filter((i) => page.entries[i].circumstance === circumstance);
}

function values(i, metric) {
  const list = page.entries[i].figures[metric];
  return list ? list.map(number) : page.entries[i].seeds.map(() => NaN);
}

function figureOf(i, metric) {
  return estimate(values(i, metric), page.t);
}

/* ---- what is ranked by ---- */

function ownBar() {
  const value = Number.parseFloat(state.target);
  return Number.isFinite(value) ? value : NaN;
}

function reachOf(i, what) {
  const bar = ownBar();
  if (Number.isNaN(bar))
    return values(i, what === "time" ? "time_to_target_s" : "bytes_to_target");
  return page.entries[i].records ? page.entries[i].records.map((records) => firstReach(records.map((record) => record.map(number)), bar, page.lower)[what])
    : page.entries[i].seeds.map(() => NaN);
}

/* In seconds or bytes: "41 min", "2 GB", "3600". */
function budgetOf() {
  const units = {s: 1, min: 60, h: 3600, d: 86400, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, "": 1};
  const found = /^\s*([0-9.]+(?:e[+-]?[0-9]+)?)\s*([A-Za-z]*)\s*$/.exec(state.most);
  return state.budget !== "none" && found && units[found[2]] ? Number(found[1]) * units[found[2]] : NaN;
}

const MEASURES = {
  time: {title: () => "Time to target", kind: "time", lower: () => true, of: (i) => reachOf(i, "time")},
  bytes: {title: () => "Bytes to target", kind: "bytes", lower: () => true, of: (i) => reachOf(i, "bytes")},
  quality: {title: () => `${page.quality} in the end`, kind: "quality", lower: () => page.lower, of: (i) => values(i, page.quality)},
  budget: {title: () => `Best ${page.entries[0].column} within the budget`, kind: "quality", lower: () => page.lower,
    of: (i) => (page.entries[i].records || []).map((records) => bestWithin(records.map((record) => record.map(number)), state.budget === "time" ? 1 : 2, budgetOf()))},
  duration: {title: () => "Time of the whole run", kind: "time", lower: () => true, of: (i) => values(i, "simulated_s")},
  sent: {title: () => "Bytes of the whole run", kind: "bytes", lower: () => true, of: (i) => values(i, "bytes.total")},
  round: {title: () => "Duration of a round", kind: "time", lower: () => true, of: (i) => values(i, "round_s")}};

function available(key) {
  if (key === "budget")
    return !Number.isNaN(budgetOf()) && page.entries[0].records !== undefined;
  return page.entries.some((entry, i) => (key !== "quality" || page.quality) && MEASURES[key].of(i).some((value) => !Number.isNaN(value)));
}

/* As the tables do: time to target where every run gets there, else quality; the budget's, if there is one. */
function measureKey() {
  if (state.by !== "auto" && MEASURES[state.by] && available(state.by))
    return state.by;
  if (available("budget"))
    return "budget";
  const members = membersOf(state.circumstance);
  const reached = members.every((i) => reachOf(i, "time").every((value) => Number.isFinite(value)));
  if (reached || !Number.isNaN(ownBar()))
    return "time";
  return available("quality") ? "quality" : available("duration") ? "duration" : "round";
}

/* ---- who is ahead ---- */

function betterFirst(measure) {
  return (a, b) => {
    const one = a.found, two = b.found, rank = (found) => !Number.isNaN(found.mean) ? 0 : found.censored ? 1 : 2;
    if (rank(one) !== rank(two))
      return rank(one) - rank(two);
    if (rank(one) === 1)
      return one.censored - two.censored || a.i - b.i;
    return (one.mean - two.mean) * (measure.lower() ? 1 : -1) || a.i - b.i;
  };
}

/* Every circumstance's entries in their order, with what the best one's lead is worth. All pairs of the page are compared at
 * once: whoever is called ahead or behind by mistake is so on one page in twenty. */
function rankAll(measure) {
  const races = page.circumstances.map((name, c) => membersOf(c).map((i) => ({i, values: measure.of(i), found: estimate(measure.of(i), page.t)}))
    .sort(betterFirst(measure)));
  const pairs = [];
  for (const race of races)
    for (let a = 0; a < race.length; a++)
      for (let b = a + 1; b < race.length; b++)
        {
          const pair = {a: race[a], b: race[b]};
          pairs.push(pair);
          race[b].toBest = a === 0 ? pair : race[b].toBest;
          race[a].next = b === a + 1 ? pair : race[a].next;
        }
  for (const pair of pairs)
    pair.difference = paired(pair.a.values, page.entries[pair.a.i].seeds, pair.b.values, page.entries[pair.b.i].seeds, page.t);
  const counts = holm(pairs.map((pair) => chanceOf(pair.difference, page.t)));
  pairs.forEach((pair, i) => { pair.counts = counts[i]; });
  for (const race of races) {
    race.forEach((row, k) => { row.standing = standingOf(race, k); });
  }
  return races;
}

function standingOf(race, k) {
  const row = race[k];
  if (Number.isNaN(row.found.mean))
    return row.found.censored ? "did not reach" : DASH;
  if (k > 0)
    return row.toBest.counts ? "behind" : Number.isNaN(row.toBest.difference.half) ? "not known" : "tied";
  if (race.length < 2)
    return "alone";
  const others = race.slice(1);
  if (others.some((other) => !Number.isNaN(other.found.mean) && Number.isNaN(other.toBest.difference.half)))
    return "first, one run";
  return others.every((other) => Number.isNaN(other.found.mean) || other.toBest.counts) ? "ahead" : "tied";
}

/* ---- the parts that follow the controls ---- */

function sentenceOf(race, measure) {
  const first = race[0];
  if (!first || Number.isNaN(first.found.mean))
    return `Under ${circumstanceName(state.circumstance)} nobody gets there in all of its runs.`;
  const tied = race.filter((row) => row.standing === "tied" && row !== first).map((row) => names[row.i]);
  const value = presentEstimate(first.found, measure.kind);
  const lead = {ahead: "ahead of all others", alone: "the only one here", "first, one run": "first, by one run of each: nobody can say how sure that is"}[first.standing] ||
    `first, but within noise of ${tied.length > 3 ? `${tied.length} others` : tied.join(", ")}`;
  return `Under ${circumstanceName(state.circumstance)}: ${names[first.i]} is ${lead} (${measure.title()}: ${value}).`;
}

function pathOfEntry(i) {
  return Object.fromEntries(PATH.map((part) => [part, figureOf(i, `critical_path.${part}_s`).mean || 0]));
}

function bindingCell(i) {
  const bound = bindingOf(pathOfEntry(i), figureOf(i, "critical_path.server_link_s").mean || 0);
  return Number.isNaN(bound.share) ? DASH : {text: `${bound.name}, ${present(bound.share, "share")}`, value: bound.name, class: "whole"};
}

function rankedTable(race, measure) {
  const others = ["quality", "time", "bytes", "duration", "sent"].filter((key) => MEASURES[key] !== measure && available(key));
  const place = (row, k) => k > 0 && race[k - 1].found.mean === row.found.mean ? "" : String(k + 1);
  return table(`${measure.title()} under ${circumstanceName(state.circumstance)}`,
    ["Choice", "Place", measure.title(), "Better than the next by", "Standing", "Bound by", ...others.map((key) => MEASURES[key].title()), "Runs"],
    race.map((row, k) => [names[row.i], {text: place(row, k) || `${k + 1}=`, value: k + 1, class: "number"}, estimateCell(row.found, measure.kind),
      row.next && !Number.isNaN(row.next.difference.mean) ? {...estimateCell({...row.next.difference, mean: Math.abs(row.next.difference.mean)}, measure.kind)} : {text: DASH, class: "number", value: NaN},
      {text: row.standing, class: row.standing.split(" ")[0].replace(",", "")}, bindingCell(row.i),
      ...others.map((key) => estimateCell(estimate(MEASURES[key].of(row.i), page.t), MEASURES[key].kind)), {text: String(row.values.length), value: row.values.length, class: "number"}]),
    {rowClass: (i) => i === 0 ? "best" : null});
}

function curveCharts(race) {
  const shown = race.filter((row) => page.entries[row.i].curve && page.entries[row.i].curve.round.length).slice(0, MOST_CURVES);
  if (shown.length === 0)
    return el("p", {}, "No run was evaluated: there are no curves.");
  const bars = page.entries[shown[0].i].bars.map(number).filter((bar) => !Number.isNaN(bar));
  const bar = Number.isNaN(ownBar()) ? (bars.length ? meanOf(bars) : NaN) : ownBar();
  const column = page.entries[shown[0].i].column;
  const make = (by, title, kind) => {
    const series = shown.map((row) => {
      const curve = page.entries[row.i].curve, reached = MEASURES.time.of(row.i).filter((value) => value === Infinity).length;
      return {name: `${names[row.i]}${reached ? ` (${reached} of ${row.values.length} do not reach it)` : ""}`, dash: reached ? [6, 3] : [],
        points: curve[by].map((x, k) => ({x: number(x), y: number(curve.value[k]), half: number(curve.half_width[k]) || 0}))};
    });
    const most = Math.max(...series.flatMap((one) => one.points.map((point) => point.x)));
    if (!Number.isNaN(bar))
      series.push({name: "target", flat: true, thin: true, dash: [2, 3], colour: "ink", points: [{x: 0, y: bar}, {x: most, y: bar}]});
    return lines(`${column} against ${title}, means with 95 % bands`, series, [title, kind], [column, "quality"], 340);
  };
  const hidden = race.length - shown.length;
  return el("div", {}, el("div", {class: "pair"}, make("time_s", "simulated time", "time"), make("bytes", "sent until then", "bytes")),
    el("p", {class: "note"}, `Bands are 95 % intervals over replicates.${bars.length > 1 && bars.some((value) => value !== bars[0]) && Number.isNaN(ownBar())
      ? " The target differs a little between replicates; the line is its mean." : ""} Dashed: not all runs reach the target.${
      hidden ? ` The best ${shown.length} are drawn; ${hidden} more are in the table.` : ""}`),
    folded("As a table", table("Curves", ["Choice", "Round", "Time", "Sent", column, "± half of 95 %"], shown.flatMap((row) => {
      const curve = page.entries[row.i].curve;
      return curve.round.map((round, k) => [names[row.i], {text: String(round), value: round, class: "number"}, figure(number(curve.time_s[k]), "time"),
        figure(number(curve.bytes[k]), "bytes"), figure(number(curve.value[k]), "quality"), figure(number(curve.half_width[k]), "quality")]);
    }))));
}

/* Whom nobody beats in time, bytes and quality at once: the whole runs, as `fedrecsim compare` does. */
function frontOf(race) {
  const rows = race.map((row) => ({row, time: figureOf(row.i, "simulated_s").mean, bytes: figureOf(row.i, "bytes.total").mean,
    quality: page.quality ? figureOf(row.i, page.quality).mean : 0})).filter((one) => ![one.time, one.bytes, one.quality].some(Number.isNaN));
  const sign = page.lower ? -1 : 1;
  const beats = (a, b) => a.time <= b.time && a.bytes <= b.bytes && sign * a.quality >= sign * b.quality &&
    (a.time < b.time || a.bytes < b.bytes || sign * a.quality > sign * b.quality);
  rows.forEach((one) => { one.front = !rows.some((other) => beats(other, one)); });
  return rows;
}

function paretoFront(race) {
  const rows = frontOf(race);
  if (!page.quality || rows.length < 2)
    return el("p", {}, "With one choice there is no front.");
  const wide = (key) => Math.min(...rows.map((one) => one[key])) > 0 && Math.max(...rows.map((one) => one[key])) > 30 * Math.min(...rows.map((one) => one[key]));
  const make = (key, title) => scatter(`${page.quality} against ${title} of the whole run`, rows.map((one) => ({name: names[one.row.i], x: one[key], y: one.quality,
    front: one.front})).sort((a, b) => a.x - b.x), [title, key, wide(key)], [page.quality, "quality"]);
  return el("div", {}, el("div", {class: "pair"}, make("time", "time"), make("bytes", "bytes")),
    table("Pareto front: whom nobody beats in time, bytes and quality at once", ["Choice", "On the front", "Time", "Bytes", page.quality],
      rows.map((one) => [names[one.row.i], one.front ? "yes" : "no", figure(one.time, "time"), figure(one.bytes, "bytes"), figure(one.quality, "quality")])));
}

/* Rows are choices, columns circumstances; of each column the winner, hatched with all who cannot be told from it. */
function winnersMap(races, measure) {
  const choices = [...new Set(page.entries.map((entry, i) => names[i]))];
  const cell = (choice, c) => {
    const row = races[c].find((one) => names[one.i] === choice);
    if (!row)
      return el("td", {}, DASH);
    const first = races[c][0], tied = first.standing === "tied" && (row === first || row.standing === "tied");
    const alone = row === first && first.standing === "first, one run";
    const kind = tied || alone ? "noise" : row === first && !Number.isNaN(row.found.mean) ? "winner" : null;
    return el("td", {class: kind, "data-value": Number.isNaN(row.found.mean) ? null : row.found.mean}, row.found.censored ? presentEstimate(row.found) : present(row.found.mean, measure.kind),
      kind ? el("span", {class: "under"}, kind === "winner" ? " wins" : alone ? " first, by one run" : " tied") : null);
  };
  return el("div", {class: "block"}, el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Who wins where"},
    el("table", {class: "map"}, el("caption", {}, `${measure.title()}: who wins under which circumstance`),
      el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "Choice"), page.circumstances.map((name, c) => el("th", {scope: "col"}, circumstanceName(c))))),
      el("tbody", {}, choices.map((choice) => el("tr", {}, el("th", {scope: "row"}, choice), page.circumstances.map((name, c) => cell(choice, c))))))),
    el("p", {class: "note"}, "Filled: ahead of all others. Hatched: first within noise, or by one run alone."), modelNote(races));
}

/* Where the circumstance differs in nothing but the network's model, and so does the winner. */
function modelNote(races) {
  const axis = page.axes.findIndex((one) => one.keys.includes("network.model"));
  if (axis < 0 || !page.one_sweep)
    return null;
  const turns = [];
  page.circumstances.forEach((name, c) => page.circumstances.forEach((other, d) => {
    const one = page.entries[races[c][0].i].labels, two = page.entries[races[d][0].i].labels;
    const same = one.every((label, k) => k === axis || page.axes[k].role === "choice" || label === two[k]);
    if (c < d && same && one[axis] !== two[axis] && names[races[c][0].i] !== names[races[d][0].i])
      turns.push(`${circumstanceName(c)} and ${circumstanceName(d)}`);
  }));
  return el("p", {class: "note"}, turns.length ? `Another model of the network has another winner: ${turns.join("; ")}.` : "Every model of the network that was tried has the same winner.");
}

function timeSection(race) {
  const rows = race.slice(0, MOST_ROWS_OF_BARS).map((row) => ({name: names[row.i], parts: pathOfEntry(row.i), i: row.i}));
  const used = PATH.filter((part) => rows.some((row) => row.parts[part] > 0));
  return el("div", {}, stacked("Critical path of the whole run, by choice", rows, used, true, "time", "time of the whole run", 90 + 34 * rows.length),
    folded("As a table", table("Critical path of the whole run", ["Choice", ...used.map((part) => PART_NAMES[part])],
      race.map((row) => [names[row.i], ...used.map((part) => estimateCell(figureOf(row.i, `critical_path.${part}_s`), "time"))]))));
}

function bytesSection(race) {
  const columns = [["bytes.down", "Down"], ["bytes.up", "Up"], ["bytes.setup_down", "Connecting, down"], ["bytes.setup_up", "Connecting, up"],
    ["bytes.resent_down", "Sent again, down"], ["bytes.resent_up", "Sent again, up"], ["bytes.wasted", "Wasted"]];
  const causes = [];
  for (const row of race)
    for (const metric of Object.keys(page.entries[row.i].figures)) {
      const found = /^waste_by_cause\.(.*)\.by_outcome\.(.*)\.participations$/.exec(metric);
      if (found)
        causes.push([names[row.i], row.i, found[1], found[2]]);
    }
  const wasteOf = (i, cause, outcome) => Object.fromEntries(["participations", "down_bytes", "up_bytes", "setup_down_bytes", "setup_up_bytes", "flop"]
    .map((what) => [what, figureOf(i, `waste_by_cause.${cause}.by_outcome.${outcome}.${what}`).mean]));
  return el("div", {}, table("Bytes of the whole run", ["Choice", ...columns.map(([, title]) => title), "Wasted share"],
    race.map((row) => [names[row.i], ...columns.map(([metric]) => estimateCell(figureOf(row.i, metric), "bytes")), estimateCell(figureOf(row.i, "bytes.wasted_share"), "share")])),
  causes.length ? folded("Wasted, by cause and phase", table("Wasted, by cause and phase: means over the runs that had it", ["Choice", ...WASTE_HEAD],
    causes.map(([name, i, cause, outcome]) => [name, ...wasteRow(cause.replaceAll("_", " "), outcome, wasteOf(i, cause, outcome))]))) : el("p", {}, "Nothing was wasted."));
}

function leftOutSection(race) {
  const rows = [];
  for (const row of race) {
    const clients = page.entries[row.i].clients;
    for (const family of clients.families) {
      const found = clients.quality ? spreadOf(family, page.lower) : null;
      const shares = family.groups.map((group) => ({name: group.name, share: number(group.delivered) / number(group.participations)})).filter((one) => !Number.isNaN(one.share));
      const least = shares.length ? shares.reduce((a, b) => b.share < a.share ? b : a) : null;
      rows.push([names[row.i], family.name, found ? `${found.worst.name}: ${present(found.worst.quality, kindOf(clients.quality))}` : DASH,
        found ? `${found.best.name}: ${present(found.best.quality, kindOf(clients.quality))}` : DASH,
        found ? figure(found.spread, kindOf(clients.quality)) : DASH,
        least ? {text: `${least.name}: ${present(least.share, "share")}`, value: least.share} : DASH]);
    }
  }
  const place = el("div");
  const show = () => place.replaceChildren(...leftOut(page.entries[Number(select.value)].clients, page.lower).filter(Boolean));
  const select = el("select", {id: "who", onchange: show}, race.map((row) => el("option", {value: row.i}, names[row.i])));
  show();
  return el("div", {}, rows.length ? table("Spread between the groups of clients", ["Choice", "Groups by", "Worst quality", "Best quality", "Spread", "Least delivered"], rows) : null,
    el("p", {}, el("label", {for: "who"}, "Everything about "), select), place);
}

function formulaSection(race) {
  const rows = race.filter((row) => !Number.isNaN(figureOf(row.i, "closed_form.round_s").mean));
  return rows.length ? table("A round, by the formula that papers use and as simulated", ["Choice", "By the formula", "Simulated", "Formula / simulation"],
    rows.map((row) => [names[row.i], estimateCell(figureOf(row.i, "closed_form.round_s"), "time"), estimateCell(figureOf(row.i, "closed_form.simulated_round_s"), "time"),
      estimateCell(figureOf(row.i, "closed_form.to_simulated"), "plain")])) : el("p", {}, "No formula applies to these runs.");
}

function settingsSection(race) {
  const keys = Object.keys(page.differing_settings).filter((key) => race.some((row) => page.differing_settings[key][row.i] !== page.differing_settings[key][race[0].i]));
  const varied = new Set(page.axes.flatMap((axis) => axis.keys));
  return keys.length ? table(`Settings in which these differ`, ["Setting", "Varied on purpose", ...race.map((row) => names[row.i])],
    keys.map((key) => [key, varied.has(key) ? "yes" : page.axes.length ? "no" : DASH, ...race.map((row) => page.differing_settings[key][row.i] ?? DASH)])) : el("p", {}, "In none.");
}

function provenanceSection() {
  const p = page.provenance, all = {...page.common_settings}, varies = (key) => all[key] ?? (page.differing_settings[key] ? "differs, see above" : DASH);
  const seeds = [...new Set(page.entries.flatMap((entry) => entry.seeds))];
  const about = {version: p.version, protocol: p.protocol, candidates: p.candidates, "data": p.data ? p.data.description : DASH, "hash of the data": p.data_hash,
    "users tied at the test item": p.data && p.data.users_tied_at_test !== undefined ? String(p.data.users_tied_at_test) : "not counted",
    target: page.target ? page.target.text : "none", seeds: seeds.join(", "), "network model": varies("network.model"),
    "notices a lost client after": varies("failures.detect"), "tries again": varies("failures.retry.times")};
  return el("div", {}, table("Provenance", ["What", "Value"], Object.entries(about).map(([key, value]) => [key, String(value ?? DASH)])),
    folded("Settings that all have alike", settingsTable("Settings that all have alike", page.common_settings)));
}

/* ---- controls ---- */

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1));
  for (const key of ["by", "target", "budget", "most"])
    if (found.has(key))
      state[key] = found.get(key);
  const circumstance = page.circumstances.indexOf(found.get("under"));
  state.circumstance = circumstance >= 0 ? circumstance : 0;
}

function writeAddress() {
  const kept = new URLSearchParams();
  if (state.circumstance > 0)
    kept.set("under", page.circumstances[state.circumstance]);
  for (const [key, usual] of [["by", "auto"], ["target", ""], ["budget", "none"], ["most", ""]])
    if (state[key] !== usual)
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
  const input = (id, key, hint) => {
    const element = el("input", {id, type: "text", placeholder: hint, autocomplete: "off", onchange: set(key)});
    element.value = state[key];
    return element;
  };
  return el("form", {class: "controls", "aria-label": "What is shown", onsubmit: (event) => event.preventDefault()},
    field("under", "Circumstance", select("under", "circumstance", page.circumstances.map((name, i) => [i, circumstanceName(i)]), Number)),
    field("by", "Rank by", select("by", "by", [["auto", "what the tables go by"], ...Object.keys(MEASURES).filter((key) => key === "budget" ? page.entries[0].records : available(key))
      .map((key) => [key, key === "budget" ? "best within the budget" : MEASURES[key].title()])])),
    page.entries[0].records ? field("target", `Target (${page.entries[0].column})`, input("target", "target", page.target ? "as planned" : "none")) : null,
    page.entries[0].records ? field("budget", "Budget of", select("budget", "budget", [["none", "none"], ["time", "time"], ["bytes", "bytes"]])) : null,
    page.entries[0].records ? field("most", "at most", input("most", "most", "10 min, 50 MB")) : null);
}

/* The first few; the others folded. */
function warningsOf(texts) {
  const paragraph = (text) => el("p", {class: "warning", role: "note"}, text);
  return [...texts.slice(0, 4).map(paragraph), ...(texts.length > 4 ? [folded(`${texts.length - 4} more like these`, texts.slice(4).map(paragraph))] : [])];
}

function comparisonPage(data) {
  page = data;
  names = entryNames(data);
  document.title = `${data.entries.length} compared: fedrecsim report`;
  readAddress();
  const answer = el("p", {class: "answer", id: "now", "aria-live": "polite"}), parts = {};
  const part = (key, title, lead) => { parts[key] = el("div", {id: `part-${key}`}); return section(title, lead, parts[key]); };
  const update = () => {
    writeAddress();
    const measure = MEASURES[measureKey()], races = rankAll(measure), race = races[state.circumstance];
    answer.textContent = sentenceOf(race, measure);
    parts.ranking.replaceChildren(rankedTable(race, measure));
    parts.curves.replaceChildren(curveCharts(race));
    parts.front.replaceChildren(paretoFront(race));
    parts.map.replaceChildren(winnersMap(races, measure));
    parts.time.replaceChildren(timeSection(race));
    parts.bytes.replaceChildren(bytesSection(race));
    parts.clients.replaceChildren(leftOutSection(race));
    parts.formula.replaceChildren(formulaSection(race));
    parts.settings.replaceChildren(settingsSection(race));
    drawCharts();
  };
  const build = () => controls(update);
  let form = build();
  document.getElementById("main").replaceChildren(...[el("h1", {}, `${data.entries.length} compared${data.circumstances.length > 1 ? ` under ${data.circumstances.length} circumstances` : ""}`),
    el("p", {class: "answer"}, data.headline), warningsOf(data.warnings), form,
    answer, data.target ? el("p", {class: "soft"}, `Target: ${data.target.text}.`) : null,
    part("ranking", "Ranking", "“Ahead”, “tied” and “behind” go by paired differences of runs with the same seed; all comparisons of this page together are wrong at most once in twenty."),
    part("curves", "Quality against time and bytes"),
    part("front", "Pareto front"),
    part("map", "Who wins where"),
    part("time", "Where the time went", "Sums of the rounds' critical paths; what is large here is worth making smaller."),
    part("bytes", "Bytes and waste"),
    part("clients", "Who is left out"),
    part("formula", "The closed form beside the simulation"),
    part("settings", "Settings in which they differ"),
    section("What this is about", null, provenanceSection())].flat().filter(Boolean));
  update();
  addEventListener("hashchange", () => {
    Object.assign(state, {by: "auto", target: "", circumstance: 0, budget: "none", most: ""});
    readAddress();
    const anew = build();
    form.replaceWith(anew);
    form = anew;
    update();
  });
  footer(data, "fedrecsim report DIR...");
}
