/* Who is ahead under each environment: what the sentence goes by (analysis/ranking/ranking.h), for whatever the controls choose.
 * Comparisons with the leaders of all environments are counted together; the chance that a page calls any of them ahead by
 * mistake is at most 5 %. */

const PAGE_ERROR = 0.05;
const SHORTEST = 1e-9; /* of times and amounts, so that they have logarithms */

/* The smaller the better; times and amounts by their logarithms. A run that never got there counts with what it came to until
 * its end. */
function scoresOf(row, measure) {
  if (measure.kind === "quality")
    return row.values.map((value) => measure.lower() ? value : -value);
  const ends = measure.until(row.i);
  return row.values.map((value, k) => Math.log(Math.max(value === Infinity ? ends[k] : value, SHORTEST)));
}

/* The step of a logarithm is relative to the value. */
function stepsOfScores(row, measure) {
  const steps = measure.steps(row.i);
  if (measure.kind === "quality")
    return steps;
  const scores = scoresOf(row, measure);
  return steps.map((step, k) => (step || 0) / Math.exp(scores[k]));
}

function reachedBy(row) {
  return row.values.filter(Number.isFinite).length;
}

/* Nothing but the best mean counts; who has none comes last, who got there in fewer runs behind who did in more. */
function betterFirst(lower) {
  return (a, b) => {
    const rank = (row) => !Number.isNaN(row.found.mean) ? 0 : row.found.censored ? 1 : 2;
    if (rank(a) !== rank(b))
      return rank(a) - rank(b);
    if (rank(a) === 1)
      return reachedBy(b) - reachedBy(a) || a.i - b.i;
    return (a.found.mean - b.found.mean) * (lower ? 1 : -1) || a.i - b.i;
  };
}

/* The entries of an environment in their order; without a mean the first one leads nobody. */
function raceOf(measure, members, t) {
  const rows = members.map((i) => ({i, values: measure.of(i), found: estimate(measure.of(i), t, measure.steps(i))})).sort(betterFirst(measure.lower()));
  rows.forEach((row, k) => { row.next = rows[k + 1] ? paired(row.values, seedsOf(row.i), rows[k + 1].values, seedsOf(rows[k + 1].i), t,
    measure.steps(row.i), measure.steps(rows[k + 1].i)) : MEAN_OF_NOTHING; });
  return {measure, rows, leader: rows.length && !Number.isNaN(rows[0].found.mean) ? rows[0] : null};
}

const STANDINGS = {alone: "alone", ahead: "ahead", tied: "tied", behind: "behind", short: "did not reach", unknown: "not known", one: "first, one run", none: DASH};

function neverReaches(row) {
  return row.found.censored === row.found.n;
}

/* Who never reaches the target has no times to be tested: it is behind if so many runs of the leader, and none of its own, hardly come
 * about by chance. */
function isBehind(row, leader, level) {
  return neverReaches(row) ? chanceOfSplit(leader.found.n, row.found.n) <= level * (1 + 1e-9) : chanceOf(row.distance) < level;
}

function placeOther(row, leader, level) {
  if (row.found.n === 0)
    return STANDINGS.none;
  if (isBehind(row, leader, level))
    return neverReaches(row) ? STANDINGS.short : STANDINGS.behind;
  return Number.isNaN(row.distance.error) ? STANDINGS.unknown : STANDINGS.tied;
}

/* What may be said of an environment at the level of being first alone: a row's `standing`, and its `distance` to the leader. */
function decide(race, level) {
  const others = race.rows.slice(1).filter((row) => row.found.n > 0), leader = race.leader;
  race.rows.forEach((row) => { row.standing = row.found.censored ? STANDINGS.short : STANDINGS.none; });
  if (!leader)
    return;
  const scores = scoresOf(leader, race.measure);
  const steps = stepsOfScores(leader, race.measure);
  others.forEach((row) => { row.distance = distanceOf(scoresOf(row, race.measure), seedsOf(row.i), scores, seedsOf(leader.i), stepsOfScores(row, race.measure), steps); });
  const alone = others.every((row) => isBehind(row, leader, level));
  race.level = alone || others.length === 1 ? level : level / (others.length + 1);
  others.forEach((row) => { row.standing = placeOther(row, leader, race.level); });
  leader.standing = others.length === 0 ? STANDINGS.alone : alone ? STANDINGS.ahead
    : others.some((row) => row.standing === STANDINGS.unknown) ? STANDINGS.one : STANDINGS.tied;
}

/* `measureOf` an environment's number. */
function rankAll(measureOf) {
  const races = page.environments.map((name, c) => raceOf(measureOf(c), membersOf(c), page.t));
  const comparisons = races.reduce((sum, race) => sum + Math.max(0, race.rows.filter((row) => row.found.n > 0).length - 1), 0);
  races.forEach((race) => decide(race, PAGE_ERROR / (2 * Math.max(1, comparisons))));
  return races;
}

/* ---- in words ---- */

