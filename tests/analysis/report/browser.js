/* Pages of report.html in a browser. Arguments: a folder with run/, adapted/, swept/, target-NUMBER/ (swept with other targets), sensitive/, rests/, sought/, numbers/, beside/, pooled/, slow/, fast/, seeds1/ to seeds3/,
 * hostile/, planned/ and bare/, each with its report.html; and "all", for every page in every look. */
"use strict";

const {chromium} = require("playwright-core");
const {readFileSync, readdirSync} = require("fs");
const {join} = require("path");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const statistics = require("../../../analysis/report/page/statistics.js"), {unpacked} = require("../../../analysis/report/page/unpack.js");

const folder = process.argv[2], all = process.argv[3] === "all";
let failures = 0;

function check(good, what) {
  if (!good) {
    console.log(`FAILED: ${what}`);
    failures++;
  }
}

function close(a, b, relative = 1e-9) {
  return a === b || Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;
}

function rowsOf(csv) {
  const [head, ...lines] = readFileSync(csv, "utf8").trim().split("\n").map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

/* ---- what any page has to be ---- */

async function open(browser, name, options, hash = "") {
  const context = await browser.newContext({viewport: {width: 1200, height: 900}, ...options});
  const page = await context.newPage(), place = `file://${join(folder, name, "report.html")}`;
  page.on("console", (message) => check(false, `${name}: the console says ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${name}: ${error.message}`));
  page.on("request", (request) => check(request.url().startsWith(place), `${name}: asks for ${request.url()}`));
  page.on("dialog", (dialog) => { check(false, `${name}: says ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(place + hash);
  await page.waitForSelector("html[data-ready]");
  return page;
}

async function judge(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  for (const one of found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact)))
    check(false, `${name}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

async function fits(page, name) {
  const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  check(needed <= there, `${name}: is ${needed} wide on ${there}`);
}

/* The Tab key gets to whatever can be operated, in the order of the page. */
async function reachesAll(page, name) {
  const n = await page.evaluate(() => {
    const all = [...document.querySelectorAll("button, select, input, summary, a[href], [tabindex='0']")]
      .filter((element) => element.checkVisibility() && !element.closest("details:not([open]) > :not(summary)"));
    all.forEach((element, i) => { element.dataset.stop = i; });
    return all.length;
  });
  const reached = new Set();
  for (let i = 0; i < n + 5 && reached.size < n; i++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => document.activeElement && document.activeElement.dataset.stop);
    if (stop !== undefined)
      reached.add(stop);
  }
  check(n > 10 && reached.size === n, `${name}: the keyboard reaches ${reached.size} of ${n}`);
}

/* What is written is what is meant: each number is its cell's value, rounded. */
async function writesWhatItMeans(page, name) {
  const cells = await page.evaluate(() => {
    document.querySelectorAll("details").forEach((element) => { element.open = true; });
    return [...document.querySelectorAll("[data-value]")].map((cell) => [cell.innerText, cell.dataset.value]);
  });
  const factors = {ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, flop: 1, Mflop: 1e6, Gflop: 1e9,
    Tflop: 1e12, Pflop: 1e15, "%": 0.01, J: 1};
  let read = 0;
  for (const [text, value] of cells) {
    const found = /^([+−]?[0-9,]*\.?[0-9]+)(?: ± [0-9.]+)?(?: (ms|s|min|h|d|[kMGT]?B|[MGTP]?flop|%|J))?$/.exec(text.trim());
    if (!found)
      continue;
    const written = found[1].replace(/,/g, "").replace("−", "-"), decimals = (written.split(".")[1] || "").length;
    const factor = found[2] ? factors[found[2]] : 1;
    read++;
    check(Math.abs(Number(written) * factor - Number(value)) <= 0.501 * 10 ** -decimals * factor + 1e-9 * Math.abs(Number(value)),
      `${name}: writes ${text} for ${value}`);
  }
  check(read > 100, `${name}: only ${read} numbers were read`);
}

const desk = {width: 1280, height: 900}, telephone = {width: 390, height: 844};
const looks = [["light", {colorScheme: "light", viewport: desk}], ["dark", {colorScheme: "dark", viewport: desk}], ["telephone", {colorScheme: "light", viewport: telephone}],
  ["dark telephone", {colorScheme: "dark", viewport: telephone}], ["small desk", {viewport: {width: 1160, height: 900}}], ["print", {colorScheme: "dark", viewport: desk}]];
/* Each page in one look at least, and in each look one page of a run and one of a sweep at least: to judge a page takes seconds. */
const seen = {run: ["light", "dark telephone"], adapted: ["print"], bare: ["small desk", "telephone"], planned: ["dark"], swept: ["print", "dark telephone"], numbers: ["dark"], sensitive: ["small desk"], rests: ["telephone"],
  sought: ["light"], beside: ["small desk"], pooled: ["light"], hostile: ["light"]};

async function isSound(browser, name) {
  for (const [look, options] of looks.filter(([look]) => all || seen[name].includes(look))) {
    const page = await open(browser, name, options);
    if (look === "print") {
      await page.emulateMedia({media: "print"});
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      check((await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === "rgb(255, 255, 255)", `${name}: is not printed on white`);
    }
    await judge(page, `${name}, ${look}`);
    await fits(page, `${name}, ${look}`);
    if (look === "small desk" && name !== "hostile") // whose names are as long as they can be
      check(await page.$$eval("#part-ranking .scroll", (list) => list.every((one) => one.scrollWidth <= one.clientWidth)), `${name}: the ranking scrolls sideways`);
    await page.context().close();
  }
}

/* ---- a run ---- */

/* A line of contents that leads to every section and leaves the address alone, words that are explained, and where the guide is. */
async function findsItsWay(page, name) {
  const heads = await page.$$eval("main h2", (list) => list.map((one) => one.textContent)), url = page.url(), links = page.locator(".contents a");
  check((await links.allTextContents()).join() === heads.join(), `${name}: the contents are not the sections`);
  await links.last().click();
  check(await page.evaluate(() => document.activeElement.textContent) === heads[heads.length - 1] && page.url() === url, `${name}: the contents lead elsewhere, or change the address`);
  check(!(await page.evaluate(() => document.body.innerText)).includes("From the selection of clients to the aggregation of what arrived"), `${name}: the words are not folded`);
  await page.click("summary:text-is('Words on this page')");
  const words = await page.$eval(".words", (element) => element.innerText);
  check(["participation", "critical path", "closed form", "dropped up", "quarter", "not significantly different"].every((word) => words.includes(word)), `${name}: words are not explained`);
  check((await page.$eval("footer", (element) => element.innerText)).includes("docs/reading-a-report.md"), `${name}: does not say where the guide is`);
  check(await page.$$eval("button.head", (list) => list.length > 0 && list.every((one) => one.title.endsWith("Sorts the table."))), `${name}: heads do not say that they sort`);
}

/* Under the headline: what the figures rest on, what the server reads, and every quality beside what it is compared with. A curve, its
 * baselines and the target are of the same items, whichever are chosen. */
async function tellsHowGood(page, summary) {
  const text = (selector) => page.$eval(selector, (element) => element.innerText), facts = await text("#facts");
  check(facts.includes(`Protocol ${summary.protocol} (`) && facts.includes(`, sampled candidates (the held-out item and 99 others); held out: `) && facts.includes("data: synthetic small") && facts.includes("seed 2; one seed: no interval"), `run: says ${facts}`);
  check((await text("#seen")).includes(summary.server_sees.uplink), "run: does not say what a server reads");
  const rows = await page.$$eval("table", (list) => [...[...list].find((one) => one.caption.innerText === "Quality on the test items").tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.innerText)));
  const expected = [["before training", summary.initial_metrics], ["last round", summary.metrics], [`round ${summary.best_by_validation.round}, the best by validation`, summary.best_by_validation],
    ...Object.entries(summary.non_federated)].map(([name, found]) => [name, String(found["hr@10"]), String(found["ndcg@10"])]);
  check(JSON.stringify(rows.map((row) => row.slice(0, 3))) === JSON.stringify(expected), `run: qualities are ${JSON.stringify(rows)}, not ${JSON.stringify(expected)}`);
  await page.selectOption("#curve-figure", "auc");
  check(await page.evaluate((auc) => charts.some((one) => one.canvas.getAttribute("aria-label").startsWith("auc of ") && one.chart.data.datasets[0].data.some((point) => point.y === auc)), summary.metrics.validation_auc), "run: another figure has no curve");
  await page.selectOption("#curve-figure", "hr@10");
  const target = JSON.parse(await page.$eval("#data", (element) => element.textContent)).target;
  for (const [button, prefix] of [["validation items", "validation_"], ["test items", ""]]) {
    await page.click(`.choice button:text-is("${button}")`);
    const drawn = await page.evaluate(() => Object.fromEntries(charts.find((one) => one.canvas.getAttribute("aria-label").startsWith("hr@10 of ")).chart.data.datasets.map((set) => [set.label, set.data.map((point) => point.y)])));
    const curve = drawn[summary.method];
    check(curve[0] === summary.initial_metrics[`${prefix}hr@10`] && curve[curve.length - 1] === summary.metrics[`${prefix}hr@10`], `run: the curve of ${button} is another one`);
    check(drawn.popularity[0] === summary.non_federated.popularity[`${prefix}hr@10`], `run: popularity is not that of ${button}`);
    check((drawn.target !== undefined) === (target.column === `${prefix}hr@10`), `run: the target is drawn among ${button}`);
  }
}

/* The timeline that is shown, against events.ndjson and rounds.csv: the last to end at the top, time from the round's start to its
 * close, which is marked, latency apart from what it delays, and what waits hatched. */
async function drawsTheRound(page) {
  const round = Number((await page.locator(".gantt").getAttribute("aria-label")).match(/round (\d+)/)[1]);
  const row = rowsOf(join(folder, "run", "rounds.csv")).find((one) => Number(one.round) === round), start = Number(row.start_s), end = Number(row.end_s);
  const lines = readFileSync(join(folder, "run", "events.ndjson"), "utf8").trim().split("\n").map((line) => JSON.parse(line)).filter((line) => line.round === round && line.phase !== "post");
  const ends = new Map();
  lines.forEach((line) => ends.set(line.client, line.t1_s));
  const expected = [...ends].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([client]) => String(client));
  const drawn = await page.evaluate(() => {
    const list = (selector, what) => [...document.querySelectorAll(`.gantt ${selector}`)].map(what), at = (one, name) => Number(one.getAttribute(name));
    const box = document.querySelector(".gantt").closest(".tall").getBoundingClientRect(), first = document.querySelector(".gantt .who").getBoundingClientRect();
    return {who: list(".who", (one) => one.textContent), close: list(".close", (one) => at(one, "x1")), seen: first.top >= box.top && first.bottom <= box.bottom,
      rects: list("rect.part", (one) => ({x: at(one, "x"), width: at(one, "width"), part: one.getAttribute("class").match(/part-(\w+)/)[1], hatched: getComputedStyle(one.nextElementSibling || one).strokeDasharray !== "none" && (one.nextElementSibling || one).classList.contains("hatch")}))};
  });
  check(await page.$eval(".gantt .who", (element) => parseFloat(getComputedStyle(element).fontSize)) >= 11, "run: numbers of clients are too small to be read");
  check(drawn.who.join() === expected.join() && drawn.seen, `run: the timeline has ${drawn.who}, not ${expected}`);
  const left = Math.min(...drawn.rects.map((one) => one.x)), perSecond = (drawn.close[0] - left) / (end - start);
  check(drawn.close.length === 1 && drawn.rects.every((one) => one.x + one.width <= drawn.close[0] + 0.7), "run: the close of the round is not marked, or something is drawn behind it");
  const sum = (part) => drawn.rects.filter((one) => one.part === part).reduce((all, one) => all + one.width, 0) / perSecond;
  const waited = [...ends.values()].reduce((all, value) => all + end - value, 0);
  const latency = lines.filter((line) => ["down", "up"].includes(line.phase)).reduce((all, line) => all + Math.min(line.latency_s, line.t1_s - line.t0_s), 0);
  check(close(sum("wait"), waited, 0.01), `run: ${sum("wait")} s of waiting are drawn, not ${waited}`);
  check(close(sum("latency"), latency, 0.05), `run: ${sum("latency")} s of latency are drawn, not ${latency}`);
  check(drawn.rects.every((one) => one.hatched === ["wait", "idle"].includes(one.part)), "run: waiting is not hatched, or something else is");
  /* What is filled, and the lines of a hatching, stand out from the paper between them. */
  const colours = await page.evaluate(() => ["paper", "part-setup", "part-wait", "part-idle"].map(colour));
  const luminance = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((all, c, i) => all + c * [0.2126, 0.7152, 0.0722][i], 0.05);
  const contrast = (a, b) => Math.max(luminance(a) / luminance(b), luminance(b) / luminance(a));
  colours.slice(1).forEach((hex) => check(contrast(hex, colours[0]) >= 3, `run: ${hex} on ${colours[0]} has a contrast of ${contrast(hex, colours[0])}`));
}

async function run(browser) {
  const summary = JSON.parse(readFileSync(join(folder, "run", "summary.json")));
  const page = await open(browser, "run");
  const cards = await page.$$eval(".card", (list) => Object.fromEntries(list.map((card) =>
    [card.querySelector("dt").innerText, card.querySelector(".value").dataset.value])));
  check(Number(cards["hr@10, test items"]) === summary.metrics["hr@10"], "run: the quality is not that of summary.json");
  check(Number(cards["Simulated time"]) === summary.simulated_s, "run: the time is not that of summary.json");
  check(Number(cards.Sent) === summary.bytes.down + summary.bytes.up + summary.bytes.setup_down + summary.bytes.setup_up, "run: the bytes are not those of summary.json, connecting included");
  await tellsHowGood(page, summary);
  /* hover */
  const rect = page.locator(".gantt rect.part").first();
  await rect.scrollIntoViewIfNeeded();
  await rect.hover();
  check(/^client \d+: .*in the end /.test(await page.locator(".tip").innerText()), "run: hovering over a phase says nothing");
  /* another round, another picture */
  const before = await page.locator(".gantt").getAttribute("aria-label");
  await page.selectOption("#timeline", {index: 1});
  check(await page.locator(".gantt").getAttribute("aria-label") !== before, "run: another round is the same picture");
  check(await page.locator(".gantt path.lost").count() >= 0, "run: there is no timeline");
  await page.selectOption("#timeline", {label: await page.$eval("#timeline", (select) => [...select.options].find((option) => option.text.includes("most lost")).text)});
  check(await page.locator(".gantt path.lost").count() > 0, "run: nobody was lost in the round that lost most");
  await drawsTheRound(page);
  /* curves against bytes */
  await page.click("button:text-is('bytes')");
  check((await page.locator("canvas").first().getAttribute("aria-label")).includes("sent until then"), "run: curves are still against time");
  /* sorting */
  const table = page.locator("table", {has: page.locator("caption", {hasText: "The whole run's critical path"})});
  await table.locator("thead button").nth(1).click();
  const sorted = await table.locator("tbody tr td:nth-child(2)").evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.value)));
  check(sorted.length > 2 && sorted.every((value, i) => i === 0 || sorted[i - 1] <= value), "run: a table is not sorted");
  check(await table.locator("thead th").nth(1).getAttribute("aria-sort") === "ascending", "run: a table does not say how it is sorted");
  await findsItsWay(page, "run");
  await reachesAll(page, "run");
  await writesWhatItMeans(page, "run");
  await page.context().close();
}

