/* The page of a comparison: runs, or cells of sweeps. Everything follows the controls, and the address keeps their state. */

const MOST_CURVES = 8, MOST_ROWS_OF_BARS = 24, MOST_HEAD_ROWS = 12;

function pathOfEntry(i) {
  return Object.fromEntries(PATH.map((part) => [part, figureOf(i, `critical_path.${part}_s`).mean || 0]));
}

function bindingOfEntry(i) {
  return bindingOf(pathOfEntry(i), figureOf(i, "critical_path.server_link_s").mean || 0, {
    scheduled_s: figureOf(i, "idle.scheduled_s").mean, clients_s: figureOf(i, "idle.clients_s").mean});
}

function bindingCell(i) {
  const bound = bindingOfEntry(i);
  return Number.isNaN(bound.share) ? DASH : {text: `${bound.name}, ${present(bound.share, "share")}`, value: bound.name};
}

/* ---- the head ---- */

const HEAD_TITLES = {time_to_target_s: "Time to target", sent_bytes_to_target: "Bytes to target", simulated_s: "Time of the whole run", "bytes.sent": "Bytes of the whole run"};

/* Who is first by time, bytes and quality under each environment, and whether that is decided: what the program says
 * (analysis/sentence/head.h), as long as the controls choose nothing else. */
function headTable() {
  const columns = [["time", "Time"], ["bytes", "Bytes"], ["quality", "Quality"]].filter(([key]) => page.head.some((row) => row[key]));
  const titleOf = (cell) => HEAD_TITLES[cell.metric] || (kindOf(cell.metric) === "quality" ? `${cell.metric}, ${itemsOf(cell.metric)}` : cell.metric), alike = (key) => new Set(page.head.filter((row) => row[key]).map((row) => row[key].metric)).size === 1;
  const cellOfHead = (cell, key) => {
    if (!cell || cell.leader === null)
      return cell ? "no run reaches it" : DASH;
    const text = `${names[cell.leader]} ${cell.amount}`;
    return {text: `${text}; ${cell.verdict}`, element: el("span", {class: "told"}, el("span", {class: "where"}, `${titleOf(cell)}: `), el("span", {class: `swatch series${hueOf(cell.leader) % SERIES}`}), el("strong", {}, text),
      alike(key) ? null : ` ${lowered(titleOf(cell))}`, el("span", {class: cell.decided ? "under settled" : "under"}, cell.verdict))};
  };
  return table("Who is first, and whether that is decided", [...(page.environments.length > 1 ? ["Environment"] : ["Measured by"]),
    ...columns.map(([key, title]) => alike(key) ? titleOf(page.head.find((row) => row[key])[key]) : title)],
  page.head.map((row, c) => [page.environments.length > 1 ? environmentName(c) : "all runs", ...columns.map(([key]) => cellOfHead(row[key], key))]), {plain: true});
}

/* With one entry under each environment no entry is first. */
function hasHead() {
  return isAsPlanned() && !page.across && page.head.length <= MOST_HEAD_ROWS && page.environments.some((name, c) => membersOf(c).length > 1);
}

/* ---- baselines without federation ---- */

function baselines() {
  const found = Object.keys(page.entries[0].figures).map((name) => /^non_federated\.(.+)\.[^.]+$/u.exec(name)).filter(Boolean).map(([, name]) => name);
  return [...new Set(found)];
}

/* The mean over the runs of an environment: of one data set it is the same in all that have its seed. */
function baselineOf(name, column, environment) {
  return meanOf(membersOf(environment).flatMap((i) => values(i, `non_federated.${name}.${column}`)).filter(Number.isFinite));
}

/* Who never reaches the target is no more than "tied" where so few runs do not rule out chance: that is said. */
function standingCell(row) {
  return row.standing === STANDINGS.tied && neverReaches(row) ? {text: "did not reach, by few runs", class: "not"} : {text: row.standing, class: row.standing.split(" ")[0].replace(",", "")};
}

