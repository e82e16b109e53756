/* What a change would save, in a comparison: what-ifs that its runs have measured, or how they are measured; and what one entry costs. */

/* By how much a what-if changes the time of an entry's rounds, as a share. */
function changeOf(i, name) {
  const column = page.what_ifs[name][i];
  return estimate(ofRuns(column, seedsOf(i).length).map((value) => number(value) / 100), page.t);
}

/* "−24.3 %", with its interval where there are several runs. */
function changeEstimate(found) {
  return Number.isNaN(found.mean) ? DASH : found.half > 0 ? presentEstimate(found, "share") : changeText(100 * found.mean);
}

/* What-ifs that halve nothing, and what each costs: none of them is a bottleneck. */
const REMEDIES = [[/^over-selection/u, "which sends more; how much, and its effect on quality, were not measured"], [/^connections kept$/u, "which leaves every client connected"]];

function remedyOf(name) {
  return REMEDIES.find(([pattern]) => pattern.test(name));
}

/* The what-if that saves most of an entry's time, of those that save a hundredth (FRS_WHAT_IF_LEAST_SAVING); null: there is none.
 * `remedies`: of the remedies; otherwise of the rest. */
function bestChange(i, remedies = false) {
  const found = Object.keys(page.what_ifs || {}).filter((name) => Boolean(remedyOf(name)) === remedies).map((name) => ({name, change: changeOf(i, name)})).filter((one) => one.change.mean <= -0.01);
  return found.length ? found.reduce((best, one) => one.change.mean < best.change.mean ? one : best) : null;
}

function bestChangeText(i) {
  const best = bestChange(i), more = bestChange(i, true), text = (one) => `${one.name} ${changeEstimate(one.change)}`;
  return [best ? text(best) : "", more && (!best || more.change.mean < best.change.mean) ? `${text(more)}, ${remedyOf(more.name)[1]}` : ""].filter(Boolean).join("; ") || "nothing that was tried";
}

function hasWhatIfs(i) {
  return Object.keys(page.what_ifs || {}).some((name) => !Number.isNaN(changeOf(i, name).mean));
}

/* A line for each environment: what saves most of the time of each of its entries. */
function helpsLines() {
  return page.environments.map((_, c) => {
    const told = membersOf(c).filter(hasWhatIfs).map((i) => `${names[i]}: ${bestChangeText(i)}`);
    return told.length ? `${page.across || page.environments.length === 1 ? "" : `${underText(c)}: `}${told.slice(0, MOST_CURVES).join(" · ")}${told.length > MOST_CURVES ? `; ${told.length - MOST_CURVES} more in the table` : ""}.` : null;
  }).filter(Boolean);
}

const MEASURES_IT = "the same command with --set output.what_if=all measures it for each point (uplink, downlink, latency, devices, detection, contact timeout, kept connections, over-selection); fedrecsim run measures it for one run.";

/* Near the top: what would save most, measured, or which command measures it. */
function helpsBrief() {
  const lines = page.what_ifs ? helpsLines() : [];
  if (lines.length === 0)
    return el("p", {class: "soft", id: "helps"}, `What a faster link, another timeout or other devices would save was not measured here: ${MEASURES_IT}`);
  return el("div", {id: "helps"}, el("p", {}, "What would save most of the time, measured by simulating the rounds again with one setting changed:"),
    el("ul", {class: "decided"}, lines.slice(0, MOST_HEAD_ROWS).map((line) => el("li", {}, line))));
}

/* Every what-if of the entries of an environment. */
function helpsTable(all) {
  const rows = all.filter((row) => hasWhatIfs(row.i)), shown = Object.keys(page.what_ifs || {}).filter((name) => rows.some((row) => !Number.isNaN(changeOf(row.i, name).mean)));
  if (rows.length === 0)
    return null;
  const cell = (found) => ({text: changeEstimate(found), value: found.mean, class: "number"});
  return table("What would help: the same rounds with one setting changed, by how much their time changes", ["Design", ...shown], rows.map((row) => [names[row.i], ...shown.map((name) => cell(changeOf(row.i, name)))]));
}

/* "HR@10 0.520 on the test items (popularity 0.377); 171.6 MB sent, 76.4 MB of it until the target; ..." */
function costsText(i) {
  const shown = (metric) => presentEstimate(figureOf(i, metric), kindOf(metric)), has = (metric) => !Number.isNaN(figureOf(i, metric).mean), bound = bindingOfEntry(i);
  const beside = page.quality ? baselines().map((name) => `${name} ${present(baselineOf(name, page.quality, page.entries[i].environment), kindOf(page.quality))}`).filter((text) => !text.includes(DASH)) : [];
  return [page.quality && has(page.quality) ? `${page.quality} ${shown(page.quality)}${page.quality.startsWith("validation_") ? "" : " on the test items"}${beside.length ? ` (${beside.join(", ")})` : ""}` : null,
    has("bytes.sent") ? `${shown("bytes.sent")} sent over all links, connecting included${has("sent_bytes_to_target") ? `; ${shown("sent_bytes_to_target")} of it until the target` : ""}` : null,
    has("simulated_s") ? `${shown("simulated_s")} of simulated time for the whole run` : null,
    Number.isNaN(bound.share) ? null : `the largest share of the time in ${bound.name}, ${present(bound.share, "share")} (of the critical path, not what would be saved)`].filter(Boolean).join("; ");
}
