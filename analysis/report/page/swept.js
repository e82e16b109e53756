/* Against what was varied: quality and time of a sweep against each axis of numbers, under the rest of the chosen environment. */

/* The number of a label, of "30 %" too; NaN: it is none. */
function numberOfLabel(label) {
  return typed(label.replace(/\s*%\s*$/, ""));
}

/* Axes whose labels are different numbers; all of them percentages, or none but 0. */
function sweptAxes() {
  if (!page.one_sweep || page.across)
    return [];
  return page.axes.map((axis, k) => k).filter((k) => {
    const labels = [...new Set(page.entries.map((entry) => entry.labels[k]))], found = labels.map(numberOfLabel), parts = labels.filter((label, i) => /%\s*$/.test(label) && found[i] !== 0);
    return labels.length > 1 && found.every(Number.isFinite) && new Set(found).size === labels.length && (parts.length === 0 || parts.length === labels.filter((label, i) => found[i] !== 0).length);
  });
}

/* A line for each design: its entries whose environment is otherwise the chosen one, by the number of their label. */
function linesAgainst(k) {
  const here = page.entries[membersOf(state.environment)[0]].labels, lines = new Map();
  page.entries.forEach((entry, i) => {
    if (!entry.labels.every((label, j) => j === k || page.axes[j].role === "design" || label === here[j]))
      return;
    const name = page.axes[k].role === "design" ? page.axes.map((axis, j) => j !== k && axis.role === "design" ? `${axis.name}=${entry.labels[j]}` : "").filter(Boolean).join(", ") || "all" : names[i];
    lines.set(name, [...(lines.get(name) || []), {i, x: numberOfLabel(entry.labels[k]), label: entry.labels[k]}].sort((a, b) => a.x - b.x));
  });
  return [...lines].map(([name, points]) => ({name, points, hue: page.axes[k].role === "design" ? undefined : hueOf(points[0].i)}));
}

function sweptCharts(k) {
  const all = linesAgainst(k), shown = all.slice(0, MOST_CURVES), name = page.axes[k].name, others = page.axes.filter((axis, j) => j !== k && axis.role === "environment");
  const measures = [...(page.quality ? [[page.quality, kindOf(page.quality), (i) => figureOf(i, page.quality)]] : []),
    ["time of the whole run", "time", (i) => figureOf(i, "simulated_s")]];
  const here = page.entries[membersOf(state.environment)[0]].labels, under = others.length ? ` with ${others.map((axis) => `${axis.name}=${here[page.axes.indexOf(axis)]}`).join(", ")}` : "";
  const make = ([title, kind, of]) => lines(`${title} against ${name}${under}, means with 95 % bands`, shown.map((line) => ({name: line.name, hue: line.hue,
    points: line.points.map((point) => ({x: point.x, y: of(point.i).mean, half: of(point.i).half || 0})).filter((point) => Number.isFinite(point.y))})), [name, "plain"], [title, kind], 320);
  return el("div", {}, el("h3", {}, `Against ${name}${under}`), el("div", {class: "pair"}, measures.map(make)),
    all.length > shown.length ? el("p", {class: "note"}, `The first ${shown.length} designs are drawn; ${all.length - shown.length} more are in the table.`) : null,
    folded("As a table", table(`Against ${name}${under}`, ["Design", name, ...measures.map(([title]) => title), "Runs"], all.flatMap((line) => line.points.map((point) =>
      [line.name, {text: point.label, value: point.x, class: "number"}, ...measures.map(([, kind, of]) => estimateCell(of(point.i), kind)), {text: String(seedsOf(point.i).length), value: seedsOf(point.i).length, class: "number"}])))));
}

function sweptSection() {
  return el("div", {}, sweptAxes().map(sweptCharts));
}
