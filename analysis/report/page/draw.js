/* Elements, tables, charts and pictures. What other people wrote goes through textContent alone. */

function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on"))
      element.addEventListener(key.slice(2), value);
    else if (value === true)
      element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, value);
  element.append(...children.flat());
  return element;
}

let sections = 0;

function section(title, lead, ...children) {
  const id = `s${++sections}`;
  return el("section", {"aria-labelledby": id}, el("h2", {id}, title), lead ? el("p", {class: "lead"}, lead) : null, ...children);
}

/* ---- tables ---- */

/* A cell: a text, or {text, value, class, title}; `value` is what it is sorted by, and stands in the cell in full. */
function cellOf(cell) {
  return typeof cell === "object" && cell !== null ? cell : {text: cell === null || cell === undefined ? DASH : String(cell)};
}

function figure(value, kind, like) {
  return {text: present(value, kind, like), value, class: "number"};
}

/* Where there is little room, the interval stands below its mean, and "0 of 4 reached" on two lines. */
function estimateCell(found, kind, plus) {
  const text = presentEstimate(found, kind, plus), [mean, half] = text.split(" ± ");
  return {text, value: found.censored ? Infinity : found.mean, class: "number",
    element: found.censored ? el("span", {class: "breaks"}, text) : half === undefined ? undefined : el("span", {class: "breaks"}, el("span", {class: "whole"}, mean), " ", el("span", {class: "whole"}, `± ${half}`))};
}

