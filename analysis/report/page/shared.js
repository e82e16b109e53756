/* What both kinds of pages have. */

/* Parts of the critical path, as columns path_* and figures critical_path.* call them. */
const PATH = ["setup", "retry", "latency", "edge_down", "edge_rounds", "down", "compute", "up", "edge_up", "exchange", "server", "wait"];

/* What takes most of the time: the largest part of the critical paths, or of the time between rounds (`idle`, by what it
 * waits for). Where a transfer is, and the server's own link makes it longer by half or more, it is that link. */
function bindingOf(parts, serverLink, idle) {
  const sums = {downlink: parts.down, uplink: parts.up, compute: parts.compute, server: parts.server, waiting: parts.wait,
    "connecting and latency": parts.setup + parts.latency, "trying again": parts.retry, "between edges and server": parts.edge_down + parts.edge_up,
    "edge rounds before the last": parts.edge_rounds, "between clients": parts.exchange,
    "idle: until rounds open by their times": idle.scheduled_s || 0, "idle: until enough clients are eligible": idle.clients_s || 0};
  const all = Object.values(sums).reduce((sum, value) => sum + value, 0);
  if (!(all > 0))
    return {name: DASH, share: NaN};
  let name = Object.keys(sums).reduce((best, key) => sums[key] > sums[best] ? key : best);
  const share = sums[name] / all;
  if ((name === "downlink" || name === "uplink") && serverLink >= (parts.down + parts.up) / 2)
    name = "server's link";
  return {name, share};
}

function card(title, value, note, full) {
  return el("div", {class: "card"}, el("dt", {}, title),
    el("dd", {}, el("span", {class: value.length > 16 ? "value long" : "value", "data-value": full === undefined || Number.isNaN(full) ? null : full}, value),
      note ? el("span", {class: "under"}, note) : null));
}

/* Defaults that decide, on top of any page: a sentence each. */
function decidedList(lines) {
  return lines.length ? el("ul", {class: "decided"}, lines.map((line) => el("li", {}, line))) : null;
}

/* "a, b and c". */
function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names.join("");
}

/* Keys of an object in an object, flattened, as rows of a table. */
function flatRows(object, prefix = "") {
  return Object.entries(object).flatMap(([key, value]) => typeof value === "object" && value !== null
    ? flatRows(value, `${prefix}${key}.`)
    : [[prefix + key, typeof value === "number" ? {text: present(value, kindOf(key)), value, class: "number"} : String(value)]]);
}

const CLIENT_HEAD = ["Group", "Clients", "Participations of each", "Delivered", "Lost", "Not available", "Never delivered"];

function groupRow(group, quality) {
  const share = (count) => number(group[count]) / number(group.participations);
  return [group.name, figure(number(group.clients), "plain"), figure(number(group.participations) / number(group.clients), "plain"),
    figure(share("delivered"), "share"), figure(share("lost"), "share"), figure(share("unavailable"), "share"),
    figure(number(group.never), "plain"), ...(quality ? [figure(number(group.quality), kindOf(quality)), group.low === undefined ? "" : intervalText(group, quality)] : [])];
}

/* Groups that differ by no more than chance are said to, with 5 % for an error over all families of an entry (frs_group_level). */
const GROUPS_ERROR = 0.05;

function differs(clients, family) {
  return number(family.chance) <= GROUPS_ERROR / clients.families.filter((one) => !Number.isNaN(number(one.chance))).length;
}

function chanceText(family) {
  const chance = number(family.chance);
  return `p ${chance < 0.001 ? "< 0.001" : `= ${chance.toFixed(chance < 0.1 ? 3 : 2)}`}`;
}

function intervalText(group, quality) {
  const [low, high] = [number(group.low), number(group.high)];
  return Number.isNaN(low) ? DASH : `${present(low, kindOf(quality))} to ${present(high, kindOf(quality))}`;
}

/* Of a family: the best group's quality less the worst one's. */
function spreadOf(family, lower) {
  const known = family.groups.filter((group) => !Number.isNaN(number(group.quality)));
  if (known.length < 2)
    return null;
  const by = [...known].sort((a, b) => (a.quality - b.quality) * (lower ? -1 : 1));
  return {worst: by[0], best: by[by.length - 1], spread: Math.abs(by[by.length - 1].quality - by[0].quality)};
}