/* ---- a sweep ---- */

async function ranking(page) {
  return page.$$eval("#part-ranking tbody tr:not(.baseline)", (rows) => rows.map((row) => ({name: row.cells[0].innerText, value: row.cells[1].dataset.value,
    text: [...row.cells].map((cell) => cell.innerText)})));
}

/* The page's statistics, and what it shows, against the tables. */
async function agreesWithTables(page) {
  const data = unpacked(JSON.parse(await page.$eval("#data", (element) => element.textContent)));
  const cells = rowsOf(join(folder, "swept", "cells.csv")), differences = rowsOf(join(folder, "swept", "differences.csv"));
  const value = (text) => text === "inf" ? Infinity : text === null ? NaN : text;
  const figures = (i, metric) => (data.entries[i].figures[metric] || []).map(value), steps = (i, metric) => data.entries[i].steps[metric];
  let n = 0;
  for (const row of cells) {
    const values = figures(Number(row.cell), row.metric);
    if (!values.length)
      continue;
    const found = statistics.estimate(values, data.t, steps(Number(row.cell), row.metric));
    check(found.censored === Number(row.censored), `${row.metric} of cell ${row.cell}: ${found.censored} censored, not ${row.censored}`);
    if (!found.censored && row.mean)
      check(close(found.mean, Number(row.mean)) && (row.ci_high === "" || close(found.mean + found.half, Number(row.ci_high), 1e-8)),
        `${row.metric} of cell ${row.cell}: ${found.mean} ± ${found.half}, not ${row.mean} to ${row.ci_high}`);
    n++;
  }
  for (const row of differences) {
    const a = figures(Number(row.cell), row.metric), b = figures(Number(row.baseline), row.metric);
    if (!a.length || !b.length || row.paired === "")
      continue;
    const found = statistics.paired(a, data.entries[row.cell].seeds, b, data.entries[row.baseline].seeds, data.t,
      steps(Number(row.cell), row.metric), steps(Number(row.baseline), row.metric));
    check(Math.abs(found.mean - Number(row.paired)) <= 1e-9 * (1 + Math.abs(a[0])) && (row.paired_high === "" ||
      Math.abs(found.mean + found.half - Number(row.paired_high)) <= 1e-8 * (1 + Math.abs(a[0]))),
      `${row.metric} of cell ${row.cell}: difference ${found.mean} ± ${found.half}, not ${row.paired} to ${row.paired_high}`);
    n++;
  }
  check(n > 500, `only ${n} figures were compared with the tables`);
}

