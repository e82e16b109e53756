/* Against what was varied: quality and time of a sweep against each axis of numbers, and any figure against any axis, under the rest
 * of the chosen environment. */

const MOST_PANELS = 8;

/* The number of a label, of "30 %" too; NaN: it is none. */
function numberOfLabel(label) {
  return typed(label.replace(/\s*%\s*$/, ""));
}

/* The different labels of an axis, in the order of the sweep. */
function levelsOf(k) {
  return [...new Set(page.entries.map((entry) => entry.labels[k]))];
}

/* Axes that were varied. */
function variedAxes() {
  return !page.one_sweep || page.across ? [] : page.axes.map((axis, k) => k).filter((k) => levelsOf(k).length > 1);
}

/* Labels that are different numbers; all of them percentages, or none but 0. */
function isOfNumbers(k) {
  const labels = levelsOf(k), found = labels.map(numberOfLabel), parts = labels.filter((label, i) => /%\s*$/.test(label) && found[i] !== 0);
  return found.every(Number.isFinite) && new Set(found).size === labels.length && (parts.length === 0 || parts.length === labels.filter((label, i) => found[i] !== 0).length);
}

/* ---- lines ---- */

/* Where a label stands on the axis: its number, or its place among the categories. */
function placeOf(k, label) {
  return isOfNumbers(k) ? numberOfLabel(label) : levelsOf(k).indexOf(label);
}

/* A line for each design, of the entries whose environment is otherwise the chosen one; `fixed`: one more axis and its label. */
function linesAgainst(k, fixed = null) {
  const here = page.entries[membersOf(state.environment)[0]].labels, lines = new Map(), free = [k, ...(fixed ? [fixed.axis] : [])];
  const takes = free.some((j) => page.axes[j].role === "design");
  page.entries.forEach((entry, i) => {
    if (fixed && entry.labels[fixed.axis] !== fixed.label || !entry.labels.every((label, j) => free.includes(j) || page.axes[j].role === "design" || label === here[j]))
      return;
    const name = takes ? page.axes.map((axis, j) => !free.includes(j) && axis.role === "design" ? `${axis.name}=${entry.labels[j]}` : "").filter(Boolean).join(", ") || "all" : names[i];
    lines.set(name, [...(lines.get(name) || []), {i, x: placeOf(k, entry.labels[k]), label: entry.labels[k]}].sort((a, b) => a.x - b.x));
  });
  return [...lines].map(([name, points]) => ({name, points, hue: takes ? undefined : hueOf(points[0].i)}));
}

/* " with network=4g": of the chosen environment, what is neither of these axes. */
function underOthers(...free) {
  const here = page.entries[membersOf(state.environment)[0]].labels, others = page.axes.map((axis, j) => j).filter((j) => !free.includes(j) && page.axes[j].role === "environment" && levelsOf(j).length > 1);
  return others.length ? ` with ${others.map((j) => `${page.axes[j].name}=${here[j]}`).join(", ")}` : "";
}

/* Baselines as lines from end to end, of what they have: quality. */
function flatBaselines(metric, all) {
  const places = all.flatMap((line) => line.points.map((point) => point.x)), used = all.flatMap((line) => line.points.map((point) => point.i));
  return (metric === page.quality ? baselines() : []).map((name, n) => ({name, flat: true, thin: true, dash: [6, 4], hue: new Set(names).size + n,
    y: meanOf(used.flatMap((i) => values(i, `non_federated.${name}.${metric}`)).filter(Number.isFinite))})).filter((one) => Number.isFinite(one.y))
    .map((one) => ({...one, points: [Math.min(...places), Math.max(...places)].map((x) => ({x, y: one.y}))}));
}

function lineChart({metric, title, kind, of}, k, all, where, height = 320) {
  return lines(`${title} against ${page.axes[k].name}${where}, means with 95 % bands`, [...all.slice(0, MOST_CURVES).map((line) => ({name: line.name, hue: line.hue,
    points: line.points.map((point) => ({x: point.x, y: of(point.i).mean, half: of(point.i).half || 0})).filter((point) => Number.isFinite(point.y))})), ...flatBaselines(metric, all)],
  [page.axes[k].name, "plain", false, isOfNumbers(k) ? undefined : levelsOf(k)], [title, kind], height);
}