/* A row among the ranked, without a place: its quality, and nothing that it would have sent. */
function baselineRow(name, race, others, saves) {
  const value = baselineOf(name, page.quality, state.environment), none = {text: DASH, class: "number", value: NaN};
  const cell = (key) => key === "quality" ? figure(value, kindOf(page.quality)) : none;
  return [name, race.measure === MEASURES.quality ? cell("quality") : none, none, none, {text: "not federated", class: "not"}, DASH, ...(saves ? [DASH] : []), ...others.map(cell), none];
}

/* What the figures rest on: method, protocol, data and seeds. */
function factsOf() {
  const p = page.provenance, method = page.common_settings["method.name"], seeds = [...new Set(page.entries.flatMap((entry) => entry.seeds))];
  const order = p.data && (/, order: ([^,]*)$/u.exec(p.data.description) || [])[1];
  const described = method === "declared" ? [DECLARED, seeds.length === 1 ? `seed ${seeds[0]}; one seed: no interval` : `${seeds.length} seeds`].join("; ") : [method ? `Method ${method}` : null, `protocol ${protocolText(p.protocol)}, ${candidatesText(p.candidates, page.common_settings["evaluation.negatives"])}`, order ? `held out: ${HELD_OUT[order] || order}` : null, p.data ? `data: ${p.data.description.replace(/, order: [^,]*$/u, "")}` : null,
    seeds.length === 1 ? `seed ${seeds[0]}; one seed: no interval` : `${seeds.length} seeds`].filter(Boolean).join("; ");
  return el("p", {class: "soft", id: "facts"}, `${described[0].toUpperCase()}${described.slice(1)}.`);
}

/* Where all of an environment are worse than recommending to everyone what most users have. */
function belowPopularity() {
  const name = baselines().includes("popularity") ? "popularity" : baselines()[0];
  if (!name || !page.quality || page.across)
    return "";
  const worse = page.environments.map((_, c) => c).filter((c) => {
    const bar = baselineOf(name, page.quality, c), means = membersOf(c).map((i) => figureOf(i, page.quality).mean);
    return means.length > 0 && means.every((mean) => page.lower ? mean > bar : mean < bar);
  });
  if (worse.length === 0)
    return "";
  const where = page.environments.length === 1 ? "E" : worse.length === page.environments.length ? "Under every environment e" : `Under ${listed(worse.slice(0, 3).map(environmentName))}${worse.length > 3 ? ` and ${worse.length - 3} more` : ""} e`;
  return `${where}verything compared ends, on average, ${page.lower ? "worse than" : "below"} ${name} in ${page.quality} (${present(baselineOf(name, page.quality, worse[0]), kindOf(page.quality))}${
    worse.length > 1 ? ` under ${environmentName(worse[0])}` : ""}): what is first here is still no better than that.`;
}

function rankedTable(race) {
  const {measure, rows} = race, others = ["quality", "time", "bytes", "money", "duration", "sent", "spent"].filter((key) => MEASURES[key] !== measure && available(key));
  const saves = rows.some((row) => hasWhatIfs(row.i)), place = (row, k) => k > 0 && rows[k - 1].found.mean === row.found.mean ? "" : String(k + 1);
  return table(page.across ? `${measure.title()}, side by side` : `${measure.title()} under ${environmentName(state.environment)}`,
    [page.across ? "Run" : "Design", measure.title(), "Place", "Better than the next by", "Standing", "Most time in", ...(saves ? ["Would save most"] : []), ...others.map((key) => MEASURES[key].title()), "Runs"],
    rows.map((row, k) => [names[row.i], estimateCell(row.found, measure.kind), {text: place(row, k) || `${k + 1}=`, value: k + 1, class: "number"},
      Number.isNaN(row.next.mean) ? {text: DASH, class: "number", value: NaN} : estimateCell({...row.next, mean: Math.abs(row.next.mean)}, measure.kind),
      standingCell(row), bindingCell(row.i), ...(saves ? [bestChangeText(row.i)] : []),
      ...others.map((key) => estimateCell(estimate(MEASURES[key].of(row.i), page.t, MEASURES[key].steps(row.i)), MEASURES[key].kind)), {text: String(row.values.length), value: row.values.length, class: "number"}]).concat(
      page.quality && (measure === MEASURES.quality || others.includes("quality")) ? baselines().map((name) => baselineRow(name, race, others, saves)) : []),
    {rowClass: (i) => i >= rows.length ? "baseline" : rows[i] === race.leader ? "best" : null});
}

