/* Which assumption moves an answer how far, from sensitivity.json (`fedrecsim sensitivity`): the widest at the top. */

const TORNADO = 860, TORNADO_NAMES = 150, TORNADO_ENDS = 150, TORNADO_ROW = 34;

/* [least, most] of all that a picture has to hold. */
function tornadoRange(variant) {
  const known = variant.assumptions.flatMap((one) => one.levels.map((level) => number(level.figure.mean))).filter(Number.isFinite);
  const base = number(variant.base.mean), sd = number(variant.seeds.sd) || 0;
  return [Math.min(base - sd, ...known), Math.max(base + sd, ...known)];
}

/* From the scenario as it is to an end; an end at which runs miss the target lies beyond all others. Two ends on the same side lie below each
 * other. */
function tornadoBar(x, base, levels, end, y, most) {
  const level = levels[end], meanOfLevel = (one) => one.figure.censored > 0 ? most : number(one.figure.mean), to = meanOfLevel(level), missed = level.figure.censored > 0;
  const text = `${level.label}: ${missed ? presentEstimate({n: level.figure.n, censored: level.figure.censored}) : present(to, base.kind, base.mean)}`;
  const left = Math.min(x(base.mean), x(to)), right = Math.max(x(base.mean), x(to)), before = to < base.mean;
  const crowded = levels.length === 2 && meanOfLevel(levels[1 - end]) < base.mean === before, top = y + (crowded ? [5, 19][end] : 9), height = crowded ? 12 : 18;
  return [svg("rect", {x: left, y: top, width: Math.max(1, right - left), height, class: `end${end}${missed ? " missed" : ""}`}),
    svg("text", {x: before ? left - 5 : right + 5, y: top + height / 2 + 4, class: before ? "before" : "after"}, text)];
}

function tornado(variant, kind, label) {
  const [least, most] = tornadoRange(variant), base = {mean: number(variant.base.mean), kind}, sd = number(variant.seeds.sd) || 0;
  const height = variant.assumptions.length * TORNADO_ROW + 30, width = TORNADO - TORNADO_NAMES - 2 * TORNADO_ENDS;
  const x = (value) => TORNADO_NAMES + TORNADO_ENDS + (value - least) / (most - least || 1) * width;
  const picture = svg("svg", {viewBox: `0 0 ${TORNADO} ${height}`, width: TORNADO, height, role: "img", class: "tornado", "aria-label": label},
    sd > 0 ? svg("rect", {x: x(base.mean - sd), y: 18, width: x(base.mean + sd) - x(base.mean - sd), height: height - 22, class: "seeds"}) : [],
    svg("line", {x1: x(base.mean), x2: x(base.mean), y1: 18, y2: height - 4, class: "base"}),
    svg("text", {x: x(base.mean), y: 12, class: "tick"}, `as it is: ${present(base.mean, kind)}`));
  variant.assumptions.forEach((one, i) => {
    const y = 20 + i * TORNADO_ROW;
    picture.append(svg("text", {x: TORNADO_NAMES - 8, y: y + 22, class: "name"}, one.name));
    one.levels.forEach((level, end) => picture.append(...tornadoBar(x, base, one.levels, end, y, most)));
  });
  return picture;
}

function tornadoTable(variant, kind, title) {
  const end = (level) => level ? {text: `${level.label}: ${presentEstimate(estimateOf(level.figure), kind)}`, class: "number"} : DASH;
  return table(`${title}: one assumption at a time, the widest range first`, ["Assumption", "One end", "Other end", "Range", "Effect in the design"],
    variant.assumptions.map((one) => [one.name, end(one.levels[0]), end(one.levels[1]), one.range === null ? "not always reached" : figure(one.range, kind),
      one.effect ? estimateCell(estimateOf(one.effect), kind, true) : DASH]));
}

/* A figure or an interval of the file. */
function estimateOf(found) {
  return {n: found.n === undefined ? 2 : found.n, mean: number(found.mean), half: number(found.half_width), censored: found.censored || 0};
}

function tornadoSentence(variant) {
  const [first, second] = variant.assumptions;
  if (!first || first.range === 0)
    return "Nothing that was varied moves it.";
  const ratio = second && second.range > 0 && first.range !== null ? `, ${digits(first.range / second.range, 2)} times as far as ${second.name}` : "";
  return `What moves it most: ${first.name}${first.range === null ? " (at an end of it, runs do not reach the target)" : ratio}.`;
}

/* Where another choice would be the best. */
function choiceText(choice) {
  const where = choice.environment ? `Under ${choice.environment}: ` : "";
  if (!choice.best)
    return `${where}no choice has an answer as it is.`;
  const turns = choice.levels.filter((level) => level.best && level.best !== choice.best);
  return turns.length ? `${where}${choice.best} is the best as it is; another one under ${turns.map((level) => `${level.label}: ${level.best}${level.decided ? "" : " (within the interval)"}`).join("; ")}.`
    : `${where}${choice.best} is the best as it is, and under each of the ${choice.levels.length} others.`;
}

function sensitivity(found, place) {
  const kind = kindOf(found.answer), shown = el("div"), drawable = (variant) => Number.isFinite(number(variant.base.mean)) && variant.assumptions.length > 0;
  const show = (i) => {
    const variant = found.variants[i], title = `${found.answer}${variant.name ? ` of ${variant.name}` : ""}`;
    shown.replaceChildren(el("p", {class: "tornado-says"}, `${title}, as it is: ${presentEstimate(estimateOf(variant.base), kind)}. ${tornadoSentence(variant)}`),
      ...(drawable(variant) ? [el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": `Tornado of ${title}`}, tornado(variant, kind, `Tornado of ${title}`)),
        el("p", {class: "note"}, "A bar goes from the scenario as it is to the answer at either end of the assumption; behind them, the standard deviation over seeds. A broken edge: not all runs reach the target there.")]
        : [el("p", {class: "note"}, "As it is, not all runs reach the target: there is nothing to draw, and the table has what there is.")]),
      tornadoTable(variant, kind, title));
  };
  const id = `variant${place}`, select = el("select", {id, onchange: () => show(Number(select.value))}, found.variants.map((variant, i) => el("option", {value: i}, variant.name)));
  show(0);
  return [found.variants.length > 1 ? el("p", {}, el("label", {for: id}, "Answer of "), select) : null, shown,
    ...found.choices.map((choice) => el("p", {}, choiceText(choice))),
    found.left_out.length ? folded("Left as they are", table("Assumptions that were not varied", ["Assumption", "Why"], found.left_out.map((one) => [one.name, one.reason]))) : null];
}

function sensitivities(data) {
  return (data.sensitivity || []).length ? section("Sensitivity: which assumption the answer rests on", null, ...data.sensitivity.flatMap(sensitivity).filter(Boolean)) : null;
}