function leftOut(clients, lower) {
  const quality = clients.quality;
  const head = quality ? [...CLIENT_HEAD, quality, "95 % interval"] : CLIENT_HEAD;
  const texts = clients.families.map((family) => {
    const found = spreadOf(family, lower);
    if (!found || Number.isNaN(number(family.chance)))
      return null;
    const place = (group) => `${present(group.quality, kindOf(quality))} (${intervalText(group, quality)}) of ${group.name}`;
    return differs(clients, family) ? `${family.name}: ${quality} from ${place(found.worst)} to ${place(found.best)}, a spread of ${
      present(found.spread, kindOf(quality))} beyond chance (${chanceText(family)}).` : `${family.name}: no difference in ${quality} beyond chance (${chanceText(family)}).`;
  }).filter(Boolean);
  const all = clients.all;
  return [
    el("p", {}, number(all.never) === 0 ? `Of each of the ${present(number(all.clients), "plain")} clients an upload was used.`
      : `${present(number(all.never), "plain")} of ${present(number(all.clients), "plain")} clients had no upload used: they were never selected, or none of theirs arrived in time.`),
    texts.length ? el("ul", {}, texts.map((text) => el("li", {}, text))) : null,
    ...(clients.families.length ? clients.families.map((family) => table(`By ${family.name}`, head,
      [...family.groups, {...all, name: "all clients"}].map((group) => groupRow(group, quality)))) : [table("All clients", head, [groupRow(all, quality)])]),
    quality ? el("p", {class: "note"}, `${quality} is the mean over the clients of a group at the last evaluation, on their test items, each interval for itself. Whether groups differ is decided by permuting the clients.`) : null];
}

function settingsTable(caption, settings) {
  return table(caption, ["Setting", "Value"], Object.entries(settings).map(([key, value]) => [key, value === "" ? "(empty)" : value]));
}

/* From "waste_by_cause" of a summary: one row for each cause and phase. */
const WASTE_HEAD = ["Cause", "Ended as", "Participations", "Download", "Upload", "Connecting", "Computing"];

function wasteRow(cause, outcome, waste) {
  return [cause, outcome.replaceAll("_", " "), figure(number(waste.participations), "plain"), figure(number(waste.down_bytes), "bytes"),
    figure(number(waste.up_bytes), "bytes"), figure(number(waste.setup_down_bytes) + number(waste.setup_up_bytes), "bytes"),
    figure(number(waste.flop), "flop")];
}

/* How a protocol of the evaluation draws negatives for training. */
const PROTOCOLS = {honest: "training knows nothing of the items that quality is measured on", leaky: "training never draws held-out items as negatives, which gives them away",
  lookahead: "training never draws any item of the evaluation as a negative, which uses knowledge of the test"};

/* "sampled candidates (the held-out item and 99 others)": among how many items one is ranked. */
function candidatesText(name, negatives) {
  const others = name === "full" ? "all items that the user has not interacted with" : negatives ? `the held-out item and ${negatives} others` : null;
  return `${name} candidates${others ? ` (${others})` : ""}`;
}

function protocolText(name) {
  return PROTOCOLS[name] ? `${name} (${PROTOCOLS[name]})` : name;
}

/* ---- words, and finding one's way ---- */

