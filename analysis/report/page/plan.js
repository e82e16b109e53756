/* A plan's view of a run: who is there and what the server carries, by the hours of its clock; and what all of it costs. */

const HOUR_S = 3600;

/* Availability that follows time, or rounds that do. */
function followsClock(settings) {
  const given = (key, none) => settings[key] !== undefined && !none.includes(String(settings[key]));
  return given("availability.model", ["always", "bernoulli"]) || given("rounds.every", ["0 s", "0"]) || given("rounds.window", [""]) ||
    given("rounds.cool_down", ["0 s", "0"]) || given("rounds.per_day", ["0"]);
}

/* Seconds since the midnight before the run, for a time of the run. */
function clockOf(hours) {
  const whole = hours.start_s.length > 1 ? 1 : 0, shift = hours.clock_hour[whole] * HOUR_S - hours.start_s[whole];
  return ((shift % (24 * HOUR_S)) + 24 * HOUR_S) % (24 * HOUR_S);
}

/* "22:00", and of runs of several days "day 2, 22:00". */
function clockText(seconds, days) {
  const hour = Math.floor(seconds / HOUR_S + 1e-6), minute = Math.round((seconds - hour * HOUR_S) / 60), two = (n) => String(n).padStart(2, "0");
  return `${days > 1 ? `day ${Math.floor(hour / 24) + 1}, ` : ""}${two(((hour % 24) + 24) % 24)}:${two(Math.max(0, minute))}`;
}

/* Steps of whole hours of which a chart has nine at most. */
function clockStep(span) {
  return HOUR_S * ([1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 720].find((hours) => span / (hours * HOUR_S) <= 9) || 24 * Math.ceil(span / (24 * HOUR_S) / 8));
}

/* Figures of hours as steps: series are {name, values, dash}. */
function byClock(label, hours, series, yAxis, height) {
  const shift = clockOf(hours), n = hours.start_s.length, from = hours.start_s[0] + shift, to = hours.end_s[n - 1] + shift, days = Math.ceil(to / (24 * HOUR_S)), step = clockStep(to - from);
  const points = (values) => [...hours.start_s.map((start, i) => ({x: start + shift, y: number(values[i])})), {x: to, y: number(values[n - 1])}].map((point) => Number.isNaN(point.y) ? {x: point.x, y: null} : point);
  const most = Math.max(0, ...series.flatMap((one) => one.values.map(number).filter(Number.isFinite)));
  return chart(label, () => ({type: "line",
    data: {datasets: series.map((one, i) => ({label: one.name, data: points(one.values), stepped: true, borderColor: seriesColour(i), backgroundColor: seriesColour(i),
      borderWidth: 2, borderDash: one.dash || [], pointRadius: 0, pointHitRadius: 6}))},
    options: {parsing: false, interaction: {mode: "nearest", axis: "x", intersect: false},
      scales: {x: {...axis("server's clock", "plain"), min: from, max: to, ticks: {color: colour("soft"), maxRotation: 40, callback: (value) => clockText(value, days)},
        afterBuildTicks: (scale) => { scale.ticks = Array.from({length: Math.floor(to / step) - Math.ceil(from / step) + 1}, (_, i) => ({value: (Math.ceil(from / step) + i) * step})); }},
      y: axis(yAxis[0], yAxis[1], false, most, {min: 0})},
      plugins: {legend: {labels: {boxHeight: 2}}, tooltip: {callbacks: {title: (items) => items.length ? clockText(items[0].raw.x, days) : "",
        label: (item) => `${item.dataset.label}: ${present(item.raw.y, yAxis[1])}`}}}}}), height);
}

function rateText(value) {
  return Number.isFinite(value) ? `${present(value, "bytes")}/s` : DASH;
}

function rateCell(value) {
  return {text: rateText(value), value, class: "number"};
}

function spreadText(mean, least, most) {
  return {text: Number.isNaN(mean) ? DASH : least === most ? present(mean, "plain") : `${present(mean, "plain")} (${present(least, "plain")}–${present(most, "plain")})`, value: mean, class: "number"};
}

