/* How numbers are written. */

const DASH = "–";

/* JSON has no infinite numbers and no absent ones. */
function number(value) {
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : value === null || value === undefined ? NaN : value;
}

/* As many decimals as give so many digits, without noise behind large numbers; what is small is not written as zeros. */
function digits(value, most = 3) {
  if (!Number.isFinite(value))
    return Number.isNaN(value) ? DASH : value > 0 ? "never" : "−∞";
  if (value === 0)
    return "0";
  const decimals = Math.max(0, most - 1 - Math.floor(Math.log10(Math.abs(value))));
  return (decimals > 10 ? value.toExponential(most - 1) : value.toFixed(decimals)).replaceAll("-", "−");
}

const TIME_UNITS = [[86400 * 3, "d", 86400], [7200, "h", 3600], [120, "min", 60], [1, "s", 1], [0, "ms", 1e-3]];
const BYTE_UNITS = [[1e12, "TB", 1e12], [1e9, "GB", 1e9], [1e6, "MB", 1e6], [1e3, "kB", 1e3], [0, "B", 1]];
const FLOP_UNITS = [[1e15, "Pflop", 1e15], [1e12, "Tflop", 1e12], [1e9, "Gflop", 1e9], [1e6, "Mflop", 1e6], [0, "flop", 1]];

function unitOf(value, units) {
  return units.find((unit) => Math.abs(value) >= unit[0]) || units[units.length - 1];
}

function kindOf(name) {
  if (/(^|_)share$/.test(name))
    return "share";
  if (/_s$/.test(name))
    return "time";
  if (/bytes/.test(name))
    return "bytes";
  if (/flop$/.test(name))
    return "flop";
  if (/_j$/.test(name))
    return "energy";
  return /(hr|ndcg|recall|precision|mrr|map)@\d+$|auc$|rmse$|mae$/.test(name) ? "quality" : "plain";
}

/* A value in the unit that suits it, or that suits `like`. */
function present(value, kind, like = value) {
  if (!Number.isFinite(value))
    return digits(value);
  if (kind === "share")
    return `${digits(100 * value, value >= 0.1 ? 3 : 2)} %`;
  if (kind === "quality")
    return value.toFixed(3).replace("-", "−");
  if (kind === "energy")
    return `${digits(value)} J`;
  if (kind === "money")
    return digits(value, 4);
  const units = {time: TIME_UNITS, bytes: BYTE_UNITS, flop: FLOP_UNITS}[kind];
  if (!units)
    return Number.isInteger(value) ? value.toLocaleString("en") : digits(value, 4);
  const unit = value === 0 && like === 0 ? [0, {time: "s", bytes: "B", flop: "flop"}[kind], 1] : unitOf(like, units);
  return `${digits(value / unit[2])} ${unit[1]}`;
}

/* "41.2 ± 3.5 min": both in one unit, with the decimals that the interval has something to say about. */
function presentEstimate(found, kind, plus = false) {
  if (found.censored)
    return `${found.n - found.censored} of ${found.n} reached`;
  if (Number.isNaN(found.mean))
    return DASH;
  const sign = plus && found.mean > 0 ? "+" : "";
  if (Number.isNaN(found.half) || (found.mean === 0 && found.half === 0))
    return sign + present(found.mean, kind);
  const units = {time: TIME_UNITS, bytes: BYTE_UNITS, flop: FLOP_UNITS}[kind];
  const unit = kind === "share" ? [0, "%", 0.01] : units ? unitOf(Math.max(Math.abs(found.mean), found.half), units) : [0, "", 1];
  const half = found.half / unit[2];
  const decimals = half > 0 ? Math.min(10, Math.max(0, 1 - Math.floor(Math.log10(half)))) : kind === "quality" ? 3 : 2;
  const write = (value) => value.toFixed(decimals).replace("-", "−");
  return `${sign}${write(found.mean / unit[2])} ± ${half === 0 ? "0" : write(half)}${unit[1] ? ` ${unit[1]}` : ""}`;
}

if (typeof module !== "undefined")
  Object.assign(module.exports, {number, digits, present, presentEstimate, kindOf});
