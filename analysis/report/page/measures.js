/* What the entries of a comparison are ranked by: their figures, and what the controls make of them. */

const USUAL = {by: "auto", target: "", environment: 0, budget: "none", most: "", gb: "", hour: ""};
const state = {...USUAL};
let page = null; /* the data */
let names = []; /* of entries, without what their environment says */

/* ---- entries ---- */

function entryNames(data) {
  if (!data.one_sweep)
    return data.entries.map((entry, i) => data.across ? `${entry.name} (${data.across[i]})` : entry.name);
  const designs = data.axes.filter((axis) => axis.role === "design").length;
  const found = data.entries.map((entry) => entry.labels.map((label, i) => [label, data.axes[i]])
    .filter(([, axis]) => axis && axis.role === "design").map(([label, axis]) => designs === 1 && /\p{L}/u.test(label) ? label : `${axis.name}=${label}`).join(", "));
  const taken = new Set(), clashes = data.entries.some((entry, i) => {
    const key = `${entry.environment} ${found[i]}`, clash = !found[i] || taken.has(key);
    taken.add(key);
    return clash;
  });
  return clashes ? data.entries.map((entry) => entry.name) : found;
}

/* A colour belongs to a choice, whatever its rank and under whichever environment. */
function hueOf(i) {
  return [...new Set(names)].indexOf(names[i]);
}

function environmentName(i) {
  return page.environments[i] || "the same environments";
}

/* "Under loss=none"; entries of other environments stand side by side. */
function underText(i) {
  return page.across ? "Side by side" : `Under ${environmentName(i)}`;
}

function membersOf(environment) {
  return page.entries.map((entry, i) => i).filter((i) => page.entries[i].environment === environment);
}

function seedsOf(i) {
  return page.entries[i].seeds;
}

function values(i, metric) {
  const list = page.entries[i].figures[metric];
  return list ? list.map(number) : page.entries[i].seeds.map(() => NaN);
}

/* Of the grids that an entry's values lie on; 0 where there is none. */
function stepsOf(i, metric) {
  const list = page.entries[i].steps[metric];
  return list ? list.map(number) : page.entries[i].seeds.map(() => 0);
}

function figureOf(i, metric) {
  return estimate(values(i, metric), page.t, stepsOf(i, metric));
}

/* ---- the target ---- */

/* All of what is typed: "0,45" is no number, and not 0. */
function typed(text) {
  return /^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?\s*$/i.test(text) ? Number(text) : NaN;
}

function ownBar() {
  return typed(state.target);
}

function reachOf(i, what) {
  const bar = ownBar();
  if (Number.isNaN(bar))
    return values(i, what === "time" ? "time_to_target_s" : "sent_bytes_to_target");
  return page.entries[i].records ? page.entries[i].records.map((records) => firstReach(records, bar, page.lower)[what])
    : page.entries[i].seeds.map(() => NaN);
}

/* Of the times or bytes that reachOf has. */
function stepsOfReach(i, what) {
  const bar = ownBar();
  if (Number.isNaN(bar))
    return stepsOf(i, what === "time" ? "time_to_target_s" : "sent_bytes_to_target");
  return page.entries[i].records ? page.entries[i].records.map((records) => stepOfReach(records, bar, page.lower)[what])
    : page.entries[i].seeds.map(() => 0);
}

/* Somebody gets there in each of its runs. */
function isReached(environment) {
  return membersOf(environment).some((i) => reachOf(i, "time").every(Number.isFinite));
}

/* Of runs that reach the planned target, those that end short of it again. */
function fallenText() {
  let reached = 0, fallen = 0;
  page.entries.forEach((entry, i) => values(i, "time_to_target_s").forEach((time, k) => {
    const last = entry.column ? values(i, entry.column)[k] : NaN, bar = number((entry.thresholds || [])[k]), slack = 1e-12 * Math.max(1, Math.abs(bar));
    reached += Number.isFinite(time);
    fallen += Number.isFinite(time) && (page.lower ? last > bar + slack : last < bar - slack);
  }));
  return fallen > 0 ? ` ${fallen} of the ${reached} runs that reach it end ${page.lower ? "above" : "below"} it again.` : "";
}

function targetText() {
  if (!Number.isNaN(ownBar()))
    return `Target: ${page.entries[0].column} ${page.lower ? "≤" : "≥"} ${state.target}, as typed${page.target ? `; in the scenario: ${page.target.text}` : ""}.`;
  return page.target ? `Target: ${page.target.text}.${fallenText()}` : "";
}

/* ---- money ---- */

const MONEY_COUNTS = " Money counts all that is sent in both directions, connecting included, and the server's hours from the run's start; nothing else costs anything.";

/* What is typed as a price; 0 without one. */
function price(text) {
  const value = typed(text);
  return value > 0 ? value : 0;
}

function hasPrice() {
  return price(state.gb) > 0 || price(state.hour) > 0;
}

/* All that is sent, in either direction, and the server's time, from the run's start on. */
function costOf(seconds, bytes) {
  return price(state.gb) * bytes / 1e9 + price(state.hour) * seconds / 3600;
}

function costs(seconds, bytes) {
  return seconds.map((value, k) => hasPrice() ? costOf(value, bytes[k]) : NaN);
}

/* ---- budgets ---- */

const BUDGET_UNITS = {time: {ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400, "": 1}, bytes: {B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, "": 1}, money: {"": 1}};