function hourRows(hours) {
  const shift = clockOf(hours), days = Math.ceil((hours.end_s[hours.end_s.length - 1] + shift) / (24 * HOUR_S)), of = (name, i) => number((hours[name] || [])[i]);
  return hours.start_s.map((start, i) => [{text: clockText(start + shift, days), value: start}, spreadText(of("online_mean", i), of("online_least", i), of("online_most", i)),
    spreadText(of("eligible_mean", i), of("eligible_least", i), of("eligible_most", i)), figure(of("selected", i), "plain"), figure(of("rounds", i), "plain"),
    figure(of("connections_most", i), "plain"), figure(of("down_bytes", i), "bytes"), figure(of("up_bytes", i), "bytes"), rateCell(of("down_most_bytes_per_s", i)), rateCell(of("up_most_bytes_per_s", i))]);
}

const HOUR_HEAD = ["Hour", "Online", "Eligible", "Selected", "Rounds", "Most connections", "Down", "Up", "Most down", "Most up"];

function dayRows(byHour) {
  return byHour.map((of) => [{text: clockText(of.clock_hour * HOUR_S, 1), value: of.clock_hour}, spreadText(number(of.mean_online), number(of.least_online), number(of.most_online)),
    spreadText(number(of.mean_eligible), number(of.least_eligible), number(of.most_eligible)), spreadText(number(of.mean_selected), number(of.least_selected), number(of.most_selected)),
    figure(number(of.rounds), "plain"), figure(number(of.most_connections), "plain"), figure(number(of.down_bytes), "bytes"), figure(number(of.up_bytes), "bytes"),
    rateCell(number(of.down_most_bytes_per_s)), rateCell(number(of.up_most_bytes_per_s))]);
}

/* "from 22:00 to 06:00: 180 an hour on average": the hours on end in which most clients are selected. */
function busiestText(byHour) {
  const selected = (i) => number(byHour[(i + byHour.length) % byHour.length].mean_selected), clockOf = (i) => clockText(byHour[(i + byHour.length) % byHour.length].clock_hour * HOUR_S, 1);
  const most = Math.max(...byHour.map((_, i) => selected(i)));
  let from = byHour.findIndex((_, i) => selected(i) === most), to = from + 1;
  while (to - from < byHour.length && selected(from - 1) === most)
    from--;
  while (to - from < byHour.length && selected(to) === most)
    to++;
  if (!(most > 0))
    return "";
  const when = to - from === byHour.length ? byHour.length > 1 ? "in every hour of the run" : "in its one hour" : to - from === 1 ? `in the hour from ${clockOf(from)}` : `from ${clockOf(from)} to ${clockOf(to)}`;
  return ` Most are selected ${when}: ${present(most, "plain")} an hour on average, a client as often as it is selected.`;
}

/* What binds the plan: rounds that waited for clients or for their time. */
function planLead(data) {
  const s = data.summary, load = s.load, idle = number(s.idle_s) / number(s.simulated_s), unseen = load.mean_eligible > load.most_online;
  const online = load.most_online === undefined ? "" : unseen ? `; the server does not see that at most ${present(load.most_online, "plain")} of them are online` : `, of up to ${present(load.most_online, "plain")} that are online`;
  const eligible = load.mean_eligible === undefined ? "" : ` Counted every quarter hour, ${present(load.mean_eligible, "plain")} clients are eligible and not under way on average, ${present(load.most_eligible, "plain")} at most${online}.`;
  const every = parseFloat(data.provenance.settings["rounds.every"]), share = idle > 0.9995 && idle < 1 ? "more than 99.9 %" : present(idle, "share");
  return `${s.rounds} rounds${every > 0 ? `, which open every ${present(every, "time")},` : ""} in ${present(s.simulated_s, "time")}; ${share} of that time lies between rounds${idleText(s)}.${eligible}${busiestText(load.by_hour)}`;
}