function lineTable(measures, k, parts, where) {
  const apart = parts.some(([, label]) => label !== undefined);
  return folded("As a table", table(`Against ${page.axes[k].name}${where}`, ["Design", ...(apart ? [parts[0][2]] : []), page.axes[k].name, ...measures.map((one) => one.title), "Runs"],
    parts.flatMap(([all, label]) => all.flatMap((line) => line.points.map((point) => [line.name, ...(apart ? [label] : []), isOfNumbers(k) ? {text: point.label, value: point.x, class: "number"} : point.label,
      ...measures.map((one) => estimateCell(one.of(point.i), one.kind)), {text: String(seedsOf(point.i).length), value: seedsOf(point.i).length, class: "number"}])))));
}

function leftOutNote(all) {
  return all.length > MOST_CURVES ? el("p", {class: "note"}, `The first ${MOST_CURVES} designs are drawn; ${all.length - MOST_CURVES} more are in the table.`) : null;
}

function sweptCharts(k) {
  const all = linesAgainst(k), where = underOthers(k), measures = [...(page.quality ? [figureNamed(page.quality)] : []), {...figureNamed("simulated_s"), title: "time of the whole run"}];
  return el("div", {}, el("h3", {}, `Against ${page.axes[k].name}${where}`), el("div", {class: "pair"}, measures.map((one) => lineChart(one, k, all, where))), leftOutNote(all),
    lineTable(measures, k, [[all]], where));
}

/* ---- any figure against any axis ---- */

const OWN_NAMES = {simulated_s: "Time of the whole run", "bytes.sent": "Bytes of the whole run", time_to_target_s: "Time to target", sent_bytes_to_target: "Bytes to target", round_s: "Duration of a round"};

function figureNamed(metric) {
  return {metric, title: OWN_NAMES[metric] || metric, kind: kindOf(metric), of: (i) => figureOf(i, metric)};
}

/* Of all entries: those with words of their own first. */
function figureNames() {
  const found = new Set(page.entries.flatMap((entry) => Object.keys(entry.figures))), first = [page.quality, ...Object.keys(OWN_NAMES)].filter((name) => found.has(name));
  return [...first, ...[...found].filter((name) => !first.includes(name) && !/^(waste_by_cause|non_federated)\./.test(name)).sort()];
}

const chosenFigure = {metric: null, against: null, also: "none"};

/* A second axis as rows, the other as columns, the value as a shade: between the least and the largest of all maps. */
function heatMap(figure, k, also, line, range, where) {
  const columns = levelsOf(k), rows = levelsOf(also), title = `${figure.title} by ${page.axes[also].name} and ${page.axes[k].name}${where}${line === "all" ? "" : `: ${line}`}`;
  const cell = (row, column) => {
    const i = linesAgainst(k, {axis: also, label: row}).filter((one) => one.name === line).flatMap((one) => one.points).filter((point) => point.label === column).map((point) => point.i)[0];
    const found = i === undefined ? MEAN_OF_NOTHING : figure.of(i), element = el("td", {class: "number", "data-value": Number.isNaN(found.mean) ? null : found.mean}, i === undefined ? DASH : presentEstimate(found, figure.kind));
    if (Number.isFinite(found.mean) && range.most > range.least)
      element.style.background = `color-mix(in srgb, var(--series0) ${Math.round(45 * (found.mean - range.least) / (range.most - range.least))}%, var(--paper))`;
    return element;
  };
  return el("div", {class: "block"}, el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": title}, el("table", {class: "heat"}, el("caption", {}, title),
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, `${page.axes[also].name} \\ ${page.axes[k].name}`), columns.map((label) => el("th", {scope: "col", class: "number"}, label)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, el("th", {scope: "row"}, row), columns.map((column) => cell(row, column))))))));
}

