/* Which assumption moves an answer how far, from sensitivity.json (`fedrecsim sensitivity`): the widest at the top. */

const TORNADO = 1060, TORNADO_NAMES = 130, TORNADO_LEFT = 130, TORNADO_RIGHT = 310, TORNADO_ROW = 34;

/* On a telephone the names stand above the bars and the ends below them. */
const NARROW = 330, NARROW_ROW = 64, NARROW_SCREEN = 640;

/* From this ratio of the largest answer to the smallest one on the scale is logarithmic: otherwise one assumption hides all others. */
const WIDE_TORNADO = 20;

/* [least, most] of all that a picture has to hold. */
function tornadoRange(variant) {
  const known = variant.assumptions.flatMap((one) => one.levels.map((level) => number(level.figure.mean))).filter(Number.isFinite);
  const base = number(variant.base.mean), sd = number(variant.seeds.sd) || 0;
  return [Math.min(base - sd, ...known), Math.max(base + sd, ...known)];
}

/* Where an answer lies, from 0 to 1. */
function tornadoScale(variant) {
  const [least, most] = tornadoRange(variant), logarithmic = least > 0 && most / least > WIDE_TORNADO;
  const low = logarithmic ? Math.log(least) : least, width = (logarithmic ? Math.log(most) : most) - low || 1;
  return {logarithmic, most, at: (value) => (Math.max(logarithmic ? Math.log(value) : value, low) - low) / width};
}

/* From the scenario as it is to an end; an end at which runs miss the target lies beyond all others. Two ends on the same side lie below each
 * other. */
function tornadoBar(x, base, levels, end, y, most, narrow) {
  const level = levels[end], meanOfLevel = (one) => one.figure.censored > 0 ? most : number(one.figure.mean), to = meanOfLevel(level), missed = level.figure.censored > 0;
  const text = `${level.label}: ${missed ? presentEstimate({n: level.figure.n, censored: level.figure.censored}) : present(to, base.kind)}`;
  const left = Math.min(x(base.mean), x(to)), right = Math.max(x(base.mean), x(to)), before = to < base.mean;
  const crowded = levels.length === 2 && meanOfLevel(levels[1 - end]) < base.mean === before, offset = crowded ? [5, 19][end] : 9, height = crowded ? 12 : 18;
  const top = narrow ? y + 18 + (crowded ? 8 * end : 0) : y + offset, thick = narrow ? (crowded ? 8 : 14) : height;
  return [svg("rect", {x: left, y: top, width: Math.max(1, right - left), height: thick, class: `end${end}${missed ? " missed" : ""}`}),
    narrow ? svg("text", {x: 0, y: y + 46 + 14 * end, class: `after of-end${end}`}, text)
      : svg("text", {x: before ? left - 5 : right + 5, y: top + height / 2 + 4, class: before ? "before" : "after"}, text)];
}

function tornado(variant, kind, label) {
  const narrow = innerWidth < NARROW_SCREEN, scale = tornadoScale(variant), base = {mean: number(variant.base.mean), kind}, sd = number(variant.seeds.sd) || 0;
  const row = narrow ? NARROW_ROW : TORNADO_ROW, all = narrow ? NARROW : TORNADO, height = variant.assumptions.length * row + 30;
  const from = narrow ? 4 : TORNADO_NAMES + TORNADO_LEFT, width = narrow ? NARROW - 8 : TORNADO - TORNADO_NAMES - TORNADO_LEFT - TORNADO_RIGHT;
  const x = (value) => from + scale.at(value) * width, bottom = height - 4;
  const picture = svg("svg", {viewBox: `0 0 ${all} ${height}`, width: all, height, role: "img", class: "tornado", "aria-label": label,
    "data-scale": scale.logarithmic ? "logarithmic" : "linear"},
  sd > 0 ? svg("rect", {x: x(base.mean - sd), y: 18, width: x(base.mean + sd) - x(base.mean - sd), height: height - 22, class: "seeds"}) : [],
  narrow ? [] : svg("line", {x1: x(base.mean), x2: x(base.mean), y1: 18, y2: bottom, class: "base"}),
  svg("text", {x: Math.min(Math.max(x(base.mean), narrow ? 55 : 0), all - (narrow ? 55 : 0)), y: 12, class: "tick"}, `as it is: ${present(base.mean, kind)}`));
  variant.assumptions.forEach((one, i) => {
    const y = 20 + i * row;
    picture.append(narrow ? svg("text", {x: 0, y: y + 13, class: "name above"}, one.name) : svg("text", {x: TORNADO_NAMES - 8, y: y + 22, class: "name"}, one.name));
    const start = one.apart ? {mean: number(one.levels[0].figure.mean), kind} : base;
    one.levels.forEach((level, end) => picture.append(...tornadoBar(x, Number.isFinite(start.mean) ? start : base, one.levels, end, y, scale.most, narrow)));
    if (narrow)
      picture.append(svg("line", {x1: x(base.mean), x2: x(base.mean), y1: y + 16, y2: y + 36, class: "base"}));
  });
  return picture;
}

