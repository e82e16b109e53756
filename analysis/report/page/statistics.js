/* Statistics of replicates, the same as in the tables (analysis/statistics): Student's intervals of means and of paired
 * differences; what two things compared are worth is counted over all comparisons of the page (Holm 1979). */
"use strict";

const MEAN_OF_NOTHING = {n: 0, mean: NaN, half: NaN, censored: 0};

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviationOf(values, mean) {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/* `t` are Student's quantiles by degrees of freedom from 1. Values are numbers, NaN where a run has none, and infinite where a
 * run never got there: then there is no mean. */
function estimate(values, t) {
  const known = values.filter((value) => !Number.isNaN(value));
  const censored = known.filter((value) => !Number.isFinite(value)).length;
  if (known.length === 0)
    return MEAN_OF_NOTHING;
  if (censored > 0)
    return {n: known.length, mean: NaN, half: NaN, censored};
  const mean = meanOf(known);
  const alike = known.every((value) => value === known[0]);
  const half = known.length < 2 ? NaN : alike ? 0 : t[known.length - 2] * deviationOf(known, mean) / Math.sqrt(known.length);
  return {n: known.length, mean: alike ? known[0] : mean, half, censored};
}

/* Differences a − b of runs with the same seed; of those that reached on both sides. */
function paired(a, seedsOfA, b, seedsOfB, t) {
  const differences = [];
  let scale = 0;
  seedsOfA.forEach((seed, i) => {
    const k = seedsOfB.indexOf(seed);
    if (k < 0 || Number.isNaN(a[i]) || Number.isNaN(b[k]))
      return;
    differences.push(a[i] - b[k]);
    scale = Math.max(scale, Math.abs(a[i]), Math.abs(b[k]));
  });
  if (differences.some((value) => !Number.isFinite(value)))
    return MEAN_OF_NOTHING;
  /* What the subtractions alone could have rounded is no difference. */
  return estimate(differences.map((value) => Math.abs(value) <= 4 * Number.EPSILON * scale ? 0 : value), t);
}

function logGamma(x) {
  const c = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 1.208650973866179e-3,
    -5.395239384953e-6];
  const s = c.reduce((sum, value, i) => sum + value / (x + 1 + i), 1.000000000190015);
  return (x + 0.5) * Math.log(x + 5.5) - (x + 5.5) + Math.log(2.5066282746310005 * s / x);
}

/* Regularised incomplete beta function, by its continued fraction (modified Lentz). */
function incompleteBeta(x, a, b) {
  if (x <= 0 || x >= 1)
    return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2))
    return 1 - incompleteBeta(1 - x, b, a);
  const tiny = 1e-300, safe = (value) => Math.abs(value) < tiny ? tiny : value;
  let c = 1, d = 1 / safe(1 - (a + b) * x / (a + 1)), f = d;
  for (let m = 1; m < 500; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    f *= d * c;
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    f *= d * c;
    if (Math.abs(d * c - 1) < 1e-14)
      break;
  }
  return f * Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
}

/* How often chance alone gives a mean this far from 0, to either side; NaN where there is no interval. */
function chanceOf(difference, t) {
  if (difference.n < 2 || Number.isNaN(difference.half))
    return NaN;
  if (difference.half === 0)
    return difference.mean === 0 ? 1 : 0;
  const df = difference.n - 1, statistic = difference.mean / difference.half * t[df - 1];
  return incompleteBeta(df / (df + statistic * statistic), df / 2, 0.5);
}

/* Which of these chances count, when all of them together may be wrong once in twenty pages. */
function holm(chances, level = 0.05) {
  const order = chances.map((chance, i) => i).filter((i) => !Number.isNaN(chances[i]))
    .sort((i, k) => chances[i] - chances[k]);
  const counts = chances.map(() => false);
  for (let i = 0; i < order.length && chances[order[i]] <= level / (order.length - i); i++)
    counts[order[i]] = true;
  return counts;
}

/* [time or bytes] at which records first reach a bar: the same tolerance as analysis/read/goal.c. */
function firstReach(records, bar, lower) {
  const tolerance = 1e-12 * Math.max(1, Math.abs(bar));
  const found = records.find((record) => lower ? record[3] <= bar + tolerance : record[3] >= bar - tolerance);
  return found ? {round: found[0], time: found[1], bytes: found[2]} : {round: Infinity, time: Infinity, bytes: Infinity};
}

/* The best value within a budget of time or bytes; NaN when nothing was evaluated by then. */
function bestWithin(records, column, most) {
  const within = records.filter((record) => record[column] <= most);
  return within.length ? within[within.length - 1][3] : NaN;
}

if (typeof module !== "undefined")
  module.exports = {estimate, paired, incompleteBeta, chanceOf, holm, firstReach, bestWithin};