/* Who is called first: by the sentence, the line of the environment, the ranking and the map. */
async function winnersOf(page) {
  return page.evaluate(() => {
    const text = (selector) => document.querySelector(selector).innerText, column = document.querySelector("#under").selectedIndex + 1;
    const map = [...document.querySelectorAll("#part-map tbody tr")].filter((row) => /wins|first/.test(row.cells[column].innerText)).map((row) => row.cells[0].innerText);
    const first = document.querySelector("#part-ranking tr.best");
    return {answer: text("#answer"), now: text("#now"), ranking: first ? first.cells[0].innerText : null, map: map.length ? map[0] : null, by: text("#part-ranking caption")};
  });
}

async function agreeOnTheWinner(page, what) {
  const found = await winnersOf(page), name = found.ranking;
  check(found.map === name, `${what}: the ranking has ${name} first, the map ${found.map}`);
  check(name === null || found.now.includes(`: ${name} is `), `${what}: the ranking has ${name} first, and the line above says ${found.now}`);
  check(name === null || found.answer.includes(name), `${what}: the ranking has ${name} first, and the sentence says ${found.answer}`);
  return found;
}

/* Baselines have a row among the ranked and a line in each curve, of the items of the curve; a sentence says where all are below. */
async function showsBaselines(page) {
  const popularity = (name) => rowsOf(join(folder, "swept", "cells.csv")).filter((row) => row.metric === `non_federated.popularity.${name}` && ["0", "2", "4"].includes(row.cell)).map((row) => Number(row.mean));
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length, column = (await page.evaluate(() => page.entries[0].column));
  const row = await page.$eval("#part-ranking tr.baseline", (element) => [...element.cells].map((cell) => cell.dataset.value ?? cell.innerText));
  check(row[0] === "popularity" && row.some((cell) => close(Number(cell), mean(popularity("hr@10")))), `swept: the row of popularity is ${row}`);
  const drawn = await page.evaluate(() => charts.filter((one) => one.canvas.closest("#part-curves")).map((one) => one.chart.data.datasets.find((set) => set.label === "popularity").data.map((point) => point.y)));
  check(drawn.length === 2 && drawn.flat().every((value) => close(value, mean(popularity(column)))), `swept: the line of popularity is at ${drawn}, not at ${mean(popularity(column))}`);
  await page.click("#part-curves .choice button:text-is('test items')");
  const other = await page.evaluate(() => charts.filter((one) => one.canvas.isConnected && one.canvas.closest("#part-curves")).map((one) => Object.fromEntries(one.chart.data.datasets.filter((set) => set.label).map((set) => [set.label.replace(/ \(.*/, ""), set.data.map((point) => point.y)]))));
  check(other.length === 2 && other.every((one) => one.target === undefined && close(one.popularity[0], mean(popularity("hr@10"))) &&
    close(one.wide[one.wide.length - 1], Number(rowsOf(join(folder, "swept", "cells.csv")).find((cell) => cell.cell === "0" && cell.metric === "hr@10").mean))), "swept: the curves of the test items are of others");
  await page.click("#part-curves .choice button:text-is('validation items')");
  const qualities = [0, 2, 4].map((cell) => Number(rowsOf(join(folder, "swept", "cells.csv")).find((one) => one.cell === String(cell) && one.metric === "hr@10").mean));
  const below = await page.$eval("#below", (element) => element.hidden ? "" : element.innerText);
  check(below.includes("loss=some") || /every environment/.test(below) ? qualities.every((value) => value < mean(popularity("hr@10"))) : qualities.some((value) => value >= mean(popularity("hr@10"))),
    `swept: says “${below}” of ${qualities} beside ${mean(popularity("hr@10"))}`);
}

/* What the page decides for itself is what the program has decided, as long as nobody has touched the controls. */
async function decidesAsTheProgram(browser, name) {
  const page = await open(browser, name);
  const [found, told] = await page.evaluate(() => [rankAll(measureOf).map((race) => ({measure: Object.keys(MEASURES).find((key) => MEASURES[key] === race.measure),
    leader: race.leader ? race.leader.i : null, alone: race.leader ? ["ahead", "alone"].includes(race.leader.standing) : false})), JSON.parse(document.getElementById("data").textContent).claims]);
  check(told.length > 0 && JSON.stringify(found.map((one) => [one.measure, one.leader, one.alone])) === JSON.stringify(told.map((one) => [one.measure, one.leader, one.alone])),
    `${name}: decides ${JSON.stringify(found)}, and the program ${JSON.stringify(told)}`);
  check(await page.$eval("#answer", (element) => element.innerText) === await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).headline),
    `${name}: does not begin with the sentence`);
  for (let i = 0; i < told.length; i++) {
    await page.selectOption("#under", {index: i});
    await agreeOnTheWinner(page, `${name}, environment ${i}`);
  }
  await page.context().close();
}