const WORDS = [
  ["round", "From the selection of clients to the aggregation of what arrived from them."],
  ["participation", "One client's part in one round: selected, connecting, download, computing, upload, and how that ended."],
  ["critical path", "What a round waited for: the steps of the participation that closed it, and waiting where none was under way. A part of it is a share of the time, and no saving: without it another client may be the last."],
  ["waiting", "No message and no computing that the round needed was under way: the server waited for a deadline, for a client that cannot be reached, or to notice that a client is lost."],
  ["idle", "Time between rounds in which none opens, because of the times of rounds or because too few clients are eligible."],
  ["bottleneck", "What would have saved most of the time, as measured by playing the rounds again with one setting changed."],
  ["closed form", "A formula for the time of a round, as papers use it, without queues, losses or stragglers."],
  ["delivered, late, cut", "An upload that was used; one that arrived after the round had closed; a participation that the server stopped."],
  ["dropped down, dropped compute, dropped up", "A client that was lost during its download, its computing or its upload."],
  ["unavailable", "A client that was selected and could not be reached."],
  ["sent", "All bytes in both directions, over every link: messages, what was lost or sent again, what connecting takes, and what edges and the server exchange."],
  ["HR@10, NDCG@10", "Whether the held-out item of a user is among the first ten recommendations, as a share of users; NDCG counts it for more, the nearer it is to the top."],
  ["Recall, precision, MRR, MAP, AUC", "Other figures of the same list of recommendations; their formulas are in docs/evaluation.md."],
  ["test items, validation items", "Held-out interactions: those by which a run is judged, and those by which targets and the best round are chosen."],
  ["popularity", "Recommends to everyone what most users have: needs no training, and what is below it is not worth its traffic."],
  ["protocol", "Which items training may draw as negatives. Honest: any but a user's own; other protocols spare held-out items, as some published code does, so that quality is not what a deployment would have."],
  ["candidates", "The items among which the held-out one is ranked: some that are drawn (sampled), or all."],
  ["over-selection", "More clients are selected than the round waits for; it closes with the first of them."],
  ["bound", "What the figure of a search is to stay below or above; a setting meets it if the mean of its runs does."],
  ["automatic", "Ranked by what the sentence on top goes by: the time to the target where some design reaches it in each of its runs, otherwise the quality in the end, and without training the time of the whole run."],
  ["target", "The quality that a run is to reach; how soon it does is what runs are compared by."],
  ["first, second, third, fourth quarter", "Clients or participations in the order of a figure, cut into four equal parts: the first quarter has the smallest values."],
  ["replicates", "Runs that differ in the seed alone. An interval of 95 % says how far their mean may be off."],
  ["ahead, tied, behind", "The difference to the first is beyond chance; it is within what other seeds would change; it is beyond chance, and worse. Two that are tied are not significantly different: these runs do not decide between them."],
  ["design, environment", "What may be chosen, as a method or a rank; and what it has to work under, as a network or losses."],
  ["as it is", "An assumption left as the scenario has it."]];

/* What a head of a table means, where its words alone do not say it. */
const EXPLAINED = {Standing: "Compared with the first: ahead, tied (within noise) or behind.", Place: "By the mean; those that are tied may change places with other seeds.",
  "Most time in": "The largest part of the critical path: a share of the time, and no saving.", "Better than the next by": "The mean difference to the next one, of runs with the same seed.",
  Delivered: "Uploads that were used.", Lost: "Participations that ended without an upload.", "Not available": "Selected, and could not be reached.", "Never delivered": "Clients of which no upload was ever used.",
  "95 % interval": "Where the mean may lie, by chance of which clients there are.", Assigned: "Participations that were given a size.",
  "Bytes to target": "All that clients, edges and server sent to each other, connecting included.", "Bytes of the whole run": "All that clients, edges and server sent to each other, connecting included.",
  "On the front": "No other is better in time, bytes and quality at once."};

function glossary() {
  return folded("Words on this page", el("dl", {class: "words"}, WORDS.flatMap(([word, meaning]) => [el("dt", {}, word), el("dd", {}, meaning)])));
}

/* A line of links to the sections. The address keeps the state of the controls, so that they do not go through it. */
function contents() {
  const heads = [...document.querySelectorAll("main h2")], title = document.querySelector("main h1");
  if (heads.length < 3 || !title)
    return;
  const go = (head) => (event) => {
    event.preventDefault();
    head.setAttribute("tabindex", "-1");
    head.focus({preventScroll: true});
    head.scrollIntoView();
  };
  title.after(el("nav", {class: "contents", "aria-label": "Contents"}, el("ul", {}, heads.map((head) => el("li", {}, el("a", {href: `#${head.id}`, onclick: go(head)}, head.textContent))))));
}

function footer(data, command) {
  const licence = document.getElementById("licence").textContent;
  document.getElementById("footer").append(
    el("p", {}, `Made by fedrecsim ${data.provenance.version || ""}. This page asks for nothing over the network. Made again by: `,
      el("code", {}, command), ". How to read it, part by part: ", el("code", {}, "docs/reading-a-report.md"), " in the folder of the program's sources."),
    glossary(),
    ...(licence ? [folded("Charts: Chart.js, and its licence", el("pre", {tabindex: "0"}, licence))] : []));
}
