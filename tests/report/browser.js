/* Pages of report.html in a browser. Argument: a folder with run/, swept/, hostile/ and bare/, each with its report.html. */
"use strict";

const {chromium} = require("playwright-core");
const {readFileSync} = require("fs");
const {join} = require("path");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const statistics = require("../../analysis/report/page/statistics.js");

const folder = process.argv[2];
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

const looks = [["light", {colorScheme: "light"}], ["dark", {colorScheme: "dark"}], ["narrow", {viewport: {width: 360, height: 800}}]];

async function isSound(browser, name) {
  for (const [look, options] of looks) {
    const page = await open(browser, name, options);
    await judge(page, `${name}, ${look}`);
    await fits(page, `${name}, ${look}`);
    await page.context().close();
  }
}

/* ---- a run ---- */

async function run(browser) {
  const summary = JSON.parse(readFileSync(join(folder, "run", "summary.json")));
  const page = await open(browser, "run");
  const cards = await page.$$eval(".card", (list) => Object.fromEntries(list.map((card) =>
    [card.querySelector("dt").innerText, card.querySelector(".value").dataset.value])));
  check(Number(cards["hr@10, test items"]) === summary.metrics["hr@10"], "run: the quality is not that of summary.json");
  check(Number(cards["Simulated time"]) === summary.simulated_s, "run: the time is not that of summary.json");
  check(Number(cards.Sent) === summary.bytes.down + summary.bytes.up, "run: the bytes are not those of summary.json");
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
  /* curves against bytes */
  await page.click("button:text-is('bytes')");
  check((await page.locator("canvas").first().getAttribute("aria-label")).includes("sent until then"), "run: curves are still against time");
  /* sorting */
  const table = page.locator("table", {has: page.locator("caption", {hasText: "The whole run's critical path"})});
  await table.locator("thead button").nth(1).click();
  const sorted = await table.locator("tbody tr td:nth-child(2)").evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.value)));
  check(sorted.length > 2 && sorted.every((value, i) => i === 0 || sorted[i - 1] <= value), "run: a table is not sorted");
  check(await table.locator("thead th").nth(1).getAttribute("aria-sort") === "ascending", "run: a table does not say how it is sorted");
  await reachesAll(page, "run");
  await writesWhatItMeans(page, "run");
  await page.context().close();
}

/* ---- a sweep ---- */

async function ranking(page) {
  return page.$$eval("#part-ranking tbody tr", (rows) => rows.map((row) => ({name: row.cells[0].innerText, value: row.cells[2].dataset.value,
    text: [...row.cells].map((cell) => cell.innerText)})));
}

/* The page's statistics, and what it shows, against the tables. */
async function agreesWithTables(page) {
  const data = JSON.parse(await page.$eval("#data", (element) => element.textContent));
  const cells = rowsOf(join(folder, "swept", "cells.csv")), differences = rowsOf(join(folder, "swept", "differences.csv"));
  const value = (text) => text === "inf" ? Infinity : text === null ? NaN : text;
  const figures = (i, metric) => (data.entries[i].figures[metric] || []).map(value);
  let n = 0;
  for (const row of cells) {
    const values = figures(Number(row.cell), row.metric);
    if (!values.length)
      continue;
    const found = statistics.estimate(values, data.t);
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
    const found = statistics.paired(a, data.entries[row.cell].seeds, b, data.entries[row.baseline].seeds, data.t);
    check(Math.abs(found.mean - Number(row.paired)) <= 1e-9 * (1 + Math.abs(a[0])) && (row.paired_high === "" ||
      Math.abs(found.mean + found.half - Number(row.paired_high)) <= 1e-8 * (1 + Math.abs(a[0]))),
      `${row.metric} of cell ${row.cell}: difference ${found.mean} ± ${found.half}, not ${row.paired} to ${row.paired_high}`);
    n++;
  }
  check(n > 500, `only ${n} figures were compared with the tables`);
}