/* The head: a row for each environment, who is first in the column that the sentence goes by, and colours that stay with their design. */
async function headOf(browser, name) {
  const page = await open(browser, name), data = JSON.parse(await page.$eval("#data", (element) => element.textContent));
  const columns = {time: "time", duration: "time", quality: "quality"};
  data.claims.forEach((claim, c) => {
    const cell = data.head[c][columns[claim.measure]];
    check(cell && cell.leader === claim.leader && cell.decided === claim.alone, `${name}: the head has ${JSON.stringify(cell)}, and the sentence ${JSON.stringify(claim)}`);
  });
  const rows = await page.$$eval("#head tbody tr", (list) => list.map((row) => row.innerText));
  check(rows.length === data.environments.length && rows.every((row) => /decided|alone/.test(row)), `${name}: the head has ${JSON.stringify(rows)}`);
  const inks = () => page.evaluate(() => Object.fromEntries(charts[0].chart.data.datasets.filter((set) => set.label && set.label !== "target").map((set) => [set.label.replace(/ \(.*/, ""), set.borderColor])));
  const before = await inks();
  await page.selectOption("#under", {index: 1});
  check(JSON.stringify(Object.entries(await inks()).sort()) === JSON.stringify(Object.entries(before).sort()), `${name}: colours change with the environment`);
  await page.selectOption("#by", "sent");
  check((await page.$$("#head table")).length === 0, `${name}: the head stays when something else is ranked by`);
  await page.context().close();
}

/* ---- money ---- */

async function money(browser) {
  const page = await open(browser, "swept");
  await page.selectOption("#by", "spent");
  check((await page.$eval("#hint", (element) => element.innerText)).includes("without a price"), "swept: ranks by money without a price");
  await page.fill("#gb", "5");
  await page.keyboard.press("Enter");
  await page.fill("#hour", "36");
  await page.keyboard.press("Enter");
  const rows = await ranking(page), found = rows.find((row) => row.name === "narrow");
  const means = {};
  for (const row of rowsOf(join(folder, "swept", "cells.csv")).filter((one) => one.cell === "2"))
    means[row.metric] = Number(row.mean);
  check(close(Number(found.value), 5 * means["bytes.sent"] / 1e9 + 36 * means.simulated_s / 3600), `swept: money is ${found.value}`);
  check((await page.$eval("#target-said", (element) => element.innerText)).includes("Money counts all that is sent in both directions, connecting included"), "swept: what money counts is not said");
  await page.emulateMedia({media: "print"});
  check(await page.locator("#gb").isVisible() && await page.locator("#hour").isVisible() && await page.inputValue("#gb") === "5", "swept: prices that were typed are not printed");
  await page.emulateMedia({media: "screen"});
  check(page.url().includes("gb=5") && page.url().includes("hour=36"), "swept: the address does not keep prices");
  await page.selectOption("#by", "auto");
  await page.selectOption("#budget", "money");
  await page.fill("#most", String(5 * means["bytes.sent"] / 2e9 + 36 * means.simulated_s / 7200));
  await page.keyboard.press("Enter");
  check((await page.$eval("#part-ranking caption", (element) => element.innerText)).includes("within the budget"), "swept: a budget of money is not looked at");
  const within = (await ranking(page)).find((row) => row.name === "narrow");
  check(Number(within.value) > 0 && Number(within.value) <= 1, `swept: within a budget of money quality is ${within.value}`);
  await agreeOnTheWinner(page, "swept, within a budget of money");
  await page.context().close();
}

async function sweep(browser) {
  const page = await open(browser, "swept");
  await agreesWithTables(page);
  await showsBaselines(page);
  const first = await ranking(page), caption = () => page.$eval("#part-ranking caption", (element) => element.innerText);
  check(first.length === 3 && first.every((row) => ["wide", "narrow", "slow"].includes(row.name)), "swept: there are not three choices");
  /* sort */
  await page.locator("#part-ranking thead button").first().click();
  const byName = (await ranking(page)).map((row) => row.name);
  check(byName.join() === [...byName].sort().join(), "swept: is not sorted by name");
  /* environment */
  const before = await caption();
  await page.selectOption("#under", {index: 1});
  check(await caption() !== before && page.url().includes("#under=loss"), "swept: another environment shows the same");
  /* what is ranked by */
  await page.selectOption("#by", "sent");
  check((await caption()).startsWith("Bytes of the whole run"), "swept: is not ranked by bytes");
  check((await ranking(page))[0].name === "narrow", "swept: whoever sends a quarter does not send least");
  const said = await agreeOnTheWinner(page, "swept, by bytes");
  check(said.answer.startsWith("By bytes of the whole run, as chosen: narrow is ahead, yet ends no better than popularity, under loss=some; loss=none"), `swept, by bytes: says ${said.answer}`);
  const kept = page.url().slice(page.url().indexOf("#"));
  await page.context().close();
  const again = await open(browser, "swept", {}, kept);
  check(await again.$eval("#by", (element) => element.value) === "sent" && await again.$eval("#under", (element) => element.value) === "1",
    "swept: the address does not keep what is shown");
  for (const by of ["quality", "duration", "round", "bytes", "time"]) {
    await again.selectOption("#by", by);
    await agreeOnTheWinner(again, `swept, by ${by}`);
  }
  /* target */
  const planned = (await ranking(again)).map((row) => row.text[1]).join();
  await again.fill("#target", "0.2");
  await again.keyboard.press("Enter");
  check((await ranking(again)).map((row) => row.text[1]).join() !== planned, "swept: another target takes the same time");
  check(again.url().includes("target=0.2"), "swept: the address does not keep the target");
  check((await again.$eval("#target-said", (element) => element.innerText)).startsWith("Target: validation_hr@10 ≥ 0.2, as typed"), "swept: the target is still the planned one");
  await agreeOnTheWinner(again, "swept, target 0.2");
  await again.fill("#target", "0.99");
  await again.keyboard.press("Enter");
  check((await ranking(again)).every((row) => row.text[1] === "0 of 4 reached"), "swept: what nobody reaches is reached");
  check((await again.$eval("#now", (element) => element.innerText)).includes("no design gets there"), "swept: nobody's winning is not said");
  await agreeOnTheWinner(again, "swept, target 0.99");
  /* budget */
  await again.fill("#target", "");
  await again.selectOption("#by", "auto");
  await again.selectOption("#budget", "bytes");
  await again.fill("#most", "300 kB");
  await again.keyboard.press("Enter");
  check((await again.$eval("#part-ranking caption", (element) => element.innerText)).includes("within the budget of all clients' bytes, down and up"), "swept: the budget is not looked at, or not said to be of all clients");
  check((await again.$eval("#budget", (element) => element.selectedOptions[0].textContent)) === "bytes, of all clients, down and up", "swept: the field does not say whose bytes");
  check((await again.$eval("#target-said", (element) => element.innerText)).includes("A budget of bytes counts all that is sent over any link from the run's start, connecting included"), "swept: what a budget counts is not said");
  await again.fill("#most", "3 apples");
  await again.keyboard.press("Enter");
  check((await again.$eval("#hint", (element) => element.innerText)).includes("is no amount"), "swept: apples are an amount");
  await again.fill("#most", "10 min");
  await again.keyboard.press("Enter");
  check((await again.$eval("#hint", (element) => element.innerText)).includes("is no amount of bytes"), "swept: minutes are bytes");
  /* A number with a comma is none, and not its beginning. */
  await again.selectOption("#budget", "none");
  await again.fill("#target", "0,45");
  await again.keyboard.press("Enter");
  check((await again.$eval("#hint", (element) => element.innerText)).includes("“0,45” is no number"), "swept: 0,45 is a target");
  check((await again.$eval("#target-said", (element) => element.innerText)).startsWith("Target: hr@10"), "swept: 0,45 is taken for a target");
  await again.fill("#target", "");
  await again.fill("#gb", "5,50");
  await again.keyboard.press("Enter");
  check((await again.$eval("#hint", (element) => element.innerText)).includes("“5,50” is no price"), "swept: 5,50 is a price");
  await again.fill("#gb", "");
  await again.keyboard.press("Enter");
  await findsItsWay(again, "swept");
  check((await again.$$eval("#part-ranking button.head", (list) => list.filter((one) => one.textContent.startsWith("Bytes")).map((one) => one.title))).every((title) => title.includes("connecting included")),
    "swept: heads of bytes do not say that connecting is included");
  await reachesAll(again, "swept");
  await writesWhatItMeans(again, "swept");
  await again.context().close();
}

/* ---- a sensitivity ---- */

async function sensitivity(browser) {
  const told = JSON.parse(readFileSync(join(folder, "sensitive", "sensitivity.json"))), page = await open(browser, "sensitive");
  const text = await page.evaluate(() => document.body.innerText);
  check(text.includes(`What moves it most: ${told.variants[0].assumptions[0].name}`), "sensitive: does not say what moves the answer most");
  for (let i = 0; i < told.variants.length; i++) {
    await page.selectOption("#variant0", {index: i});
    const rows = await page.$$eval(".tornado .name", (list) => list.map((one) => one.textContent));
    check(rows.join() === told.variants[i].assumptions.map((one) => one.name).join(), `sensitive: draws ${rows}`);
    const widths = await page.$$eval(".tornado rect:not(.seeds)", (list) => list.map((one) => Number(one.getAttribute("width"))));
    const wide = await page.$eval(".tornado", (one) => one.dataset.scale === "logarithmic"), scaled = (value) => wide ? Math.log(value) : value;
    const far = told.variants[i].assumptions.flatMap((one) => one.levels.map((level) => Math.abs(scaled(level.figure.mean) - scaled(told.variants[i].base.mean))));
    const scale = Math.max(...widths) / Math.max(...far);
    check(far.every((value, k) => Math.abs(Math.max(1, value * scale) - widths[k]) < 0.01), `sensitive: bars are ${widths} for ${far}`);
    const ranges = await page.$$eval("table", (list) => [...[...list].find((one) => one.caption.innerText.includes("one assumption at a time")).tBodies[0].rows]
      .map((row) => row.cells[1].dataset.value));
    check(ranges.length > 2 && told.variants[i].assumptions.every((one, k) => close(Number(ranges[k]), one.range)), `sensitive: ranges are ${ranges}`);
  }
  await page.context().close();
}

/* With one choice the tornado is the page: what is first, how far it moves the answer, and no winner. */
async function restsOn(browser) {
  const told = JSON.parse(readFileSync(join(folder, "rests", "sensitivity.json"))), page = await open(browser, "rests"), first = told.variants[0].assumptions[0];
  const text = await page.evaluate(() => document.body.innerText), top = await page.$eval(".tornado", (one) => one.getBoundingClientRect().top);
  check(top < 400, `rests: the tornado begins ${top} px down`);
  check(text.includes(`What moves it most: ${first.name} (`) && text.includes("One seed: no interval"), "rests: does not begin with the answer");
  check(!/wins|winner|Pareto|Ranking|differ/.test(text.replace(/differs, see above/g, "")), "rests: ranks what is alone");
  check(await page.$$eval(".tornado .name", (list) => list.length) === told.variants[0].assumptions.length, "rests: not all assumptions are drawn");
  const rows = await page.$$eval("table", (list) => [...[...list].find((one) => one.caption.innerText.includes("one assumption at a time")).tBodies[0].rows].map((row) => [row.cells[0].innerText, row.cells[2].innerText]));
  check(rows.some(([name, base]) => name === "losses" && base === "failures.up 0.1") && rows.some(([name, base]) => name === "latency" && base === "network.latency_factor 1"), `rests: as it is, assumptions are ${JSON.stringify(rows)}`);
  check((await page.$eval("#costs", (element) => element.innerText)).startsWith("As it is: hr@10 "), "rests: quality and bytes are missing");
  await page.context().close();
}

/* The page of a search: its answer, the one figure with the bound, and no other ranking. */
async function sought(browser) {
  const told = JSON.parse(readFileSync(join(folder, "sought", "answer.json"))), page = await open(browser, "sought");
  const answer = await page.$eval("#answer", (element) => element.innerText), text = await page.evaluate(() => document.body.innerText);
  check(answer.startsWith(told.lines[0]) && told.lines.every((line) => text.includes(line)), `sought: says ${answer}, and the terminal ${told.lines[0]}`);
  check(!/significantly different|Ranking|Pareto|wins/.test(text), "sought: names another answer");
  check(await page.$$eval("canvas", (list) => list.length) === 1, "sought: there is not one figure");
  const costs = await page.$eval("#costs", (element) => element.innerText);
  check(costs.startsWith(`With method.dim ${told.answer}: hr@10 `) && /; [0-9.]+ (± [0-9.]+ )?[kM]B sent over all links/.test(costs) && /the largest share of the time in [a-z ]+, [0-9.]+ % \(of the critical path/.test(costs), `sought: the answer costs ${costs}`);
  check(text.includes("--set output.what_if=all measures it") && text.includes("Method fedmf; protocol honest"), "sought: neither what measures what would help, nor the method");
  check((await page.$eval("canvas", (canvas) => canvas.getAttribute("aria-label"))) === `hr@10 against method.dim, with the bound ${told.until}`, "sought: the figure is of something else");
  const drawn = await page.evaluate(() => charts[0].chart.data.datasets.map((set) => [set.label, set.data.map((point) => [point.label, point.y])]));
  const expected = (keeps) => told.figures["hr@10"].filter((one) => one.keeps === keeps).map((one) => [one.setting, one.mean]), set = (name) => (drawn.find(([label]) => label === name) || [])[1] || [];
  check(JSON.stringify(set("meets the bound")) === JSON.stringify(expected(true)) && JSON.stringify(set("does not")) === JSON.stringify(expected(false)), `sought: draws ${JSON.stringify(drawn)}`);
  check(set(told.until).length === 2 && set(told.until).every(([, y]) => y === told.bound), "sought: the bound is not drawn");
  await page.evaluate(() => document.querySelectorAll("details").forEach((element) => { element.open = true; }));
  const rows = await page.$$eval("table", (list) => [...[...list].find((one) => one.caption.innerText.includes("Settings that were run")).tBodies[0].rows].map((row) => [row.cells[0].innerText, Number(row.cells[1].dataset.value), row.cells[2].innerText]));
  check(rows.length === told.tried.length && rows.every((row, i) => row[1] === told.figures["hr@10"][i].mean && (row[2] === "yes") === told.figures["hr@10"][i].keeps), `sought: the table has ${JSON.stringify(rows)}`);
  await page.context().close();
}

/* Two runs that differ in their networks: what the change does, a curve of each, the settings by name, and no winner. */
async function beside(browser) {
  const runs = ["slow", "fast"].map((name) => JSON.parse(readFileSync(join(folder, name, "summary.json")))), page = await open(browser, "beside");
  const answer = await page.$eval("#answer", (element) => element.innerText), text = await page.evaluate(() => document.body.innerText);
  const percent = 100 * (runs[1].simulated_s / runs[0].simulated_s - 1), told = /^Uplink 3 → 4 Mbit\/s: takes [0-9.]+ (?:ms|s) instead of [0-9.]+ (?:ms|s) \(−([0-9.]+) %\), same bytes \([0-9.]+ [kM]B\), same HR@10; one seed\.$/.exec(answer)
    || /\(−([0-9.]+) %\), same bytes.*; one seed\.$/.exec(answer);
  check(answer.startsWith("Uplink 3 → 4 Mbit/s: ") && told && percent < 0, `beside: says ${answer}`);
  check(text.includes("Method fedmf; protocol honest") && /same bytes \([0-9.]+ [kM]B\)/.test(answer), "beside: method or bytes are missing");
  check(!/wins|In none|differ in: none|not once/.test(text), "beside: there is a winner, or no difference");
  check(await page.evaluate(() => charts[0].chart.data.datasets.filter((set) => set.label && !["target", "popularity"].includes(set.label)).length) === 2, "beside: there is no curve of each");
  check(/network\.uplink\.value\t3 Mbit\/s\t4 Mbit\/s|network\.uplink\.value\t4 Mbit\/s\t3 Mbit\/s/.test(text), "beside: the setting in which they differ is not named");
  check((await page.$$("#under")).length === 0, "beside: there are environments to choose from");
  await page.context().close();
}

/* Runs that differ in the seed alone are replicates. */
async function pooled(browser) {
  const runs = ["seeds1", "seeds2", "seeds3"].map((name) => JSON.parse(readFileSync(join(folder, name, "summary.json")))), page = await open(browser, "pooled");
  const data = unpacked(JSON.parse(await page.$eval("#data", (element) => element.textContent))), row = (await ranking(page))[0];
  check(data.entries.length === 1 && JSON.stringify(data.entries[0].figures.simulated_s) === JSON.stringify(runs.map((run) => run.simulated_s)), "pooled: they are not one entry");
  check(row.text[row.text.length - 1] === "3" && row.text.some((cell) => cell.includes("±")), `pooled: the ranking has ${row.text}`);
  check(await page.evaluate(() => document.body.innerText.includes("seeds1, ")), "pooled: does not say which runs are replicates");
  await page.context().close();
}

/* ---- questions that the visible text has to answer ---- */

/* What is ranked by is the second column, in sight without scrolling. */
async function onATelephone(browser) {
  const page = await open(browser, "swept", {viewport: {width: 390, height: 844}});
  const heads = await page.$$eval("#part-ranking thead th", (list) => list.map((one) => [one.innerText, one.getBoundingClientRect().right])), caption = await page.$eval("#part-ranking caption", (element) => element.innerText);
  check(caption.startsWith(heads[1][0]) && heads[1][1] <= 390, `swept, on a telephone: what is ranked by is not in sight: ${heads}`);
  await page.context().close();
}

/* What stands against an axis of numbers is what cells.csv has: under the chosen environment against the design's axis, and
 * against that of the environment with all of its levels. */
async function against(browser) {
  const page = await open(browser, "numbers"), cells = rowsOf(join(folder, "numbers", "cells.csv"));
  const mean = (dim, loss, metric) => Number(cells.find((row) => row["method.dim"] === dim && row.loss === loss && row.metric === metric).mean);
  const tables = await page.$$eval("#part-swept table", (list) => list.map((one) => [one.querySelector("caption").textContent,
    [...one.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.dataset.value ?? cell.textContent))]));
  const [dims, losses] = ["Against method.dim with loss=0 %", "Against loss"].map((title) => (tables.find(([caption]) => caption === title) || ["", []])[1]);
  check(dims.length === 2 && dims.every((row) => close(Number(row[2]), mean(row[1], "0 %", "hr@10")) && close(Number(row[3]), mean(row[1], "0 %", "simulated_s"))),
    `numbers: against method.dim is ${JSON.stringify(tables)}`);
  check(losses.length === 6 && losses.every((row) => close(Number(row[2]), mean(row[0].replace("method.dim=", ""), `${row[1]} %`, "hr@10"))), `numbers: against loss is ${JSON.stringify(losses)}`);
  await page.context().close();
}

/* Any figure against any axis, of categories too: as lines, as a chart for each label of a second axis, and as heat maps; all of
 * cells.csv's values. */
async function anyFigure(browser) {
  const page = await open(browser, "swept"), cells = rowsOf(join(folder, "swept", "cells.csv"));
  const mean = (method, loss, metric) => Number(cells.find((row) => row.method === method && row.loss === loss && row.metric === metric).mean), names = ["wide", "narrow", "slow"], losses = ["some", "none"];
  const drawn = () => page.evaluate(() => charts.filter((one) => one.canvas.isConnected && one.canvas.closest("#any-figure")).map((one) => [one.canvas.getAttribute("aria-label"),
    Object.fromEntries(one.chart.data.datasets.filter((set) => set.label && set.label !== "popularity").map((set) => [set.label, set.data.map((point) => point.y)]))]));
  const choose = async (metric, against, also) => {
    await page.selectOption("#any-metric", metric);
    await page.selectOption("#any-against", {label: against});
    await page.selectOption("#any-also", {label: also});
  };
  check((await page.$$eval("#any-metric option", (list) => list.length)) > 40, "swept: there are few figures to choose from");
  await choose("critical_path.up_s", "loss", "nothing else");
  let found = await drawn();
  check(found.length === 1 && names.every((name) => losses.every((loss, k) => close(found[0][1][name][k], mean(name, loss, "critical_path.up_s")))), `swept: against loss is ${JSON.stringify(found)}`);
  await choose("bytes.sent", "method", "nothing else");
  found = await drawn();
  check(found.length === 1 && names.every((name, k) => close(found[0][1].all[k], mean(name, "some", "bytes.sent"))), `swept: bytes against method are ${JSON.stringify(found)}`);
  await choose("hr@10", "method", "a chart for each loss");
  found = await drawn();
  check(found.length === 2 && losses.every((loss, c) => found[c][0].includes(`loss=${loss}`) && names.every((name, k) => close(found[c][1].all[k], mean(name, loss, "hr@10")))), `swept: charts for each loss are ${JSON.stringify(found)}`);
  await judge(page, "swept, small multiples");
  await choose("simulated_s", "method", "a heat map with loss");
  const map = await page.$$eval("#any-figure .heat tbody tr", (list) => list.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent)));
  check(map.length === 2 && losses.every((loss, c) => map[c][0] === loss && names.every((name, k) => close(Number(map[c][k + 1]), mean(name, loss, "simulated_s")))), `swept: the heat map is ${JSON.stringify(map)}`);
  await judge(page, "swept, a heat map");
  await page.context().close();
}