/* Which items a column of quality is of. */
function itemsOf(column) {
  return column.startsWith("validation_") ? "validation items" : column.startsWith("participants_") ? "test items of participants" : "test items";
}

/* The curve of an entry on the items of a column. */
function curveOf(i, column) {
  const {curve, other} = page.entries[i];
  return other && other.column === column ? {...curve, ...other.curve} : curve;
}

/* Half of the interval; one run has none. */
function halfOf(curve, k) {
  return curve.half_width ? number(curve.half_width[k]) : NaN;
}

/* Curves, baselines and target of the same items: of those that the target goes by, or of the others. */
function curveCharts(race) {
  const shown = race.rows.filter((row) => page.entries[row.i].curve && page.entries[row.i].curve.round.length).slice(0, MOST_CURVES);
  if (shown.length === 0)
    return el("p", {}, "No run was evaluated: there are no curves.");
  const {column, other} = page.entries[shown[0].i], place = el("div");
  const show = (chosen) => { state.items = chosen; place.replaceChildren(...curvesOfItems(race, shown, chosen)); drawCharts(); };
  const there = [column, ...(other ? [other.column] : [])], now = there.includes(state.items) ? state.items : column;
  place.append(...curvesOfItems(race, shown, now));
  return el("div", {}, there.length > 1 ? choice("of", there.map((one) => [one, itemsOf(one)]), now, show) : null, place, listFigures(race));
}

/* Every figure of ranked test items, a table for each cut-off, where runs have several cut-offs or held-out items of a
 * user (whose recall is not the hit rate); null otherwise. */
function listFigures(race) {
  const order = ["hr", "ndcg", "recall", "precision", "mrr", "map", "auc"], place = (metric) => order.indexOf(metric.split("@")[0]);
  const ofLists = /^(hr|ndcg|recall|precision|mrr|map)@[0-9]+$|^auc$/u, cutOf = (metric) => metric.split("@")[1] || "";
  const found = [...new Set(race.rows.flatMap((row) => Object.keys(page.entries[row.i].figures)))].filter((metric) => ofLists.test(metric)).sort((a, b) => place(a) - place(b));
  const cutOffs = [...new Set(found.map(cutOf))].sort((a, b) => (Number(a) || Infinity) - (Number(b) || Infinity)), several = race.rows.some((row) => found.some((metric) => metric.startsWith("recall@") && figureOf(row.i, metric).mean !== figureOf(row.i, `hr@${cutOf(metric)}`).mean));
  if (cutOffs.filter((k) => k).length < 2 && !several)
    return null;
  return folded("Every figure of ranked lists", ...cutOffs.map((k) => {
    const shown = found.filter((metric) => cutOf(metric) === k);
    return table(k ? `Ranked lists up to ${k}, test items` : "Ranked lists as a whole, test items", ["Design", ...shown],
      race.rows.map((row) => [names[row.i], ...shown.map((metric) => estimateCell(figureOf(row.i, metric), "quality"))]));
  }));
}