/* The entry of an assumption's end, or of the scenario as it is; -1: there is none. */
function entryOfAssumption(label) {
  const k = page.axes.findIndex((axis) => axis.name === "assumption");
  return page.entries.findIndex((entry) => k >= 0 && entry.labels[k] === label);
}

/* " Under availability (as measured) a round has 43 clients on average instead of 66.": a round that waits for fewer clients is shorter,
 * and that is not what an assumption other than the cohort is about. */
function fewerClientsText(variant) {
  const clients = (label) => { const i = entryOfAssumption(label); return i < 0 ? NaN : figureOf(i, "participations").mean / figureOf(i, "rounds").mean; };
  const base = clients("as it is"), differing = variant.assumptions.filter((one) => one.name !== "cohort")
    .flatMap((one) => one.levels.map((level) => ({name: `${one.name} (${level.label})`, n: clients(`${one.name} ${level.label}`)}))).filter((end) => end.n < 0.99 * base);
  return differing.length ? ` ${differing.map((end) => `Under ${end.name} a round has ${digits(end.n, 3)} clients on average instead of ${digits(base, 3)}.`).join(" ")}` : "";
}

/* "failures.up 0": what the scenario as it is has of the settings in which an assumption's ends differ from it. */
function asItIs(one) {
  const k = page.axes.findIndex((axis) => axis.name === "assumption");
  const base = entryOfAssumption("as it is"), ends = one.levels.map((level) => entryOfAssumption(`${one.name} ${level.label}`)).filter((i) => i >= 0);
  if (base < 0 || ends.length === 0)
    return DASH;
  const varied = page.axes[k].keys, differing = Object.entries(page.differing_settings).filter(([, list]) => ends.some((i) => list[i] !== list[base]));
  const known = differing.filter(([, list]) => list[base] !== null), own = known.filter(([key]) => !varied.includes(key) && /\.(median|value)$/u.test(key)); /* what a preset replaces */
  return (own.length ? own : known.filter(([key]) => varied.includes(key))).map(([key, list]) => `${key} ${list[base]}`).join(", ") || DASH;
}

function tornadoTable(variant, kind, title) {
  const end = (level) => level ? {text: `${level.label}: ${presentEstimate(estimateOf(level.figure), kind)}`} : DASH, designed = variant.assumptions.some((one) => one.effect);
  return table(`${title}: one assumption at a time, the widest range first`, ["Assumption", "Range", "As it is", "One end", "Other end", ...(designed ? ["Effect in the design"] : [])],
    variant.assumptions.map((one) => [one.name, one.range === null ? {text: "not always reached", class: "number"} : figure(one.range, kind), asItIs(one), end(one.levels[0]), end(one.levels[1]),
      ...(designed ? [one.effect ? estimateCell(estimateOf(one.effect), kind, true) : DASH] : [])]));
}

/* A figure or an interval of the file. */
function estimateOf(found) {
  return {n: found.n === undefined ? 2 : found.n, mean: number(found.mean), half: number(found.half_width), censored: found.censored || 0};
}