/* Defaults that decide stand on top, with the shares of their environments: those of the runs, each of which says its own. */
async function decided(browser) {
  const page = await open(browser, "numbers"), lines = await page.$$eval(".decided li", (list) => list.map((one) => one.textContent));
  const shares = readdirSync(join(folder, "numbers", "points")).filter((name) => /^\d+$/.test(name)).map((name) => JSON.parse(readFileSync(join(folder, "numbers", "points", name, "summary.json"))))
    .flatMap((summary) => (summary.decided_by || []).filter((one) => one.key === "failures.detect").map((one) => 100 * one.time_share));
  const line = lines.find((one) => one.includes("of the time is the server noticing lost clients, 30 s by default (failures.detect)")) || "", told = [...line.matchAll(/: ([0-9.]+)(?:–[0-9.]+)? %/g)].map((found) => Number(found[1]));
  check(told.length === 2 && /^Under loss=10 %: .*, under loss=40 %: /.test(line) && told.every((value) => value >= Math.min(...shares) - 0.5 && value <= Math.max(...shares) + 0.5), `numbers: ${JSON.stringify(lines)} decide, not ${shares}`);
  const [top, answer] = await page.evaluate(() => [".decided", "#answer"].map((selector) => document.querySelector(selector).getBoundingClientRect().top));
  check(top < answer, "numbers: what decides stands below the sentence");
  await page.context().close();
}