function curvesOfItems(race, shown, column) {
  const bars = page.entries[shown[0].i].thresholds.map(number).filter((bar) => !Number.isNaN(bar));
  const bar = Number.isNaN(ownBar()) ? (bars.length ? meanOf(bars) : NaN) : ownBar();
  const isTarget = column === page.entries[shown[0].i].column;
  const make = (by, title, kind) => {
    const series = shown.map((row) => {
      const curve = curveOf(row.i, column), reached = MEASURES.time.of(row.i).filter((value) => value === Infinity).length;
      return {hue: hueOf(row.i), name: `${names[row.i]}${reached ? ` (${reached} of ${row.values.length} do not reach it)` : ""}`, dash: reached ? [6, 3] : [],
        points: curve[by].map((x, k) => ({x: number(x), y: number(curve.value[k]), half: halfOf(curve, k) || 0}))};
    });
    const most = Math.max(...series.flatMap((one) => one.points.map((point) => point.x)));
    for (const name of baselines()) {
      const value = baselineOf(name, column, state.environment);
      if (!Number.isNaN(value))
        series.push({name, flat: true, thin: true, dash: [6, 4], hue: new Set(names).size + baselines().indexOf(name), points: [{x: 0, y: value}, {x: most, y: value}]});
    }
    if (!Number.isNaN(bar) && isTarget)
      series.push({name: "target", flat: true, thin: true, dash: [2, 3], colour: "ink", points: [{x: 0, y: bar}, {x: most, y: bar}]});
    return lines(`${page.quality || column} of ${itemsOf(column)} against ${title}, means with 95 % bands`, series, [title, kind], [`${page.quality || column}, ${itemsOf(column)}`, "quality"], 340);
  };
  const hidden = race.rows.length - shown.length;
  const notes = [
    [shown.some((row) => row.values.length > 1), "Bands are 95 % intervals over replicates."],
    [isTarget && bars.length > 1 && bars.some((value) => value !== bars[0]) && Number.isNaN(ownBar()), "The target differs a little between replicates; the line is its mean."],
    [shown.some((row) => MEASURES.time.of(row.i).includes(Infinity)), "Dashed: not all runs reach the target."],
    [!isTarget && !Number.isNaN(bar), `The target is one of ${itemsOf(page.entries[shown[0].i].column)}: it has no line among ${itemsOf(column)}.`],
    [hidden > 0, `The best ${shown.length} are drawn; ${hidden} more are in the table.`]];
  return [el("div", {class: "pair"}, make("time_s", "simulated time", "time"), make("bytes", "sent until then", "bytes")),
    el("p", {class: "note"}, notes.filter(([applies]) => applies).map(([, note]) => note).join(" ")),
    folded("As a table", table("Curves", ["Design", "Round", "Time", "Sent", column, "± half of 95 %"], shown.flatMap((row) => {
      const curve = curveOf(row.i, column);
      return curve.round.map((round, k) => [names[row.i], {text: String(round), value: round, class: "number"}, figure(number(curve.time_s[k]), "time"),
        figure(number(curve.bytes[k]), "bytes"), figure(number(curve.value[k]), "quality"), figure(halfOf(curve, k), "quality")]);
    })))];
}

/* Designs that no other beats in time, bytes and quality at once, as `fedrecsim compare` does: time and bytes to the target if one
 * of them gets there in all of its runs, otherwise those of the whole runs. Who misses it in some run has no place. */
function frontOf(race) {
  const reached = race.rows.some((row) => reachOf(row.i, "time").every(Number.isFinite)), keys = reached ? ["time", "bytes"] : ["duration", "sent"];
  const found = (key, i) => estimate(MEASURES[key].of(i), page.t, MEASURES[key].steps(i));
  const all = race.rows.map((row) => ({row, estimates: {time: found(keys[0], row.i), bytes: found(keys[1], row.i), quality: page.quality ? figureOf(row.i, page.quality) : MEAN_OF_NOTHING}}))
    .map((one) => ({...one, time: one.estimates.time.mean, bytes: one.estimates.bytes.mean, quality: page.quality ? one.estimates.quality.mean : 0}));
  const points = all.filter((one) => ![one.time, one.bytes, one.quality].some(Number.isNaN));
  const unplaced = all.filter((one) => one.estimates.time.censored).map((one) => ({...one, reached: presentEstimate(one.estimates.time, "time")}));
  const sign = page.lower ? -1 : 1;
  const beats = (a, b) => a.time <= b.time && a.bytes <= b.bytes && sign * a.quality >= sign * b.quality &&
    (a.time < b.time || a.bytes < b.bytes || sign * a.quality > sign * b.quality);
  points.forEach((one) => { one.front = !points.some((other) => beats(other, one)); });
  return {points, unplaced, of: reached ? "to target" : "of the whole run"};
}