function plan(data) {
  const {hours} = data, load = data.summary.load;
  if (!hours || !hours.start_s.length || !load || !load.by_hour.length || !followsClock(data.provenance.settings))
    return null;
  const has = (name) => (hours[name] || []).some((value) => !Number.isNaN(number(value)));
  return section("The plan, by the clock", planLead(data),
    byClock("Clients that are online and eligible, and selected in an hour", hours, [["online", "online_mean"], ["eligible", "eligible_mean"], ["selected in the hour", "selected"]].filter(([, key]) => has(key))
      .map(([name, key], i) => ({name, values: hours[key], dash: [[], [6, 4], [2, 3]][i]})), ["clients", "plain"], 300),
    byClock("Rounds that closed in an hour", hours, [{name: "rounds", values: hours.rounds}], ["rounds", "plain"], 200),
    byClock("Most connections at once in an hour", hours, [{name: "connections, at most", values: hours.connections_most}], ["connections", "plain"], 240),
    byClock("Bytes in an hour, each way", hours, [{name: "down", values: hours.down_bytes}, {name: "up", values: hours.up_bytes, dash: [6, 4]}], ["bytes in an hour", "bytes"], 240),
    data.n_hours > hours.start_s.length ? el("p", {class: "note"}, `${hours.start_s.length} of ${data.n_hours} hours are on this page, evenly spread; hours.csv has all of them.`) : null,
    table("By hour of the day: clients as mean (least–most) of its hours, rounds and bytes in all, largest rates with every message at its mean rate", HOUR_HEAD, dayRows(load.by_hour)),
    folded("Hour by hour, as a table", table("Hour by hour", HOUR_HEAD, hourRows(hours))));
}

/* ---- what it loads and costs ---- */

const PHASES_OF_ENERGY = [["compute_j", "computing"], ["connecting_j", "connecting"], ["down_j", "downloads"], ["up_j", "uploads"], ["awake_j", "waiting awake"]];
const SERVER_ENERGY = [["idle_j", "all the time"], ["busy_j", "on top while clients are connected or it computes"], ["compute_j", "on top while it encodes or aggregates"], ["connecting_j", "bytes of connecting"], ["down_j", "bytes sent"], ["up_j", "bytes received"]];

function energyTable(modelled) {
  const all = number(modelled.energy_j), server = modelled.server;
  const row = (who, what, value, of) => [`${who}: ${what}`, figure(value, "energy"), figure(of > 0 ? value / of : NaN, "share")];
  return table("Energy by what it was for, modelled", ["What", "Energy", "Share"], [
    ...PHASES_OF_ENERGY.filter(([key]) => modelled.by_phase[key] !== undefined).map(([key, name]) => row("clients", name, modelled.by_phase[key], all)), row("clients", "in all", all, all),
    ...(server ? [...SERVER_ENERGY.filter(([key]) => server[key] !== undefined).map(([key, name]) => row("server", name, server[key], server.energy_j)), row("server", "in all", server.energy_j, server.energy_j)] : [])]);
}

function loadAndCosts(data) {
  const {load, modelled, costs} = data.summary;
  if (!load || !modelled || !modelled.by_phase)
    return null;
  const money = (value) => ({text: `${present(value, "money")}${costs.currency ? ` ${costs.currency}` : ""}`, value, class: "number"});
  const rows = [["connections, on average over the time of the run", figure(load.mean_connections, "plain")], ["connections, half of the time at most", figure(load.median_connections, "plain")],
    ["connections, 95 % of the time at most", figure(load.p95_connections, "plain")], ["connections, most at once", figure(load.peak_connections, "plain")],
    ["share of the time with a connection", figure(load.connected_share, "share")], ["largest rate down", rateCell(load.down_peak_bytes_per_s)], ["largest rate up", rateCell(load.up_peak_bytes_per_s)],
    ...(load.mean_participations_a_day === undefined ? [] : [["participations of a client in a day, mean", figure(load.mean_participations_a_day, "plain")], ["participations of a client in a day, most", figure(load.most_participations_a_day, "plain")]]),
    ...(costs ? [["bytes that leave the server", costs.server_down === undefined ? "not charged" : money(costs.server_down)], ["bytes that reach the server", costs.server_up === undefined ? "not charged" : money(costs.server_up)],
      ...(costs.metered === undefined ? [] : [["bytes over metered links, which clients pay", money(costs.metered)]]), ["bytes, in all", money(costs.total)]] : [])];
  return section("What it loads and costs", null, table("The server's load", ["Figure", "Value"], rows), energyTable(modelled),
    modelled.not_charged && modelled.not_charged.length ? el("p", {class: "note"}, `Not charged, because no key does: ${modelled.not_charged.join("; ")}.`) : null,
    costs ? null : el("p", {class: "note"}, "Bytes have no price here (costs.server_down_per_gb, costs.server_up_per_gb)."));
}