/* What a change would save is what the points' what_if.json have, for each of their runs; where there is none the page says what measures it. */
async function whatWouldHelp(browser) {
  const page = await open(browser, "numbers"), held = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).what_ifs), points = readdirSync(join(folder, "numbers", "points")).filter((name) => /^\d+$/.test(name)).sort();
  const files = points.map((name) => JSON.parse(readFileSync(join(folder, "numbers", "points", name, "what_if.json")))), changes = (name) => files.map((file) => (file.what_if.find((one) => one.name === name) || {change_percent: null}).change_percent);
  for (const [name, column] of Object.entries(held)) {
    const runs = column.flatMap((value) => Array.isArray(value) ? value : [value, value]);
    check(runs.length === 12 && changes(name).every((value, k) => value === null ? runs[k] === null : close(runs[k], value, 1e-13)), `numbers: ${name} is ${JSON.stringify(column)}, not ${JSON.stringify(changes(name))}`);
  }
  check(Object.keys(held).length > 4, `numbers: measured were ${Object.keys(held)}`);
  const rows = await page.$$eval("#part-time table", (list) => { const one = [...list].find((table) => table.caption.innerText.startsWith("What would help")); return [[...one.tHead.rows[0].cells].map((cell) => cell.innerText), ...[...one.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.value))]; });
  const latency = rows[0].indexOf("latency ½"), mean = (a, b) => (changes("latency ½")[a] + changes("latency ½")[b]) / 200;
  check(latency > 0 && rows.slice(1).map((row) => Number(row[latency])).sort().every((value, k) => close(value, [mean(0, 1), mean(6, 7)].sort()[k])), `numbers: what would help is ${JSON.stringify(rows)}`);
  check(/Under loss=40 %: .*detection ½ −/.test(await page.$eval("#helps", (element) => element.innerText)), "numbers: what would save most is not said");
  await page.context().close();
  const other = await open(browser, "swept");
  check((await other.$eval("#helps", (element) => element.innerText)).includes("--set output.what_if=all measures it"), "swept: does not say what measures what would help");
  await other.context().close();
}

