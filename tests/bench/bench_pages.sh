#!/bin/sh
# How long pages take to make and to open: of a run of 1,000 rounds in which 600 clients take part, and of a sweep of 400 points, made up
# by tests/analysis/report/made_up.sh. Seconds in a headless Chromium that runs already, until the page is drawn, and of the processor in its main
# thread; the fastest of five.
#   tests/bench/bench_pages.sh BUILD [FOLDER]     FOLDER: where to keep what is made up, or where it is
# Needs node, chromium, and BUILD/browser/node_modules (.ci/run).
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=$(CDPATH='' cd -- "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
folder=${2-$scratch}
[ -e "$folder/sweep/points/0399" ] || sh "$here/../analysis/report/made_up.sh" "$build/fedrecsim" "$folder"
for what in run sweep; do
    (
        "$build/fedrecsim" report "$folder/$what" --quiet
        times
    ) | awk -v what="$what" 'NR == 2 { split($1 "m" $2, t, /m|s/); printf "%-6s made in %.1f s of processor time\n", what, 60 * (t[1] + t[4]) + t[2] + t[5] }'
done
cat >"$scratch/open.js" <<'END'
const {chromium} = require("playwright-core"), {statSync} = require("fs");
(async () => {
  const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"]});
  for (const what of ["run", "sweep"]) {
    const place = `${process.argv[2]}/${what}/report.html`, taken = [], worked = [];
    for (let i = 0; i < 5; i++) {
      const page = await browser.newPage(), session = await page.context().newCDPSession(page);
      await session.send("Performance.enable", {timeDomain: "threadTicks"});
      const start = performance.now();
      await page.goto(`file://${place}`);
      await page.waitForSelector("html[data-ready]");
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      taken.push((performance.now() - start) / 1000);
      worked.push((await session.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value);
      await page.close();
    }
    console.log(`${what.padEnd(6)} opened in ${Math.min(...taken).toFixed(2)} s, ${Math.min(...worked).toFixed(2)} s of the processor, ${(statSync(place).size / 1e6).toFixed(1)} MB`);
  }
  await browser.close();
})();
END
NODE_PATH=$build/browser/node_modules node "$scratch/open.js" "$(CDPATH='' cd -- "$folder" && pwd)"