async function sweep(browser) {
  const page = await open(browser, "swept");
  await agreesWithTables(page);
  const first = await ranking(page), caption = () => page.$eval("#part-ranking caption", (element) => element.innerText);
  check(first.length === 3 && first.every((row) => ["wide", "narrow", "slow"].includes(row.name)), "swept: there are not three choices");
  /* sort */
  await page.locator("#part-ranking thead button").first().click();
  const byName = (await ranking(page)).map((row) => row.name);
  check(byName.join() === [...byName].sort().join(), "swept: is not sorted by name");
  /* circumstance */
  const before = await caption();
  await page.selectOption("#under", {index: 1});
  check(await caption() !== before && page.url().includes("#under=loss"), "swept: another circumstance shows the same");
  /* what is ranked by */
  await page.selectOption("#by", "sent");
  check((await caption()).startsWith("Bytes of the whole run"), "swept: is not ranked by bytes");
  check((await ranking(page))[0].name === "narrow", "swept: whoever sends a quarter does not send least");
  const kept = page.url().slice(page.url().indexOf("#"));
  await page.context().close();
  const again = await open(browser, "swept", {}, kept);
  check(await again.$eval("#by", (element) => element.value) === "sent" && await again.$eval("#under", (element) => element.value) === "1",
    "swept: the address does not keep what is shown");
  /* target */
  await again.selectOption("#by", "time");
  const planned = (await ranking(again)).map((row) => row.text[2]).join();
  await again.fill("#target", "0.2");
  await again.keyboard.press("Enter");
  check((await ranking(again)).map((row) => row.text[2]).join() !== planned, "swept: another target takes the same time");
  check(again.url().includes("target=0.2"), "swept: the address does not keep the target");
  await again.fill("#target", "0.99");
  await again.keyboard.press("Enter");
  check((await ranking(again)).every((row) => row.text[2] === "0 of 4 reached"), "swept: what nobody reaches is reached");
  check((await again.$eval("#now", (element) => element.innerText)).includes("nobody gets there"), "swept: nobody's winning is not said");
  /* budget */
  await again.fill("#target", "");
  await again.selectOption("#by", "auto");
  await again.selectOption("#budget", "bytes");
  await again.fill("#most", "300 kB");
  await again.keyboard.press("Enter");
  check((await again.$eval("#part-ranking caption", (element) => element.innerText)).includes("within the budget"), "swept: the budget is not looked at");
  await reachesAll(again, "swept");
  await writesWhatItMeans(again, "swept");
  await again.context().close();
}

/* ---- questions that the visible text has to answer ---- */

async function walkThrough(browser) {
  const page = await open(browser, "swept");
  const text = await page.evaluate(() => document.body.innerText);
  const asked = {"which method, where, and how certain": /Under loss=some: wide is (ahead of all others|first, but within noise of)/,
    "by how much": /Better than the next by/, "bound by what": /(downlink|uplink|compute|server|waiting|trying again|connecting and latency), \d/,
    "who is left out": /hr@10 from 0\.\d+ \([^)]+\) to 0\.\d+ \([^)]+\)/, "which settings differ": /method\.dim/, "which target": /Target: hr@10 ≥ popularity \+ 0\.03/,
    "which protocol": /protocol\s+honest/, "which model of the network": /network model\s+exact/, "how to make it again": /fedrecsim report DIR/};
  for (const [question, answer] of Object.entries(asked))
    check(answer.test(text), `the page does not say ${question}`);
  await page.context().close();
}

async function main() {
  const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"]});
  for (const name of ["run", "swept", "hostile", "bare"])
    await isSound(browser, name);
  await run(browser);
  await sweep(browser);
  await walkThrough(browser);
  await browser.close();
  process.exitCode = failures ? 1 : 0;
}

main().catch((error) => {
  console.log(`FAILED: ${error.stack}`);
  process.exit(1);
});