/* Somebody who has nothing but the page. Each answer is looked for in the visible text, and held against the files. */
async function walkThrough(browser) {
  const page = await open(browser, "swept"), text = await page.evaluate(() => document.body.innerText);
  const cells = rowsOf(join(folder, "swept", "cells.csv")), mean = (cell, metric) => Number(cells.find((row) => row.cell === String(cell) && row.metric === metric).mean);
  const names = ["wide", "narrow", "slow"], best = names.reduce((a, b) => mean(2 * names.indexOf(b), "hr@10") > mean(2 * names.indexOf(a), "hr@10") ? b : a);
  const answer = (question, pattern) => {
    const found = pattern.exec(text);
    check(found, `the page does not say ${question}`);
    return found || [];
  };
  check(answer("which method on which network", /With some of uploads lost, .*?; (\w+) has HR@10/)[1] === best, "the page names the wrong method");
  check(Number(answer("how good it is, and how certain that is", /has HR@10 ([0-9.]+) \([0-9.]+–[0-9.]+\)/)[1]) === Number(mean(2 * names.indexOf(best), "hr@10").toFixed(3)), "the page has the wrong quality");
  const ahead = answer("by how much", /, ([0-9.]+) \([0-9.]+–[0-9.]+\) above (\w+)/);
  check(Math.abs(Number(ahead[1]) - (mean(2 * names.indexOf(best), "hr@10") - mean(2 * names.indexOf(ahead[2]), "hr@10"))) < 6e-4, "the page has the wrong distance");
  answer("who cannot be told apart, and what would decide it", /is not significantly different from \w+ \(about \d+ more replicates? would decide it\)/);
  const bound = answer("the bottleneck", new RegExp(`${best}\\t[^\\t]*\\t1\\t[^\\t]*\\t[^\\t]*\\t(\\w+), ([0-9.]+) %`)), path = ["setup", "retry", "latency", "down", "compute", "up", "server", "wait"];
  const parts = path.map((part) => mean(2 * names.indexOf(best), `critical_path.${part}_s`)), most = Math.max(...parts);
  check(bound[1] === "waiting" && path[parts.indexOf(most)] === "wait" && Math.abs(Number(bound[2]) - 100 * most / parts.reduce((a, b) => a + b)) < 0.06, "the page says something else is waited for");
  answer("results by group (fairness)", /no difference in hr@10 beyond chance \(p = 0\.\d+\)|hr@10 from 0\.\d+ \(0\.\d+ to 0\.\d+\) of .*, a spread of 0\.\d+ beyond chance \(p [<=] 0\.\d+\)/);
  check(!/a spread of 0\.\d+(?!\d| beyond chance)/.test(text), "the page claims a spread without a test");
  check(/(?:^|\n)method\.dim\tyes\t/.test(text) && /(?:^|\n)method\.learning_rate\tyes\t/.test(text) && !/(?:^|\n)rounds\.count\t(yes|no)\t/.test(text), "the page does not say which settings differ");
  answer("which target", /Target: hr@10 ≥ popularity \+ 0\.03/);
  answer("which protocol", /protocol\s+honest/);
  answer("which model of the network", /network model\s+exact/);
  answer("how to make it again", /fedrecsim report DIR/);
  await page.context().close();
}