function tableText(head, rows, separator) {
  const quote = (text) => /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  const bar = (text) => text.replace(/\\/g, "\\\\").replace(/\|/g, "\\|");
  if (separator === ",")
    return [head, ...rows].map((row) => row.map(quote).join(",")).join("\n") + "\n";
  const line = (row) => `| ${row.map(bar).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n") + "\n";
}

function copyButton(label, text) {
  const button = el("button", {type: "button", class: "small"}, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      const area = el("textarea", {"aria-label": "copied text"}, text());
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

/* A table whose heads sort it, with what copies it. `rows` are lists of cells; the first cell of a row names it. */
function table(caption, head, rows, options = {}) {
  const body = el("tbody"), cells = rows.map((row) => row.map(cellOf));
  let sorted = -1, down = false;
  const order = cells.map((row, i) => i);
  const fill = () => body.replaceChildren(...order.map((i) => el("tr", {class: options.rowClass ? options.rowClass(i) : null},
    cells[i].map((cell, k) => {
      const part = el(k === 0 ? "th" : "td", {scope: k === 0 ? "row" : null, class: cell.class, title: cell.title,
        "data-value": cell.value === undefined || Number.isNaN(cell.value) ? null : cell.value});
      part.append(cell.element || cell.text);
      return part;
    }))));
  const sort = (column) => {
    down = sorted === column ? !down : false;
    sorted = column;
    const keyOf = (i) => cells[i][column].value === undefined ? cells[i][column].text : cells[i][column].value;
    order.sort((a, b) => {
      const x = keyOf(a), y = keyOf(b);
      if (Number.isNaN(x) || Number.isNaN(y))
        return Number.isNaN(x) - Number.isNaN(y);
      const less = typeof x === "number" && typeof y === "number" ? Math.sign(x - y) || 0 : String(x).localeCompare(String(y), "en");
      return (down ? -less : less) || a - b;
    });
    heads.forEach((cell, i) => cell.setAttribute("aria-sort", i !== column ? "none" : down ? "descending" : "ascending"));
    fill();
  };
  const heads = head.map((text, i) => el("th", {scope: "col", "aria-sort": "none", class: i && cells.length && cells[0][i].class === "number" ? "number" : null},
    options.plain ? text : el("button", {type: "button", class: "head", title: `${EXPLAINED[text] ? `${EXPLAINED[text]} ` : ""}Sorts the table.`, onclick: () => sort(i)}, text)));
  const text = (separator) => tableText(head, order.map((i) => cells[i].map((cell) => cell.text)), separator);
  fill();
  return el("div", {class: "block"},
    el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
      el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body)),
    options.plain ? null : el("p", {class: "copy"}, copyButton("Copy as CSV", () => text(",")), " ",
      copyButton("Copy as Markdown", () => text("|"))));
}

function folded(title, ...children) {
  return el("details", {}, el("summary", {}, title), ...children);
}

/* ---- colours ---- */

const SERIES = 8;

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function seriesColour(i) {
  return colour(`series${i % SERIES}`);
}

/* Colours of what takes time, wherever it is drawn. */
const GANTT_PARTS = ["contact", "idle", "queue", "encode", "setup", "latency", "keys", "down", "compute", "shares", "up", "exchange", "mix", "unmask", "receive", "edge_down", "edge_up", "retry", "server", "post", "wait"];
const PART_NAMES = {setup: "connecting", retry: "trying again", latency: "latency", down: "download", compute: "computing",
  up: "upload", exchange: "exchange with other clients", mix: "averaging models", server: "server", wait: "waiting", queue: "queueing", encode: "encoding", post: "after the upload",
  contact: "calling a client that is not online", idle: "idle", keys: "keys of masks", shares: "shares of secrets", unmask: "unmasking", receive: "download after the aggregation",
  edge_down: "server to edge", edge_up: "edge to server", edge_rounds: "edge rounds before the last"};

/* Time in which nothing is done is hatched, whatever is done has a colour of its own. */
function fillOf(part) {
  if (part !== "wait" && part !== "idle")
    return colour(`part-${part}`);
  const tile = document.createElement("canvas"), context = tile.getContext("2d");
  tile.width = tile.height = 8;
  context.fillStyle = colour("paper");
  context.fillRect(0, 0, 8, 8);
  context.strokeStyle = colour(`part-${part}`);
  context.lineWidth = 1.5;
  context.beginPath();
  if (part === "wait")
    for (const k of [-8, 0, 8]) {
      context.moveTo(k, 8);
      context.lineTo(k + 8, 0);
    }
  else {
    context.moveTo(1, 4);
    context.lineTo(4, 4);
  }
  context.stroke();
  return context.createPattern(tile, "repeat");
}

/* ---- charts ---- */

const charts = [];

/* A chart that is drawn anew when the colours change. `configure` gives what Chart.js wants. */
function chart(label, configure, height = 320) {
  if (typeof Chart === "undefined")
    return el("p", {class: "note"}, "The program was built without a library of charts (libjs-chart.js): the table below has the figures.");
  const canvas = el("canvas", {role: "img", "aria-label": label});
  const frame = el("div", {class: "chart"}, canvas);
  frame.style.height = `${height}px`;
  const entry = {canvas, configure, chart: null};
  charts.push(entry);
  return frame;
}

/* Steps between ticks that are whole numbers of the unit in which they are written. */
function stepOf(kind, most) {
  const units = {time: TIME_UNITS, bytes: BYTE_UNITS}[kind];
  if (!units || !(most > 0))
    return undefined;
  const unit = unitOf(most, units)[2], rough = most / unit / 6, power = 10 ** Math.floor(Math.log10(rough));
  return unit * power * ([1, 2, 5, 10].find((step) => step * power >= rough) || 10);
}

function axis(title, kind, logarithmic = false, most = NaN, extra = {}) {
  return {type: logarithmic ? "logarithmic" : "linear", title: {display: true, text: title, color: colour("soft")},
    grid: {color: colour("line")}, border: {color: colour("line")},
    ticks: {color: colour("soft"), maxTicksLimit: 9, ...(logarithmic ? {} : {stepSize: stepOf(kind, most)}), callback: (value, i, all) => present(value, kind,
      !logarithmic && (kind === "time" || kind === "bytes") ? Math.max(...all.map((tick) => Math.abs(tick.value))) : value).replace(/(\.[0-9]*?)0+ /, "$1 ").replace(". ", " ").replace(kind === "plain" ? /\.?0+$/ : /$^/, (zeros, at, text) => text.includes(".") ? "" : zeros)},
    ...extra};
}

function drawChart(entry) {
  if (!entry.canvas.isConnected)
    return;
  if (entry.chart)
    entry.chart.destroy();
  Chart.defaults.animation = false;
  Chart.defaults.font.family = "system-ui, sans-serif";
  Chart.defaults.color = colour("ink");
  Chart.defaults.maintainAspectRatio = false;
  const configuration = entry.configure();
  entry.chart = new Chart(entry.canvas, configuration);
}

function drawCharts() {
  for (let i = charts.length - 1; i >= 0; i--)
    if (!charts[i].canvas.isConnected) {
      if (charts[i].chart)
        charts[i].chart.destroy();
      charts.splice(i, 1);
    }
  charts.forEach(drawChart);
}

/* Light on paper, whatever the screen has. */
function followColours() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
  addEventListener("beforeprint", () => {
    document.documentElement.classList.add("printed");
    drawCharts();
  });
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printed");
    drawCharts();
  });
}

function mostOf(series, key) {
  return series.reduce((most, one) => one.points.reduce((found, point) => Math.max(found, point[key]), most), 0);
}

/* Lines with bands: series are {name, points: [{x, y, half}], dash}. A band is the 95 % interval. Of categories the fourth part of the
 * x axis are the names, and x is their place. */
function lines(label, series, xAxis, yAxis, height) {
  return chart(label, () => {
    const datasets = [], ends = series.flatMap((one) => one.points.flatMap((point) => [point.y - (point.half || 0), point.y + (point.half || 0)]));
    series.forEach((one, i) => {
      const ink = one.colour ? colour(one.colour) : seriesColour(one.hue ?? i);
      if (!xAxis[3] && one.points.some((point) => point.half > 0)) {
        const edge = {borderWidth: 0, pointRadius: 0, pointHitRadius: 0, borderColor: "transparent", series: i, isBand: true};
        datasets.push({...edge, data: one.points.map((point) => ({x: point.x, y: point.y - (point.half || 0)})), fill: false});
        datasets.push({...edge, data: one.points.map((point) => ({x: point.x, y: point.y + (point.half || 0)})), fill: "-1",
          backgroundColor: `${ink}33`});
      }
      datasets.push({label: one.name, data: one.points, borderColor: ink, backgroundColor: ink, borderWidth: one.thin ? 1.5 : 2,
        borderDash: one.dash || [], showLine: !xAxis[3] || Boolean(one.flat), pointRadius: one.points.length > 40 || one.flat ? 0 : xAxis[3] ? 5 : 2, pointHitRadius: one.flat ? 0 : 8, series: i});
    });
    return {type: "line", data: {datasets}, plugins: xAxis[3] ? [intervals] : [], options: {parsing: false, interaction: {mode: "nearest", intersect: false},
      scales: {x: axis(xAxis[0], xAxis[1], xAxis[2], mostOf(series, "x"), xAxis[3] ? {min: -0.25, max: xAxis[3].length - 0.75, grid: {display: false}, ticks: {color: colour("soft"), stepSize: 1, autoSkip: false,
        callback: (value) => xAxis[3][value] ?? ""}, afterBuildTicks: (scale) => { scale.ticks = xAxis[3].map((_, value) => ({value})); }} : {max: xAxis[2] ? undefined : mostOf(series, "x")}),
        y: axis(yAxis[0], yAxis[1], yAxis[2], mostOf(series, "y"), xAxis[3] ? {suggestedMin: Math.min(...ends), suggestedMax: Math.max(...ends)} : {})},
      plugins: {tooltip: {filter: (item) => !item.dataset.isBand && !series[item.dataset.series].flat, callbacks: {
        title: (items) => items.length ? (xAxis[3] ? xAxis[3][items[0].raw.x] : present(items[0].raw.x, xAxis[1])) : "",
        label: (item) => `${item.dataset.label}: ${presentEstimate({n: 2, mean: item.raw.y, half: number(item.raw.half), censored: 0}, yAxis[1])}`}},
        legend: {labels: {boxHeight: 2, filter: (item, data) => !data.datasets[item.datasetIndex].isBand},
          onClick: (event, item, legend) => legend.chart.data.datasets.forEach((set, i) => {
            if (set.series === legend.chart.data.datasets[item.datasetIndex].series)
              legend.chart.setDatasetVisibility(i, !legend.chart.isDatasetVisible(i));
            legend.chart.update();
          })}}}};
  }, height);
}

/* Stacked bars: rows are {name, parts: {setup: s, ...}}. */
function stacked(label, rows, parts, horizontal, kind, title, height) {
  return chart(label, () => ({type: "bar",
    data: {labels: rows.map((row) => row.name), datasets: parts.map((part) => ({label: PART_NAMES[part] || part,
      data: rows.map((row) => row.parts[part] || 0), backgroundColor: fillOf(part), borderWidth: 0, categoryPercentage: 0.95,
      barPercentage: horizontal ? 0.8 : 1}))},
    options: {indexAxis: horizontal ? "y" : "x", interaction: {mode: "index", intersect: false, axis: horizontal ? "y" : "x"},
      scales: {[horizontal ? "x" : "y"]: {...axis(title, kind, false, Math.max(...rows.map((row) => parts.reduce((sum, part) => sum + (row.parts[part] || 0), 0)))), stacked: true},
        [horizontal ? "y" : "x"]: {stacked: true, grid: {display: false}, ticks: {color: colour("ink"), maxRotation: 0, autoSkip: true}}},
      plugins: {legend: {labels: {boxWidth: 12, boxHeight: 12}}, tooltip: {callbacks: {
        label: (item) => `${item.dataset.label}: ${present(item.raw, kind)}`}}}}}), height);
}

/* The 95 % intervals of points as bars: `half` of the value, `halfX` of what it stands above. */
const intervals = {id: "intervals", beforeDatasetsDraw(chart) {
  const context = chart.ctx, {x, y} = chart.scales;
  context.save();
  context.lineWidth = 1.5;
  chart.data.datasets.forEach((set, k) => chart.isDatasetVisible(k) && set.data.forEach((point) => {
    context.strokeStyle = point.hue !== undefined ? seriesColour(point.hue) : set.borderColor;
    context.beginPath();
    if (point.half > 0) {
      context.moveTo(x.getPixelForValue(point.x), y.getPixelForValue(point.y - point.half));
      context.lineTo(x.getPixelForValue(point.x), y.getPixelForValue(point.y + point.half));
    }
    if (point.halfX > 0) {
      context.moveTo(x.getPixelForValue(Math.max(point.x - point.halfX, x.min)), y.getPixelForValue(point.y));
      context.lineTo(x.getPixelForValue(point.x + point.halfX), y.getPixelForValue(point.y));
    }
    context.stroke();
  }));
  context.restore();
}};

/* Each point's name beside it, on the side where there is room: of those on the front above, of the others below. */
const pointNames = {id: "pointNames", afterDatasetsDraw(chart) {
  const context = chart.ctx, middle = (chart.chartArea.left + chart.chartArea.right) / 2;
  context.save();
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = colour("ink");
  context.textBaseline = "middle";
  chart.data.datasets.forEach((set, k) => !set.isLine && chart.getDatasetMeta(k).data.forEach((point, i) => {
    context.textAlign = point.x < middle ? "left" : "right";
    context.fillText(set.data[i].name, point.x + (point.x < middle ? 10 : -10), point.y + (k === 0 ? -9 : 10));
  }));
  context.restore();
}};

const MOST_POINT_NAMES = 12;

/* Room for all points with their intervals. */
function rangeOf(points, key, half, least) {
  const low = Math.min(...points.map((point) => point[key] - point[half])), high = Math.max(...points.map((point) => point[key] + point[half]));
  const room = Math.max((high - low) * 0.12, least);
  return {suggestedMin: low - room, suggestedMax: high + room};
}

/* Points with names and the 95 % intervals of both figures, some of them filled: {name, x, y, halfX, half, hue, front}. */
function scatter(label, points, xAxis, yAxis) {
  return chart(label, () => {
    const inks = (list) => list.map((point) => seriesColour(point.hue)), front = points.filter((point) => point.front), others = points.filter((point) => !point.front);
    const range = rangeOf(points, "x", "halfX", 0);
    return {type: "scatter", plugins: [intervals, ...(points.length > MOST_POINT_NAMES ? [] : [pointNames])], data: {datasets: [
      {label: "on the front", data: front, backgroundColor: inks(front), borderColor: inks(front), pointRadius: 6},
      {label: "beaten in every respect", data: others, backgroundColor: colour("paper"), borderColor: inks(others), borderWidth: 2, pointRadius: 5},
      {label: "front", data: front.map(({x, y}) => ({x, y})), isLine: true, showLine: true, pointRadius: 0, pointHitRadius: 0, borderWidth: 1, borderDash: [4, 4], borderColor: colour("soft")}]},
    options: {parsing: false, scales: {x: axis(xAxis[0], xAxis[1], xAxis[2], range.suggestedMax, xAxis[2] ? {} : {min: 0, suggestedMax: range.suggestedMax}),
      y: axis(yAxis[0], yAxis[1], false, NaN, rangeOf(points, "y", "half", yAxis[1] === "quality" ? 0.005 : 0))}, plugins: {legend: {labels: {usePointStyle: true,
      filter: (item, data) => !data.datasets[item.datasetIndex].isLine}},
      tooltip: {filter: (item) => !item.dataset.isLine, callbacks: {label: (item) => `${item.raw.name}: ${presentEstimate({n: 2, mean: item.raw.y, half: item.raw.half, censored: 0}, yAxis[1])}, ${
        presentEstimate({n: 2, mean: item.raw.x, half: item.raw.halfX, censored: 0}, xAxis[1])}`}}}}};
  });
}

/* ---- tips ---- */

const tip = {element: null};

function showTip(text, x, y) {
  if (!tip.element) {
    tip.element = el("div", {class: "tip", role: "status"});
    document.body.append(tip.element);
  }
  tip.element.textContent = text;
  tip.element.hidden = false;
  tip.element.style.left = `${Math.min(x + 12, innerWidth - 270)}px`;
  tip.element.style.top = `${Math.min(y + 12, innerHeight - 90)}px`;
}

function hideTip() {
  if (tip.element)
    tip.element.hidden = true;
}