function paretoFront(race) {
  const {points, unplaced, of} = frontOf(race);
  if (!page.quality || points.length === 0 || points.length + unplaced.length < 2)
    return el("p", {}, "With one design there is no front.");
  const wide = (key) => Math.min(...points.map((one) => one[key])) > 0 && Math.max(...points.map((one) => one[key])) > 30 * Math.min(...points.map((one) => one[key]));
  const make = (key) => scatter(`${page.quality} against ${key} ${of}`, points.map((one) => ({name: names[one.row.i], x: one[key], y: one.quality, hue: hueOf(one.row.i),
    halfX: one.estimates[key].half || 0, half: one.estimates.quality.half || 0, front: one.front})).sort((a, b) => a.x - b.x), [`${key} ${of}`, key, wide(key)], [page.quality, "quality"]);
  return el("div", {}, el("div", {class: "pair"}, make("time"), make("bytes")),
    table(`Pareto front: designs that no other beats in time and bytes ${of} and in ${page.quality} at once`, ["Design", "On the front", `Time ${of}`, `Bytes ${of}`, page.quality],
      [...points.map((one) => [names[one.row.i], one.front ? "yes" : "no", estimateCell(one.estimates.time, "time"), estimateCell(one.estimates.bytes, "bytes"), estimateCell(one.estimates.quality, kindOf(page.quality))]),
        ...unplaced.map((one) => [names[one.row.i], "not placed", one.reached, one.reached, estimateCell(one.estimates.quality, kindOf(page.quality))])]));
}

/* Rows are designs, columns environments; of each column the winner, hatched with all that are not significantly different from it. */
function winnersMap(races) {
  const designs = [...new Set(names)], places = races.map((race) => new Map(race.rows.map((row) => [names[row.i], row])));
  const alike = races.every((race) => race.measure === races[0].measure);
  const cell = (design, c) => {
    const row = places[c].get(design), race = races[c];
    if (!row)
      return el("td", {}, DASH);
    const first = race.leader, tied = first && first.standing === STANDINGS.tied && row.standing === STANDINGS.tied;
    const alone = row === first && first.standing === STANDINGS.one, kind = tied || alone ? "noise" : row === first && first.standing === STANDINGS.ahead ? "winner" : null;
    return el("td", {class: kind, "data-value": Number.isNaN(row.found.mean) ? null : row.found.mean}, row.found.censored ? presentEstimate(row.found) : present(row.found.mean, race.measure.kind),
      kind ? el("span", {class: "under"}, tied && neverReaches(row) ? " never arrives; not decided by so few runs" : kind === "winner" ? " wins" : alone ? " first, by one run" : row === first ? " first, tied" : " tied") : null);
  };
  return el("div", {class: "block"}, el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Who wins where"},
    el("table", {class: "map"}, el("caption", {}, `${alike ? races[0].measure.title() : "What each environment goes by"}: who wins under which environment`),
      el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "Design"), page.environments.map((name, c) => el("th", {scope: "col"}, environmentName(c),
        alike ? null : el("span", {class: "under"}, ` (${lowered(races[c].measure.title())})`))))),
      el("tbody", {}, designs.map((design) => el("tr", {}, el("th", {scope: "row"}, design), page.environments.map((name, c) => cell(design, c))))))),
    el("p", {class: "note"}, `Filled: ahead of all others. Hatched: first, or not decided against the first (tied), or first by one run alone. A hatched design of which no run reaches the target is behind in each of its runs, but they are too few to rule out chance.${
      alike ? "" : " Where no design reaches the target in all of its runs, quality decides."}`), modelNote(races));
}

