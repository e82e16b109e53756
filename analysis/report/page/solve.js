/* The page of a search (`fedrecsim solve`): the answer, and a picture of what was run for it. */

/* Filled: meets the bound; hollow: does not. A list of settings has them at equal distances, in its order. */
function searchPicture(found, metric) {
  const rows = found.figures[metric], shown = rows.map((row, i) => ({row, label: row.setting, x: found.is_range ? Number(row.setting) : i, y: number(row.mean),
    half: number(row.half_width) || 0})).filter((one) => Number.isFinite(one.y));
  if (shown.length === 0)
    return el("p", {class: "note"}, `No setting that was run has a ${metric}.`);
  const kind = kindOf(metric), bound = metric === found.metric ? found.bound : NaN, keeping = shown.filter((one) => one.row.keeps), missing = shown.filter((one) => !one.row.keeps);
  const answer = shown.filter((one) => one.label === found.answer), [first, last] = [shown[0].x, shown[shown.length - 1].x], edge = (last - first || 1) * 0.03;
  const label = `${metric} against ${found.axis}, ${found.metric ? `with the bound ${found.until}` : "of all settings"}`;
  return chart(label, () => {
    const points = (name, data, style) => ({label: name, data, showLine: false, pointRadius: 4, pointHitRadius: 8, borderWidth: 2, ...style});
    const sets = [points(found.metric ? "meets the bound" : "settings", keeping, {borderColor: colour("series0"), backgroundColor: colour("series0")})];
    if (missing.length)
      sets.push(points("does not", missing, {borderColor: colour("series1"), backgroundColor: colour("paper"), pointStyle: "rect"}));
    if (answer.length)
      sets.push(points(`the answer: ${found.answer}`, answer, {borderColor: colour("ink"), backgroundColor: "transparent", pointRadius: 9}));
    if (!Number.isNaN(bound))
      sets.push({label: found.until, data: [{x: first - edge, y: bound}, {x: last + edge, y: bound}], showLine: true, pointRadius: 0, pointHitRadius: 0, borderColor: colour("bad"),
        backgroundColor: colour("bad"), borderWidth: 2, borderDash: [6, 4], pointStyle: "line"});
    const most = Math.max(Number.isNaN(bound) ? 0 : bound, ...shown.map((one) => one.y + one.half));
    return {type: "scatter", plugins: [intervals], data: {datasets: sets}, options: {parsing: false,
      scales: {x: axis(found.axis, "plain", false, NaN, {min: first - edge, max: last + edge, afterBuildTicks: found.is_range ? undefined : (scale) => { scale.ticks = shown.map((one) => ({value: one.x})); },
        ticks: {color: colour("soft"), maxTicksLimit: 12, callback: (value) => found.is_range ? (Number.isInteger(value) ? String(value) : "") : (shown.find((one) => one.x === value) || {label: ""}).label}}),
        y: axis(metric, kind, false, most)},
      plugins: {legend: {labels: {usePointStyle: true}}, tooltip: {filter: (item) => item.raw.row, callbacks: {
        label: (item) => `${found.axis} ${item.raw.label}: ${presentEstimate({n: 2, mean: item.raw.y, half: item.raw.half, censored: 0}, kind)}`}}}}};
  }, 360);
}

/* What the answer goes by, and the sweep's other figures of the same setting. */
function searchTable(found) {
  const metrics = [...new Set([found.metric, found.best].filter(Boolean))], others = ["quality", "time", "bytes", "duration"].filter(available)
    .filter((key) => !metrics.includes({quality: page.quality, time: "time_to_target_s", bytes: "sent_bytes_to_target", duration: "simulated_s"}[key]));
  const entryOf = (setting) => page.entries.findIndex((entry) => entry.labels[0] === setting);
  const cell = (row, kind) => row.verdict ? row.verdict : row.missed === row.n && row.n > 0 ? `0 of ${row.n} reached` : estimateCell({n: row.n, mean: number(row.mean), half: number(row.half_width), censored: 0}, kind);
  return table("Settings that were run", [found.axis, ...metrics, ...(found.metric ? ["Meets it"] : []), ...others.map((key) => MEASURES[key].title()), "Runs"],
    found.figures[metrics[0]].map((row, k) => {
      const i = entryOf(row.setting), measured = (key) => i < 0 ? DASH : estimateCell(estimate(MEASURES[key].of(i), page.t, MEASURES[key].steps(i)), MEASURES[key].kind);
      return [found.is_range ? {text: row.setting, value: Number(row.setting)} : row.setting, ...metrics.map((metric) => cell(found.figures[metric][k], kindOf(metric))),
        ...(found.metric ? [row.keeps ? "yes" : "no"] : []), ...others.map(measured), {text: String(row.n), value: row.n, class: "number"}];
    }), {rowClass: (i) => found.figures[metrics[0]][i].setting === found.answer ? "best" : null});
}

/* What the answer costs, what its time goes into, and what would help. */
function searchCosts(found) {
  const i = page.entries.findIndex((entry) => entry.labels[0] === found.answer), costs = i < 0 ? "" : costsText(i);
  if (!costs)
    return [];
  return [el("p", {id: "costs"}, `With ${found.axis} ${found.answer}: ${costs}.`),
    hasWhatIfs(i) ? el("p", {id: "helps"}, `What would save most of its time, measured: ${bestChangeText(i)}.`)
      : el("p", {class: "soft", id: "helps"}, `What a faster link, another timeout or other devices would save there was not measured: ${MEASURES_IT}`)];
}

function searchPage(data) {
  const found = data.answer, [first, ...rest] = found.lines, metrics = [...new Set([found.metric, found.best].filter(Boolean))];
  const gap = rest.findIndex((line) => line.includes(" is not monotone: ")), told = gap < 0 ? first : `${first} ${rest.splice(gap, 1)[0]}`;
  document.title = `${found.axis}: fedrecsim report`;
  document.getElementById("main").replaceChildren(...[
    el("h1", {}, found.best && !found.until ? `Which ${found.axis} has the best ${found.best}` : `Which ${found.axis} meets ${found.until}${found.best ? ` with the best ${found.best}` : ""}`),
    el("p", {class: "answer", id: "answer"}, told), ...rest.map((line) => el("p", {}, line)), ...searchCosts(found), factsOf(),
    ...metrics.map((metric) => searchPicture(found, metric)), found.figures[metrics[0]].some((row) => row.n > 1) ? el("p", {class: "note"}, "Marks are means over the runs of a setting; bars are 95 % intervals, where there are several runs.") : null,
    folded("As a table", searchTable(found)), section("What this is about", null, provenanceSection())].filter(Boolean));
  footer(data, "fedrecsim report DIR");
}