/* "losses (5 % of uploads: 28.5 min)": an assumption with the end that is farther from the scenario as it is. */
function farthestEnd(variant, one, kind) {
  const base = number(variant.base.mean), far = (level) => level.figure.censored > 0 ? Infinity : Math.abs(number(level.figure.mean) - base);
  const level = one.levels.reduce((best, other) => far(other) > far(best) ? other : best);
  return `${one.name} (${level.label}: ${level.figure.censored > 0 ? presentEstimate(estimateOf(level.figure), kind) : present(number(level.figure.mean), kind)})`;
}

function tornadoSentence(variant, kind) {
  const [first, second] = variant.assumptions, others = variant.assumptions.slice(1, 4).filter((one) => one.range === null || one.range > 0);
  if (!first || first.range === 0)
    return "Nothing that was varied moves it.";
  const ratio = second && second.range > 0 && first.range !== null ? `, ${digits(first.range / second.range, 2)} times as far as ${second.name}` : "";
  return `What moves it most: ${farthestEnd(variant, first, kind)}${ratio}.${others.length ? ` Then ${listed(others.map((one) => farthestEnd(variant, one, kind)))}.` : ""}${leastText(variant, kind)}`;
}

/* " It is least under network model (exact: 26.7 s), connection (kept: 30.6 s) and …": of what costs time or bytes, the ends below the
 * scenario as it is. */
function leastText(variant, kind) {
  if (kind !== "time" && kind !== "bytes")
    return "";
  const base = number(variant.base.mean), ends = variant.assumptions.filter((one) => !one.apart).flatMap((one) => one.levels.filter((level) => !(level.figure.censored > 0)).map((level) => ({name: one.name, label: level.label, mean: number(level.figure.mean)})))
    .filter((end) => end.mean < 0.99 * base).sort((a, b) => a.mean - b.mean).slice(0, 4);
  return ends.length ? ` It is least under ${listed(ends.map((end) => `${end.name} (${end.label}: ${present(end.mean, kind)})`))}.` : "";
}

/* Figures that a reader need not look up; others go by the name they have in points.csv. */
const ANSWERS = {simulated_s: "the time of the whole run", time_to_target_s: "the time to the target", sent_bytes_to_target: "what is sent up to the target", bytes_to_target: "what is sent up to the target, without connecting", round_s: "the duration of a round"};

function answerName(metric) {
  return ANSWERS[metric] ? `${ANSWERS[metric]} (${metric})` : metric;
}

/* How sure that is. */
function seedsSentence(found) {
  return found.replicates > 1 ? "" : " One seed: no interval says what another one would do.";
}

/* Assumptions that mean something only together with another setting are compared among their own ends. */
function apartText(variant) {
  const names = variant.assumptions.filter((one) => one.apart && one.range > 0).map((one) => one.name);
  return names.length ? ` That of ${names.join(" and ")} goes from one end to the other: both have another setting than the scenario as it is.` : "";
}

/* Where another design would be the best. */
function designText(factor, replicates) {
  const where = factor.environment ? `Under ${factor.environment}: ` : "";
  if (!factor.best)
    return `${where}no design has an answer as it is.`;
  const within = (decided) => decided || replicates < 2 ? "" : " (within the interval)", ahead = factor.levels.filter((level) => level.decided).length;
  const best = `${where}${factor.best} is the best as it is${within(factor.decided)}`, turns = factor.levels.filter((level) => level.best && level.best !== factor.best);
  return turns.length ? `${best}; another one under ${turns.map((level) => `${level.label}: ${level.best}${within(level.decided)}`).join("; ")}.`
    : `${best}, and under each of the ${factor.levels.length} others${replicates < 2 ? "" : `, beyond the interval in ${ahead} of them`}.`;
}