/* Where the environment differs in nothing but the network's model, and so does the winner. An entry alone wins nothing. */
function modelNote(races) {
  const axis = page.axes.findIndex((one) => one.keys.length === 1 && one.keys[0] === "network.model");
  if (axis < 0 || !page.one_sweep || races.every((race) => race.rows.length < 2))
    return null;
  const turns = [];
  page.environments.forEach((name, c) => page.environments.forEach((other, d) => {
    const first = races[c].leader, second = races[d].leader;
    if (c >= d || !first || !second || names[first.i] === names[second.i])
      return;
    const one = page.entries[first.i].labels, two = page.entries[second.i].labels;
    if (one[axis] !== two[axis] && one.every((label, k) => k === axis || page.axes[k].role === "design" || label === two[k]))
      turns.push(`${environmentName(c)} and ${environmentName(d)}`);
  }));
  return el("p", {class: "note"}, turns.length ? `Another model of the network has another winner: ${turns.join("; ")}.` : "Every model of the network that was tried has the same winner.");
}

function timeSection(all) {
  const rows = all.slice(0, MOST_ROWS_OF_BARS).map((row) => ({name: names[row.i], parts: pathOfEntry(row.i), i: row.i}));
  const used = PATH.filter((part) => rows.some((row) => row.parts[part] > 0));
  return el("div", {}, helpsTable(all), stacked("Critical path of the whole run, by design", rows, used, true, "time", "time of the whole run", 90 + 34 * rows.length),
    folded("As a table", table("Critical path of the whole run", ["Design", ...used.map((part) => PART_NAMES[part])],
      all.map((row) => [names[row.i], ...used.map((part) => estimateCell(figureOf(row.i, `critical_path.${part}_s`), "time"))]))));
}

/* Of all that was sent, connecting and messages of edges included. */
function wastedShares(i) {
  const sent = values(i, "bytes.sent");
  return values(i, "bytes.sent_wasted").map((wasted, k) => sent[k] > 0 ? wasted / sent[k] : NaN);
}

function bytesSection(all) {
  const columns = [["bytes.sent", "Sent"], ["bytes.down", "Messages, down"], ["bytes.catchup_down", "Of these to catch up"], ["bytes.up", "Messages, up"], ["bytes.setup_down", "Connecting, down"], ["bytes.setup_up", "Connecting, up"],
    ...(all.some((row) => figureOf(row.i, "bytes.edge_down").mean > 0) ? [["bytes.edge_down", "To edges"], ["bytes.edge_up", "From edges"]] : []),
    ["bytes.resent_down", "Sent again, down"], ["bytes.resent_up", "Sent again, up"], ["bytes.sent_wasted", "Wasted"]];
  const causes = [];
  for (const row of all)
    for (const metric of Object.keys(page.entries[row.i].figures)) {
      const found = /^waste_by_cause\.(.*)\.by_outcome\.(.*)\.participations$/.exec(metric);
      if (found)
        causes.push([names[row.i], row.i, found[1], found[2]]);
    }
  const wasteOf = (i, cause, outcome) => Object.fromEntries(["participations", "down_bytes", "up_bytes", "setup_down_bytes", "setup_up_bytes", "flop"]
    .map((what) => [what, figureOf(i, `waste_by_cause.${cause}.by_outcome.${outcome}.${what}`).mean]));
  return el("div", {}, table("Bytes of the whole run", ["Design", ...columns.map(([, title]) => title), "Wasted share"],
    all.map((row) => [names[row.i], ...columns.map(([metric]) => estimateCell(figureOf(row.i, metric), "bytes")), estimateCell(estimate(wastedShares(row.i), page.t), "share")])),
  causes.length ? folded("Wasted, by cause and phase", table("Wasted, by cause and phase: means over the runs that had it", ["Design", ...WASTE_HEAD],
    causes.map(([name, i, cause, outcome]) => [name, ...wasteRow(cause.replaceAll("_", " "), outcome, wasteOf(i, cause, outcome))]))) : el("p", {}, "Nothing was wasted."));
}

