/* The page of a run that is going on, in a browser. Arguments: the program, and the folder in which it runs s.cfg. */
"use strict";

const {chromium} = require("playwright-core");
const {spawn} = require("child_process");
const {existsSync, readFileSync} = require("fs");
const {join} = require("path");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [, , program, folder] = process.argv;
let failures = 0, isSilent = false, running = null;

function check(good, what) {
  if (!good) {
    console.log(`FAILED: ${what}`);
    failures++;
  }
}

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

/* Starts the command, and waits for the address that it prints. */
function begin(...more) {
  const child = spawn(program, ["run", "s.cfg", "--out", "s", "--live", ...more], {cwd: folder, stdio: ["ignore", "ignore", "pipe"]});
  const one = {child, ended: new Promise((done) => child.on("exit", (code, signal) => done(code ?? signal)))};
  running = child;
  return new Promise((done, fail) => {
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
      const found = /live page: (\S+)\n/.exec(said);
      if (found)
        done({...one, url: found[1]});
    });
    one.ended.then((code) => fail(new Error(`the command ended with ${code} and said ${said}`)));
  });
}

/* Rounds in the file that is being written; its first line has names, and a line that is being written is none. */
function rowsOf(child) {
  const place = join(folder, `s.partial-${child.pid}`, "rounds.csv");
  return existsSync(place) ? readFileSync(place, "utf8").split("\n").length - 2 : 0;
}

/* Stops the command after so many rounds, so that its files stay as they are. */
async function stopAfter(child, n) {
  while (rowsOf(child) < n) {
    child.kill("SIGCONT");
    await rest(2);
    child.kill("SIGSTOP");
  }
  await rest(20);
  return rowsOf(child);
}

const text = (page, selector) => page.$eval(selector, (element) => element.innerText);

async function judge(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  for (const one of found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact)))
    check(false, `${what}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  check(needed <= there, `${what}: is ${needed} wide on ${there}`);
}

/* The page says how far the files are, and draws what they say. */
async function follows(page, child, n, what) {
  const rows = await stopAfter(child, n), status = `${rows} of 120 rounds done.`;
  await page.waitForFunction((told) => document.getElementById("live-status").textContent === told, status, {timeout: 15000}).catch(() => {});
  check(await text(page, "#live-status") === status, `${what}: says ${await text(page, "#live-status")}, and the file has ${rows} rounds`);
  const title = `one run, after round ${rows}`;
  await page.waitForFunction((told) => document.querySelector("main h1").textContent.endsWith(told), title, {timeout: 15000}).catch(() => {});
  check((await text(page, "main h1")).endsWith(title), `${what}: is of ${await text(page, "main h1")}`);
  check(await page.$eval("#live progress", (element) => element.value / element.max) === rows / 120, `${what}: the bar is elsewhere`);
  const drawn = await page.evaluate(() => charts.filter((one) => one.canvas.isConnected).map((one) => one.chart.data.datasets.length));
  check(drawn.length >= 2 && drawn.every((sets) => sets > 0), `${what}: draws ${JSON.stringify(drawn)}`);
  check(/^hr@10 so far: 0\.\d{3} in round \d+/.test(await text(page, "main .answer")), `${what}: begins with ${await text(page, "main .answer")}`);
  await judge(page, what);
  return rows;
}

async function main() {
  const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"]});
  const page = await browser.newPage({viewport: {width: 390, height: 844}}), reports = [];
  page.on("console", (message) => check(isSilent && message.text().includes("ERR_CONNECTION"), `the console says ${message.text()}`));
  page.on("pageerror", (error) => check(false, `error: ${error.message}`));
  page.on("dialog", (dialog) => { check(false, `says ${dialog.message()}`); dialog.dismiss(); });
  const first = await begin();
  page.on("request", (request) => check(request.url().startsWith(first.url), `asks for ${request.url()}`));
  page.on("response", async (response) => { if (response.request().isNavigationRequest()) reports.push(await response.body().catch(() => null)); });
  first.child.kill("SIGSTOP");
  await page.goto(first.url);
  const known = await follows(page, first.child, 20, "running");
  /* killed: what was known stays, and the page says since when nothing answers */
  isSilent = true;
  first.child.kill("SIGKILL");
  await first.ended;
  await page.waitForSelector('#live[data-state="silent"]', {timeout: 15000});
  check((await text(page, "#live-status")).startsWith("No answer since ") && (await text(page, "main h1")).endsWith(`after round ${known}`), `killed: says ${await text(page, "#live-status")}`);
  check((await text(page, "#live-left")).includes("When it goes on (--resume), so does this page."), "killed: does not say that it goes on");
  await page.setViewportSize({width: 1280, height: 900});
  await judge(page, "killed");
  /* resumed: the same address, and the page goes on by itself */
  const second = await begin("--resume");
  check(second.url === first.url, `resumed: another address, ${second.url} and not ${first.url}`);
  second.child.kill("SIGSTOP");
  await page.waitForSelector('#live:not([data-state="silent"])', {timeout: 15000});
  isSilent = false;
  const more = await follows(page, second.child, known + 20, "resumed");
  check(more > known, `resumed: ${more} rounds, and there were ${known}`);
  /* finished: the page becomes the report, to the byte */
  second.child.kill("SIGCONT");
  await page.waitForFunction(() => !document.getElementById("live") && document.documentElement.dataset.ready === "true", null, {timeout: 30000});
  check(await second.ended === 0, "finished: the command failed");
  running = null;
  const report = readFileSync(join(folder, "s", "report.html"));
  check(reports.length >= 2 && report.equals(reports[reports.length - 1]), "finished: the page is not report.html");
  check(await page.title() === "fedmf, a run: fedrecsim report", `finished: its title is ${await page.title()}`);
  check((await text(page, ".answer")).startsWith("After 120 rounds and "), `finished: begins with ${await text(page, ".answer")}`);
  await judge(page, "finished");
  await browser.close();
  process.exitCode = failures ? 1 : 0;
}

main().catch((error) => {
  console.log(`FAILED: ${error.stack}`);
  if (running)
    running.kill("SIGKILL");
  process.exit(1);
});