/* `beside` stands between the picture and its table. */
function sensitivity(found, place, beside = []) {
  const kind = kindOf(found.answer), shown = el("div"), drawable = (variant) => Number.isFinite(number(variant.base.mean)) && variant.assumptions.length > 0;
  const show = (i) => {
    const variant = found.variants[i], title = `${found.answer}${variant.name ? ` of ${variant.name}` : ""}`, wide = drawable(variant) && tornadoScale(variant).logarithmic;
    shown.replaceChildren(el("p", {class: "answer tornado-says"}, `As it is, ${answerName(found.answer)}${variant.name ? ` of ${variant.name}` : ""} is ${presentEstimate(estimateOf(variant.base), kind)}. ${tornadoSentence(variant, kind)}${seedsSentence(found)}`),
      ...(drawable(variant) ? [el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": `Tornado of ${title}`}, tornado(variant, kind, `Tornado of ${title}`)),
        el("p", {class: "note"}, `A bar goes from the scenario as it is to the answer at either end of the assumption${found.replicates > 1 ? "; behind them, the standard deviation over seeds" : ""}. ${apartText(variant)}${
          variant.assumptions.some((one) => one.levels.some((level) => level.figure.censored > 0)) ? " A broken edge: not all runs reach the target there." : ""}${
          wide ? " The scale is logarithmic: equal lengths are equal ratios; rows are in the order of the differences." : ""}${found.variants.length > 1 ? "" : fewerClientsText(variant)}`)]
        : [el("p", {class: "note"}, "As it is, not all runs reach the target: there is nothing to draw, and the table has what there is.")]),
      ...beside, tornadoTable(variant, kind, title));
  };
  const id = `variant${place}`, select = el("select", {id, onchange: () => show(Number(select.value))}, found.variants.map((variant, i) => el("option", {value: i}, variant.name)));
  show(0);
  return [found.variants.length > 1 ? el("p", {}, el("label", {for: id}, "Answer of "), select) : null, shown,
    ...found.design_factors.map((factor) => el("p", {}, designText(factor, found.replicates))),
    found.left_out.length ? folded("Left as they are", table("Assumptions that were not varied", ["Assumption", "Why"], found.left_out.map((one) => [one.name, one.reason]))) : null];
}

function sensitivities(data) {
  return (data.sensitivity || []).length ? section("What the answer rests on", null, ...data.sensitivity.flatMap((found, place) => sensitivity(found, place)).filter(Boolean)) : null;
}

/* ---- where there is one choice ---- */

/* Nothing is ranked: each assumption is an environment with one entry, so that each would win where it is alone. */
function isAboutAssumptions(data, designs) {
  return designs === 1 && data.one_sweep && (data.sensitivity || []).length === 1;
}

function environmentsTable(data) {
  const keys = ["time", "bytes", "quality", "duration", "sent"].filter(available);
  return table("Other figures under each assumption", ["Assumption", ...keys.map((key) => MEASURES[key].title()), "Runs"],
    data.entries.map((entry, i) => [environmentName(entry.environment).replace(/^assumption=/, ""), ...keys.map((key) => estimateCell(estimate(MEASURES[key].of(i), page.t, MEASURES[key].steps(i)), MEASURES[key].kind)),
      {text: String(entry.seeds.length), value: entry.seeds.length, class: "number"}]));
}

/* The scenario as it is: its quality, bytes, and what takes its time. */
function baseCosts(data) {
  const i = data.entries.findIndex((entry) => environmentName(entry.environment) === "assumption=as it is"), costs = i < 0 ? "" : costsText(i);
  return costs ? [el("p", {id: "costs"}, `As it is: ${costs}.`)] : [];
}

function sensitivityPage(data) {
  const found = data.sensitivity[0];
  document.title = `What ${found.answer} rests on: fedrecsim report`;
  document.getElementById("main").replaceChildren(...[el("h1", {}, `What ${ANSWERS[found.answer] || found.answer} rests on`), ...sensitivity(found, 0, [...baseCosts(data), factsOf()]),
    folded("Other figures under each assumption", environmentsTable(data)),
    section("What this is about", null, provenanceSection())].filter(Boolean));
  footer(data, "fedrecsim report DIR");
}