function heatMaps(figure, k, also) {
  const where = underOthers(k, also), parts = levelsOf(also).flatMap((label) => linesAgainst(k, {axis: also, label})), designs = [...new Set(parts.map((line) => line.name))];
  const means = parts.flatMap((line) => line.points.map((point) => figure.of(point.i).mean)).filter(Number.isFinite), range = {least: Math.min(...means), most: Math.max(...means)};
  return [...designs.slice(0, MOST_PANELS).map((name) => heatMap(figure, k, also, name, range, where)), el("p", {class: "note"}, `The stronger the colour, the larger.${designs.length > MOST_PANELS ? ` ${designs.length - MOST_PANELS} more designs have no map here.` : ""}`)];
}

/* A chart for each label of the second axis. */
function smallMultiples(figure, k, also) {
  const where = underOthers(k, also), labels = levelsOf(also), parts = labels.map((label) => [linesAgainst(k, {axis: also, label}), label, page.axes[also].name]);
  return [el("div", {class: "pair"}, parts.slice(0, MOST_PANELS).map(([all, label]) => el("div", {}, el("h4", {}, `${page.axes[also].name}=${label}`),
    lineChart(figure, k, all, ` at ${page.axes[also].name}=${label}${where}`, 260)))), labels.length > MOST_PANELS ? el("p", {class: "note"}, `The first ${MOST_PANELS} are drawn; the others are in the table.`) : null,
  leftOutNote(parts[0][0]), lineTable([figure], k, parts, where)];
}

function anyFigure() {
  const place = el("div", {id: "any-figure"}), axes = variedAxes(), metrics = figureNames();
  const usual = sweptAxes().length && metrics.includes("bytes.sent") ? "bytes.sent" : metrics[0];
  chosenFigure.metric = metrics.includes(chosenFigure.metric) ? chosenFigure.metric : usual;
  chosenFigure.against = axes.includes(chosenFigure.against) ? chosenFigure.against : axes[0];
  const draw = () => {
    const figure = figureNamed(chosenFigure.metric), k = chosenFigure.against, [how, also] = chosenFigure.also.split(":"), second = Number(also), all = linesAgainst(k);
    place.replaceChildren(...(how === "none" || second === k ? [lineChart(figure, k, all, underOthers(k)), leftOutNote(all), lineTable([figure], k, [[all]], underOthers(k))]
      : how === "map" ? heatMaps(figure, k, second) : smallMultiples(figure, k, second)).filter(Boolean));
  };
  const seconds = () => [["none", "nothing else"], ...axes.filter((j) => j !== chosenFigure.against).flatMap((j) => [[`apart:${j}`, `a chart for each ${page.axes[j].name}`], [`map:${j}`, `a heat map with ${page.axes[j].name}`]])];
  const select = (id, label, options, value, act) => {
    const element = el("select", {id, onchange: (event) => { act(event.currentTarget.value); draw(); drawCharts(); }}, options.map(([key, text]) => el("option", {value: key}, text)));
    element.value = String(value);
    return el("div", {}, el("label", {for: id}, label), element);
  };
  const form = el("form", {class: "controls still", "aria-label": "Any figure against what was varied", onsubmit: (event) => event.preventDefault()});
  const build = () => {
    chosenFigure.also = seconds().some(([key]) => key === chosenFigure.also) ? chosenFigure.also : "none";
    form.replaceChildren(select("any-metric", "Figure", metrics.map((name) => [name, figureNamed(name).title]), chosenFigure.metric, (value) => { chosenFigure.metric = value; }),
      select("any-against", "Against", axes.map((k) => [k, page.axes[k].name]), chosenFigure.against, (value) => { chosenFigure.against = Number(value); build(); document.getElementById("any-against").focus(); }),
      axes.length > 1 ? select("any-also", "And", seconds(), chosenFigure.also, (value) => { chosenFigure.also = value; }) : "");
  };
  build();
  draw();
  return el("div", {}, el("h3", {}, "Any figure against any axis"), form, place);
}

/* Axes of numbers: what most readers look for stands there without a choice. */
function sweptAxes() {
  return variedAxes().filter(isOfNumbers);
}

function sweptSection() {
  return variedAxes().length ? el("div", {}, sweptAxes().map(sweptCharts), anyFigure()) : el("div");
}