function leftOutSection(all) {
  const rows = [];
  for (const row of all) {
    const clients = page.entries[row.i].clients;
    for (const family of clients.families) {
      const found = clients.quality ? spreadOf(family, page.lower) : null;
      const shares = family.groups.map((group) => ({name: group.name, share: number(group.delivered) / number(group.participations)})).filter((one) => !Number.isNaN(one.share));
      const least = shares.length ? shares.reduce((a, b) => b.share < a.share ? b : a) : null;
      rows.push([names[row.i], family.name, found ? `${found.worst.name}: ${present(found.worst.quality, kindOf(clients.quality))}` : DASH,
        found ? `${found.best.name}: ${present(found.best.quality, kindOf(clients.quality))}` : DASH,
        found && differs(clients, family) ? figure(found.spread, kindOf(clients.quality)) : found ? "none beyond chance" : DASH,
        least ? {text: `${least.name}: ${present(least.share, "share")}`, value: least.share} : DASH]);
    }
  }
  const place = el("div");
  const show = () => place.replaceChildren(...leftOut(page.entries[Number(select.value)].clients, page.lower).filter(Boolean));
  const select = el("select", {id: "who", onchange: show}, all.map((row) => el("option", {value: row.i}, names[row.i])));
  show();
  return el("div", {}, rows.length ? table("Groups of clients, and whether they differ in quality", ["Design", "Groups by", "Worst quality", "Best quality", "Spread", "Least delivered"], rows) : null,
    el("p", {}, el("label", {for: "who"}, "Everything about "), select), place);
}

function formulaSection(all) {
  const rows = all.filter((row) => !Number.isNaN(figureOf(row.i, "closed_form.round_s").mean));
  return rows.length ? table("A round, by the formula that papers use and as simulated", ["Design", "By the formula", "Simulated", "Formula / simulation"],
    rows.map((row) => [names[row.i], estimateCell(figureOf(row.i, "closed_form.round_s"), "time"), estimateCell(figureOf(row.i, "closed_form.simulated_round_s"), "time"),
      estimateCell(figureOf(row.i, "closed_form.to_simulated"), "plain")])) : el("p", {}, "No formula applies to these runs.");
}

function settingsSection(all) {
  const keys = Object.keys(page.differing_settings).filter((key) => all.some((row) => page.differing_settings[key][row.i] !== page.differing_settings[key][all[0].i]));
  const varied = new Set(page.axes.flatMap((axis) => axis.keys)), isVaried = (key) => varied.has(key) || varied.has(key.replace(/\.(name|value|model|preset)$/u, "")); /* `--vary method.up=…` sets method.up.value */
  return keys.length ? table(`Settings in which these differ`, ["Setting", ...(page.axes.length ? ["Varied on purpose"] : []), ...all.map((row) => names[row.i])],
    keys.map((key) => [key, ...(page.axes.length ? [isVaried(key) ? "yes" : "no"] : []), ...all.map((row) => page.differing_settings[key][row.i] ?? DASH)])) : el("p", {}, "In none.");
}

function provenanceSection() {
  const p = page.provenance, all = {...page.common_settings}, varies = (key) => all[key] ?? (page.differing_settings[key] ? "differs, see above" : DASH);
  const seeds = [...new Set(page.entries.flatMap((entry) => entry.seeds))], pooled = page.entries.filter((entry) => entry.paths.length > 1);
  const about = {version: p.version, protocol: protocolText(p.protocol), candidates: p.candidates, "data": p.data ? p.data.description : DASH, "hash of the data": p.data_hash,
    "users tied at the test item": p.data && p.data.users_tied_at_test !== undefined ? String(p.data.users_tied_at_test) : "not counted",
    target: page.target ? page.target.text : "none", seeds: seeds.join(", "), ...(pooled.length ? {"replicates, because they differ in the seed alone": pooled.map((entry) => entry.paths.join(", ")).join("; ")} : {}), "network model": varies("network.model"),
    "notices a lost client after": varies("failures.detect"), "tries again": varies("failures.retry.times")};
  return el("div", {}, table("Provenance", ["What", "Value"], Object.entries(about).map(([key, value]) => [key, String(value ?? DASH)])),
    folded("Settings that all have alike", settingsTable("Settings that all have alike", page.common_settings)));
}

