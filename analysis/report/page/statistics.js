/* Statistics of replicates, the same as in the tables (analysis/statistics): Student's intervals of means and of paired
 * differences, and how often chance alone makes such a difference. */
"use strict";

const MEAN_OF_NOTHING = {n: 0, mean: NaN, half: NaN, censored: 0};

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviationOf(values, mean) {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/* Values on a grid (hits of a whole number of users, times of evaluations) vary by no less than this: `steps` has the grid of each,
 * 0 or nothing where there is none (frs_stats_grid_variance). */
function leastVariance(steps) {
  return steps && steps.length ? meanOf(steps.map((step) => (step || 0) ** 2)) / 12 : 0;
}

/* `t` are Student's quantiles by degrees of freedom from 1. Values are numbers, NaN where a run has none, and infinite where a
 * run never got there: then there is no mean. */
function estimate(values, t, steps) {
  const least = leastVariance((steps || []).filter((step, k) => !Number.isNaN(values[k])));
  const known = values.filter((value) => !Number.isNaN(value));
  const censored = known.filter((value) => !Number.isFinite(value)).length;
  if (known.length === 0)
    return MEAN_OF_NOTHING;
  if (censored > 0)
    return {n: known.length, mean: NaN, half: NaN, censored};
  const mean = meanOf(known);
  const alike = known.every((value) => value === known[0]);
  const half = known.length < 2 ? NaN : t[known.length - 2] * Math.sqrt(Math.max(alike ? 0 : deviationOf(known, mean) ** 2, least) / known.length);
  return {n: known.length, mean: alike ? known[0] : mean, half, censored};
}

/* What the runs of the same seed have on both sides, as [a, b]; of several runs with a seed the first goes with the first. */
function pairsOf(a, seedsOfA, b, seedsOfB) {
  const left = new Map();
  seedsOfB.forEach((seed, k) => left.set(seed, [...(left.get(seed) || []), k]));
  return seedsOfA.map((seed, i) => {
    const k = (left.get(seed) || []).shift();
    return k === undefined ? [NaN, NaN] : [a[i], b[k]];
  }).filter((pair) => !pair.some(Number.isNaN));
}

/* The mean of differences and its error; what the subtractions alone could have rounded is no difference. Differences vary by the
 * `least` variance or more, unless runs are the same pair by pair: that says nothing about who is better. */
function pairedDistance(pairs, least) {
  const rounding = 8 * Number.EPSILON * pairs.reduce((most, pair) => Math.max(most, Math.abs(pair[0]), Math.abs(pair[1])), 0);
  const differences = pairs.map(([x, y]) => x - y), n = pairs.length, mean = meanOf(differences);
  const sd = n < 2 ? NaN : deviationOf(differences, mean);
  const found = {n, df: n - 1, mean: Math.abs(mean) <= rounding ? 0 : mean, error: sd <= rounding ? 0 : sd / Math.sqrt(n)};
  if (!(found.mean === 0 && found.error === 0) && found.error < Math.sqrt(least / n))
    found.error = Math.sqrt(least / n);
  return found;
}

/* Welch's, of runs that have nothing in common; where the spread of both sides is that of their grids alone, with the degrees of freedom
 * of the smaller one. */
function unpairedDistance(x, y, leastOfX, leastOfY) {
  const found = {n: Math.min(x.length, y.length), df: NaN, mean: meanOf(x) - meanOf(y), error: NaN};
  if (found.n < 2)
    return found;
  const varianceOfX = deviationOf(x, meanOf(x)) ** 2, varianceOfY = deviationOf(y, meanOf(y)) ** 2;
  const u = Math.max(varianceOfX, leastOfX) / x.length, v = Math.max(varianceOfY, leastOfY) / y.length;
  if (varianceOfX < leastOfX && varianceOfY < leastOfY)
    return {...found, error: Math.sqrt(u + v), df: found.n - 1};
  return {...found, error: Math.sqrt(u + v), df: (u + v) ** 2 / (u * u / (x.length - 1) + v * v / (y.length - 1))};
}

/* How far a is above b: seed by seed, where the side with fewer runs has none of its own. */
function distanceOf(a, seedsOfA, b, seedsOfB, stepsOfA, stepsOfB) {
  const u = leastVariance(stepsOfA), v = leastVariance(stepsOfB);
  const pairs = pairsOf(a, seedsOfA, b, seedsOfB), x = a.filter((value) => !Number.isNaN(value)), y = b.filter((value) => !Number.isNaN(value));
  return pairs.length === Math.min(x.length, y.length) ? pairedDistance(pairs, u + v) : unpairedDistance(x, y, u, v);
}

/* Differences a − b of runs with the same seed with their interval; none where a run never got there. */
function paired(a, seedsOfA, b, seedsOfB, t, stepsOfA, stepsOfB) {
  const pairs = pairsOf(a, seedsOfA, b, seedsOfB);
  if (pairs.length === 0 || pairs.some((pair) => !pair.every(Number.isFinite)))
    return MEAN_OF_NOTHING;
  const found = pairedDistance(pairs, leastVariance(stepsOfA) + leastVariance(stepsOfB));
  return {n: found.n, mean: found.mean, half: found.error > 0 ? found.error * t[found.n - 2] : found.error, censored: 0};
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

/* The chance that all n runs of one side reach something and none of the m of the other, when both are alike: 1 / C(n + m, n). */
function chanceOfSplit(n, m) {
  let ways = 1;
  for (let i = 1; i <= n; i++)
    ways *= (m + i) / i;
  return 1 / ways;
}

/* How often chance alone puts something at least this far above 0; NaN where there is no telling. */
function chanceOf(distance) {
  if (Number.isNaN(distance.error))
    return NaN;
  if (distance.error === 0)
    return distance.mean > 0 ? 0 : 1;
  const statistic = distance.mean / distance.error, df = distance.df;
  const tail = incompleteBeta(df / (df + statistic * statistic), df / 2, 0.5) / 2;
  return statistic > 0 ? tail : 1 - tail;
}

/* Student's quantile that is exceeded with this chance, below one half. */
function quantileOf(chance, df) {
  let low = 0, high = 1;
  const exceeds = (value) => chanceOf({mean: value, error: 1, df}) > chance;
  while (exceeds(high))
    high *= 2;
  for (let i = 0; i < 60; i++)
    [low, high] = exceeds((low + high) / 2) ? [(low + high) / 2, high] : [low, (low + high) / 2];
  return (low + high) / 2;
}

/* [time or bytes] at which records first reach a bar: the same tolerance as analysis/target/target_spec.c. */
function firstReach(records, bar, lower) {
  const tolerance = 1e-12 * Math.max(1, Math.abs(bar));
  const found = records.find((record) => lower ? record[3] <= bar + tolerance : record[3] >= bar - tolerance);
  return found ? {round: found[0], time: found[1], bytes: found[2]} : {round: Infinity, time: Infinity, bytes: Infinity};
}

/* How far apart evaluations were there, in time or bytes; where the bar was not reached, at the last record. */
function stepOfReach(records, bar, lower) {
  const at = firstReach(records, bar, lower).round, found = records.find((record) => record[0] === at) || records[records.length - 1];
  return found ? {time: found[4], bytes: found[5]} : {time: 0, bytes: 0};
}

/* The best value whose record costs no more than this; NaN when nothing was evaluated by then. */
function bestWithin(records, costOf, most) {
  const within = records.filter((record) => costOf(record) <= most);
  return within.length ? within[within.length - 1][3] : NaN;
}

if (typeof module !== "undefined")
  module.exports = {estimate, paired, distanceOf, incompleteBeta, chanceOf, chanceOfSplit, quantileOf, firstReach, stepOfReach, bestWithin};