/* In seconds or bytes: "41 min", "2 GB", "3600"; or money. */
function budgetOf() {
  const found = /^(.*?)([A-Za-z]*)\s*$/.exec(state.most), units = BUDGET_UNITS[state.budget];
  if (!units || !Object.hasOwn(units, found[2]) || (state.budget === "money" && !hasPrice()))
    return NaN;
  return typed(found[1]) * units[found[2]];
}

/* What is counted against a budget; of money its price says it. */
const BUDGET_COUNTS = {time: " A budget of time counts the simulated time from the run's start, the rounds of all clients.",
  bytes: " A budget of bytes counts all that is sent over any link from the run's start, connecting included.", money: ""};

const SPENT = {time: (record) => record[1], bytes: (record) => record[2], money: (record) => costOf(record[1], record[2])};

function withinBudget(i) {
  return (page.entries[i].records || []).map((records) => bestWithin(records, SPENT[state.budget], budgetOf()));
}

/* ---- measures ---- */

/* `until`: what runs came to that did not get there. `steps`: of the grids that the values lie on. */
const whole = {time: (i) => values(i, "simulated_s"), bytes: (i) => values(i, "bytes.sent"), round: (i) => values(i, "round_s"),
  money: (i) => costs(values(i, "simulated_s"), values(i, "bytes.sent"))};
const less = () => true, noSteps = (i) => page.entries[i].seeds.map(() => 0);
const MEASURES = {
  time: {title: () => "Time to target", kind: "time", lower: less, of: (i) => reachOf(i, "time"), until: whole.time, steps: (i) => stepsOfReach(i, "time")},
  bytes: {title: () => "Bytes to target", kind: "bytes", lower: less, of: (i) => reachOf(i, "bytes"), until: whole.bytes, steps: (i) => stepsOfReach(i, "bytes")},
  money: {title: () => "Money to target", kind: "money", lower: less, of: (i) => costs(reachOf(i, "time"), reachOf(i, "bytes")), until: whole.money,
    steps: (i) => costs(stepsOfReach(i, "time"), stepsOfReach(i, "bytes"))},
  quality: {title: () => `${page.quality} in the end`, kind: "quality", lower: () => page.lower, of: (i) => values(i, page.quality), steps: (i) => stepsOf(i, page.quality)},
  budget: {title: () => `Best ${page.entries[0].column} within the budget${{bytes: " of all clients' bytes, down and up", time: " of time since the start"}[state.budget] || ""}`, kind: "quality", lower: () => page.lower, of: withinBudget,
    steps: (i) => stepsOf(i, page.entries[0].column)},
  duration: {title: () => "Time of the whole run", kind: "time", lower: less, of: whole.time, until: whole.time, steps: noSteps},
  sent: {title: () => "Bytes of the whole run", kind: "bytes", lower: less, of: whole.bytes, until: whole.bytes, steps: noSteps},
  spent: {title: () => "Money of the whole run", kind: "money", lower: less, of: whole.money, until: whole.money, steps: noSteps},
  round: {title: () => "Duration of a round", kind: "time", lower: less, of: whole.round, until: whole.round, steps: noSteps}};

function available(key) {
  if (key === "budget")
    return !Number.isNaN(budgetOf()) && page.entries[0].records !== undefined;
  return page.entries.some((entry, i) => (key !== "quality" || page.quality) && MEASURES[key].of(i).some((value) => !Number.isNaN(value)));
}

/* Whether the page goes by what the sentence and the tables go by, and by their target. */
function isAsPlanned() {
  return chosenKey() === null && Number.isNaN(ownBar());
}

/* What the controls ask for, where it can be had; null: nothing. */
function chosenKey() {
  if (state.by !== "auto" && MEASURES[state.by] && available(state.by))
    return state.by;
  return state.by === "auto" && available("budget") ? "budget" : null;
}

/* As the sentence: time to target where somebody gets there in each run, else quality, else the time of the whole runs. */
function measureOf(environment) {
  const chosen = chosenKey();
  if (chosen)
    return MEASURES[chosen];
  if (isReached(environment))
    return MEASURES.time;
  const known = page.quality && membersOf(environment).every((i) => Number.isFinite(figureOf(i, page.quality).mean));
  return known ? MEASURES.quality : MEASURES.duration;
}

/* What the controls ask for and cannot be had. */
function hint() {
  if (state.by !== "auto" && !chosenKey())
    return `“${MEASURES[state.by] ? MEASURES[state.by].title() : state.by}” cannot be had${["money", "spent"].includes(state.by) ? " without a price" : state.by === "budget"
      ? " without a kind of budget and an amount" : ""}: what follows goes by what the sentence on top goes by.`;
  if (state.target.trim() && Number.isNaN(ownBar()))
    return `“${state.target}” is no number: the target stays that of the scenario.`;
  const wrong = [state.gb, state.hour].find((text) => text.trim() && !(typed(text) >= 0));
  if (wrong !== undefined)
    return `“${wrong}” is no price; allowed: a number.`;
  if (state.budget === "money" && !hasPrice())
    return "A budget of money needs a price.";
  return state.budget !== "none" && state.most && Number.isNaN(budgetOf()) ? `“${state.most}” is no amount of ${state.budget}; allowed: 10 min, 50 MB, 3600, or for money a number.` : "";
}