/* ", 2.3 times (1.9–2.8) less than narrow": how far the leader is from the nearest who is behind it, with the page's interval; as many
 * decimals as the sentence has (analysis/sentence/wording.c). */
function leadText(race) {
  const nearest = race.rows.find((row) => row.standing === STANDINGS.behind);
  if (!nearest)
    return "";
  const {mean, error, df} = nearest.distance, reach = error > 0 ? error * quantileOf(race.level, df) : 0, isQuality = race.measure.kind === "quality";
  const [low, middle, high] = [mean - reach, mean, mean + reach].map((value) => isQuality ? value : Math.exp(value)), apart = Math.abs(middle - 1);
  const decimals = isQuality ? 3 : middle >= 9.95 ? 0 : apart >= 0.995 ? 1 : apart >= 0.0995 ? 2 : 3, write = (value) => value.toFixed(decimals).replace("-", "−");
  const interval = reach > 0 ? ` (${write(low)}–${write(high)})` : "", least = nearest.found.censored ? "at least " : "";
  return isQuality ? `, ${write(middle)}${interval} ${race.measure.lower() ? "below" : "above"} ${names[nearest.i]}`
    : `, ${least}${write(middle)} times${interval} ${race.measure.kind === "time" ? "sooner than" : "cheaper than"} ${names[nearest.i]}`;
}

/* " In the end colr (HR@10 0.384) is no better than popularity (0.419)." where who is first, or not significantly behind, does not beat what
 * needs no federation (analysis/ranking/beside_baseline.h). */
function noBetterText(race, environment) {
  const name = page.lower ? "item_mean" : "popularity", bar = baselines().includes(name) && page.quality ? baselineOf(name, page.quality, environment) : NaN;
  const weak = race.rows.filter((row) => row === race.leader || [STANDINGS.tied, STANDINGS.unknown].includes(row.standing)).map((row) => ({name: names[row.i], mean: figureOf(row.i, page.quality).mean}))
    .filter(({mean}) => (page.lower ? mean - bar : bar - mean) >= -1e-9 * Math.abs(bar));
  return weak.length === 0 ? "" : ` In the end ${listed(weak.slice(0, 4).map((one) => `${one.name} (${page.quality} ${one.mean.toFixed(3)})`))}${weak.length > 4 ? ` and ${weak.length - 4} more` : ""} ${
    weak.length === 1 ? "is" : "are"} no better than ${name} (${bar.toFixed(3)}).`;
}

function sentenceOf(race, environment) {
  const first = race.leader, where = underText(environment);
  if (!first)
    return race.rows.some((row) => row.found.censored) ? `${where} no design gets there in all of its runs.` : `${where} there is nothing to rank by.`;
  const others = race.rows.filter((row) => row.standing === STANDINGS.tied && row !== first), tied = others.filter((row) => !neverReaches(row)).map((row) => names[row.i]),
    away = others.filter(neverReaches).map((row) => names[row.i]);
  const lead = {[STANDINGS.ahead]: "ahead of all others", [STANDINGS.alone]: "the only one here", [STANDINGS.one]: "first, by one run of each, which does not say how sure that is"}[first.standing] ||
    `first${tied.length ? `, but not significantly ahead of ${tied.length > 3 ? `${tied.length} others` : listed(tied)}` : ""}`;
  return `${where}: ${names[first.i]} is ${lead} (${race.measure.title()}: ${presentEstimate(first.found, race.measure.kind)})${leadText(race)}.${away.length ? ` ${away.length > 3 ? `${away.length} others` : listed(away)} never ${away.length > 1 ? "get" : "gets"} there, but so few runs do not rule out chance.` : ""}${noBetterText(race, environment)}`;
}

/* Of all environments, the ones with the same outcome together. */
function sentenceOfAll(races) {
  const outcomes = new Map();
  races.forEach((race, c) => {
    const first = race.leader, what = first ? `${names[first.i]} is ${first.standing === STANDINGS.ahead || first.standing === STANDINGS.alone ? "ahead"
      : first.standing === STANDINGS.one ? "first by one run" : "first, but not significantly"}${noBetterText({rows: [first], leader: first}, c) ? `, yet ends no better than ${page.lower ? "item_mean" : "popularity"},` : ""}` : "no design gets there in all of its runs";
    outcomes.set(what, [...(outcomes.get(what) || []), environmentName(c)]);
  });
  const shown = [...outcomes].slice(0, 4), listed = (list) => list.length > 4 ? `${list.slice(0, 3).join("; ")} and ${list.length - 3} more` : list.join("; ");
  return `By ${lowered(races[0].measure.title())}, as chosen: ${shown.map(([what, where]) => `${what} under ${listed(where)}`).join(". ")}.${
    outcomes.size > shown.length ? " The others are in the map below." : ""}`;
}

function lowered(title) {
  return /^[A-Z][a-z]/.test(title) ? title[0].toLowerCase() + title.slice(1) : title;
}