/* Every figure of a run's tables is that of summary.json, and stands there rounded (writesWhatItMeans). */
async function tablesOfRun(browser, name) {
  const summary = JSON.parse(readFileSync(join(folder, name, "summary.json"))), page = await open(browser, name);
  const tables = await page.$$eval("table", (list) => Object.fromEntries(list.map((one) => [one.caption.textContent, [...one.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent))])));
  const expect = (caption, row, values) => {
    const found = (tables[caption] || []).find((one) => one[0] === row);
    check(found && values.every((value, i) => close(Number(found[i + 1]), value)), `${name}: ${caption}: ${row} is ${found}, not ${values}`);
  };
  const b = summary.bytes, waste = summary.waste_by_cause || {};
  expect("Bytes", "messages, what was sent again included", [b.down, b.up]);
  expect("Bytes", "of these to catch up with what was missed", [b.catchup_down]);
  expect("Bytes", "of these sent again", [b.resent_down, b.resent_up]);
  expect("Bytes", "connecting, beside the messages", [b.setup_down, b.setup_up]);
  if (summary.edge_messages > 0)
    expect("Bytes", "between edges and the server, beside those of clients", [b.edge_down, b.edge_up]);
  expect("Bytes", "all that was sent", [b.down + b.setup_down + (b.edge_down || 0), b.up + b.setup_up + (b.edge_up || 0)]);
  expect("Bytes", "as papers count (values alone)", [summary.nominal_bytes.down, summary.nominal_bytes.up]);
  for (const [outcome, n] of Object.entries(summary.outcomes))
    if (n > 0)
      expect("How participations ended", outcome.replaceAll("_", " "), [n, n / summary.participations]);
  const path = Object.entries(summary.critical_path).filter(([key]) => key !== "server_link_s"), all = path.reduce((sum, [, value]) => sum + value, 0);
  const titles = {down_s: "download", compute_s: "computing", up_s: "upload", wait_s: "waiting", latency_s: "latency", setup_s: "connecting", retry_s: "trying again", server_s: "server", edge_down_s: "server to edge", edge_up_s: "edge to server", edge_rounds_s: "edge rounds before the last"};
  for (const [key, value] of path)
    if (value > 0)
      expect("The whole run's critical path", titles[key], [value, value / all]);
  const spent = (tables["What was spent and not used"] || []).map((row) => [row[0], row[1], Number(row[3]), Number(row[4])]);
  for (const [cause, found] of Object.entries(waste))
    for (const [outcome, one] of Object.entries(found.by_outcome))
      check(spent.some((row) => row[0] === cause.replaceAll("_", " ") && row[1] === outcome.replaceAll("_", " ") && row[2] === one.down_bytes && row[3] === one.up_bytes), `${name}: what ${cause} wasted is not there`);
  const formula = {participation_s: "a participation, on average", slowest_s: "the slowest participation of a round", server_link_s: "all messages on the server's link",
    round_s: "a round by the formula", simulated_round_s: "a round as simulated", to_simulated: "formula over simulation"};
  for (const [key, value] of Object.entries(summary.closed_form || {}))
    if (typeof value === "number")
      expect("By the formula, and as simulated", formula[key], [value]);
  const whatIf = JSON.parse(readFileSync(join(folder, name, "what_if.json"))), helps = tables["What would help: the same rounds with one setting changed"] || [];
  check(helps.length === whatIf.what_if.length && whatIf.what_if.every((one) => helps.some((row) => row[0] === one.name && Number(row[1]) === one.seconds &&
    Number(row[2]) === one.seconds_without && close(Number(row[3]), one.change_percent / 100))), `${name}: what would help is ${JSON.stringify(helps)}, not ${JSON.stringify(whatIf.what_if)}`);
  const decided = await page.$$eval(".decided li", (list) => list.map((one) => one.textContent));
  check(JSON.stringify(decided) === JSON.stringify((summary.decided_by || []).map((one) => `${one.text}.`)), `${name}: ${JSON.stringify(decided)} decide, not ${JSON.stringify(summary.decided_by)}`);
  await page.context().close();
  return {summary, tables};
}

/* How large an upload each participation was assigned. */
async function assigned(browser) {
  const {summary, tables} = await tablesOfRun(browser, "adapted"), told = summary.adaptation;
  const rows = tables["How often each size was assigned"] || [];
  check(rows.length > 1 && rows.every((row) => Number(row[1]) === told.participations[row[0]]), `adapted: sizes are ${JSON.stringify(rows)}, not ${JSON.stringify(told.participations)}`);
  const ends = tables["What became of all grants"] || [];
  check(ends.map((row) => Number(row[1])).join() === [told.in_time, told.late, told.cut, told.lost].join() &&
    ends.reduce((sum, row) => sum + Number(row[1]), 0) === told.assigned, `adapted: grants end as ${JSON.stringify(ends)}`);
  const predictions = tables["Predicted and actual"] || [];
  check(predictions.length === 3 && Number(predictions[0][1]) === told.of_arrived.participations && Number(predictions[2][3]) === told.mean_actual_s,
    `adapted: predictions are ${JSON.stringify(predictions)}`);
  const quarters = tables["Sizes assigned by quarter of the uplinks, the slowest first"] || [];
  check(quarters.length === 4 && quarters.every((row) => Number(row[3]) === told.uplink_quartile[row[0]].mean && Number(row[5]) === told.uplink_quartile[row[0]].never_delivered),
    `adapted: quarters are ${JSON.stringify(quarters)}`);
  const rounds = tables["Sizes assigned, by round"] || [];
  check(rounds.length === summary.rounds && Math.min(...rounds.map((row) => Number(row[2]))) === told.min && Math.max(...rounds.map((row) => Number(row[6]))) === told.max,
    "adapted: the sizes of the rounds are not between the smallest and the largest of the run");
}

/* The plan by the clock: hours of the day and hour by hour are those of the files, the parts of the energy those of the summary. */
async function planned(browser) {
  const summary = JSON.parse(readFileSync(join(folder, "planned", "summary.json"))), hours = rowsOf(join(folder, "planned", "hours.csv")), page = await open(browser, "planned");
  const tables = await page.$$eval("table", (list) => Object.fromEntries(list.map((one) => [one.caption.textContent, [...one.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent))])));
  const days = tables["By hour of the day: clients as mean (least–most) of its hours, rounds and bytes in all, largest rates with every message at its mean rate"] || [], rows = tables["Hour by hour"] || [], byHour = summary.load.by_hour;
  check(days.length === byHour.length && byHour.every((of, i) => Number(days[i][0]) === of.clock_hour && close(Number(days[i][1]), of.mean_online) && close(Number(days[i][2]), of.mean_eligible) &&
    close(Number(days[i][3]), of.mean_selected) && Number(days[i][5]) === of.most_connections), `planned: hours of the day are ${JSON.stringify(days)}`);
  check(rows.length === hours.length && rows.reduce((sum, row) => sum + Number(row[4]), 0) === summary.rounds && hours.every((of, i) => close(Number(rows[i][6]), Number(of.down_bytes)) && close(Number(rows[i][8]), Number(of.down_most_bytes_per_s))),
    `planned: hours are ${JSON.stringify(rows)}`);
  const energy = tables["Energy by what it was for, modelled"] || [], of = (what) => Number((energy.find((row) => row[0] === what) || [])[1]);
  check(close(of("clients: in all"), summary.modelled.energy_j) && close(of("clients: uploads"), summary.modelled.by_phase.up_j) && !energy.some((row) => row[0] === "clients: waiting awake"), `planned: energy is ${JSON.stringify(energy)}`);
  const load = tables["The server's load"] || [];
  check(load.some((row) => row[0] === "connections, most at once" && Number(row[1]) === summary.load.peak_connections) && load.some((row) => row[0] === "bytes, in all" && close(Number(row[1]), summary.costs.total)), `planned: the load is ${JSON.stringify(load)}`);
  check((await page.$eval("main", (element) => element.innerText)).includes("Not charged, because no key does: clients that wait awake"), "planned: does not say what is not charged");
  check(await page.$$eval(".chart canvas", (list) => ["online and eligible", "Rounds that closed", "Most connections", "Bytes in an hour"].every((text) => list.some((one) => one.getAttribute("aria-label").includes(text)))), "planned: a chart is missing");
  await page.context().close();
}

async function main() {
  const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"]});
  const targets = readdirSync(folder).filter((name) => /^(target|few)-/.test(name));
  for (const name of Object.keys(seen))
    await isSound(browser, name);
  await run(browser);
  await tablesOfRun(browser, "run");
  await tablesOfRun(browser, "bare");
  await assigned(browser);
  await planned(browser);
  await sweep(browser);
  await money(browser);
  await headOf(browser, "swept");
  for (const name of ["swept", "sensitive", ...targets])
    await decidesAsTheProgram(browser, name);
  await sensitivity(browser);
  await restsOn(browser);
  await sought(browser);
  await beside(browser);
  await pooled(browser);
  await onATelephone(browser);
  await against(browser);
  await anyFigure(browser);
  await decided(browser);
  await whatWouldHelp(browser);
  await walkThrough(browser);
  await browser.close();
  process.exitCode = failures ? 1 : 0;
}

main().catch((error) => {
  console.log(`FAILED: ${error.stack}`);
  process.exit(1);
});
