/* The page of a command that is still going on (sim/live): asks how far it is, and draws what its files say by then as the report
 * would. Once the command has ended the same address has the report. */

const ASK_MS = 1000, ASK_AGAIN_MS = 2000;
const live = {told: null, drawn: null, heard: null, open: new Map()};

function clock(time) {
  return time.toLocaleTimeString("en-GB");
}

/* ---- how far it is ---- */

function counted(told) {
  const most = told.may_end_early ? "at most " : "", more = told.searches ? " that are planned so far" : "";
  return `${told.done} of ${most}${told.all} ${told.unit}${more}`;
}

function statusText(told) {
  if (told.all === undefined && told.state === "ended")
    return `The command has ended${told.code ? ` with exit code ${told.code}; its terminal says why` : ""}.`;
  if (told.all === undefined)
    return "The command is preparing: nothing has been simulated yet.";
  const parts = [`${counted(told)} done`, told.running ? `${told.running} running` : null, told.failed ? `${told.failed} failed` : null].filter(Boolean).join(", ");
  if (told.state === "ended")
    return told.code === 130 ? `Interrupted: ${parts}. The same command with --resume goes on.`
      : `The command has ended${told.code ? ` with exit code ${told.code}; its terminal says why` : ""}: ${parts}.`;
  return told.finishing ? `${parts}: results and their page are being written.` : `${parts}.`;
}

/* How sure the time is: what was measured varies, and what is left may be of another kind. */
function leftText(told) {
  if (told.state === "ended")
    return told.report ? "" : "No report.html was written.";
  const left = told.time_left;
  if (!left)
    return told.why ? `Time left: not known; ${told.why}.` : "";
  const unsure = left.text === left.range ? "" : `, from ${left.range} (95 %)`;
  return `Time left: about ${left.text}${unsure}, if what is left is like the ${told.unit === "rounds" ? "rounds of the last half of the time" : `${left.from} points that have ended`}.`;
}

function runningTable(told) {
  const rows = told.points || [], cellOf = (one) => told.cells[one.cell] ? told.cells[one.cell].name : String(one.cell);
  return rows.length === 0 ? null : table("Points that run now", ["Cell", "Replicate", "Rounds"], rows.map((one) => [cellOf(one),
    {text: String(one.replicate), value: one.replicate, class: "number"}, {text: one.all ? `${one.rounds} of ${one.all}` : String(one.rounds), value: one.rounds, class: "number"}]), {plain: true});
}

function cellsTable(told) {
  const rows = told.cells || [];
  const others = [["running", "Running"], ["failed", "Failed"]].filter(([key]) => rows.some((one) => one[key] > 0));
  return rows.length === 0 ? null : table("Replicates of each cell", ["Cell", "Done", ...others.map(([, title]) => title)], rows.map((one) => [one.name,
    {text: `${one.done} of ${one.replicates}`, value: one.done, class: "number"}, ...others.map(([key]) => ({text: String(one[key]), value: one[key], class: "number"}))]), {plain: true});
}

/* Keeps a part that is folded as the reader has left it. */
function keptFolded(key, title, isOpen, ...children) {
  const part = folded(title, ...children);
  part.open = live.open.has(key) ? live.open.get(key) : isOpen;
  part.addEventListener("toggle", () => live.open.set(key, part.open));
  return part;
}

function showProgress(told) {
  const place = document.getElementById("live"), bar = place.querySelector("progress"), say = (id, text) => {
    const element = document.getElementById(id);
    if (element.textContent !== text)
      element.textContent = text;
  };
  place.dataset.state = told.state;
  say("live-status", statusText(told));
  say("live-left", leftText(told));
  say("live-heard", `As of ${clock(live.heard)}; asks again every second.`);
  bar.max = told.all || 1;
  bar.value = told.done || 0;
  bar.hidden = !told.all;
  const cells = told.cells ? [runningTable(told), keptFolded("cells", `Replicates of each of ${told.cells.length} cells`, told.cells.length <= 12, cellsTable(told))] : [];
  const parts = document.getElementById("live-parts"), shown = JSON.stringify([told.cells, told.points]);
  if (parts.dataset.shown !== shown) {
    parts.dataset.shown = shown;
    parts.replaceChildren(...cells.filter(Boolean));
  }
  document.title = `${told.done || 0}/${told.all || "?"} ${told.unit || ""}: fedrecsim, running`;
}

/* The server does not answer: the page stays as it was, and says of when it is. */
function showSilence() {
  document.getElementById("live").dataset.state = "silent";
  document.getElementById("live-status").textContent = live.heard ? `No answer since ${clock(live.heard)}: the command has ended or was killed. Below is what was known then.`
    : "No answer: the command has ended or was killed.";
  document.getElementById("live-left").textContent = live.told && live.told.place ? `When it goes on (--resume), so does this page. What it has written is in ${live.told.place}.` : "";
  document.title = "no answer: fedrecsim";
}

/* ---- what is known so far ---- */

function projectedText(data) {
  const told = data.projected || {}, text = ([mean, , high], kind) => presentEstimate({n: 2, mean: number(mean), half: number(high) - number(mean), censored: 0}, kind);
  const parts = [told.simulated_s ? `${text(told.simulated_s, "time")} of simulated time` : null, told.bytes ? `${text(told.bytes, "bytes")} sent` : null].filter(Boolean);
  return parts.length ? `If the rounds that are left are like those of the last half, the whole run comes to ${listed(parts)} (95 %).` : null;
}

/* How far the last evaluations differ from each other, which is all that one run says of how sure its quality is. */
function qualityText(data) {
  const values = data.quality && data.rounds[data.quality] ? data.rounds[data.quality].map((value, i) => [data.rounds.round[i], number(value)]).filter(([, value]) => !Number.isNaN(value)) : [];
  if (values.length === 0)
    return data.quality ? null : "No round has been evaluated yet.";
  const [round, last] = values[values.length - 1], lower = kindOf(data.quality) === "quality" && /rmse|mae/u.test(data.quality);
  const best = values.reduce((a, b) => (lower ? b[1] < a[1] : b[1] > a[1]) ? b : a), near = values.slice(-5).map(([, value]) => value), show = (value) => present(value, "quality");
  return `${data.quality} so far: ${show(last)} in round ${round}, the last that was evaluated; best ${show(best[1])} in round ${best[0]}${
    near.length > 1 ? `; the last ${near.length} evaluations lie between ${show(Math.min(...near))} and ${show(Math.max(...near))}` : ""}. One seed: no interval.`;
}

function runSoFar(data) {
  const texts = [qualityText(data), projectedText(data)].filter(Boolean);
  const parts = [el("h1", {}, `${data.summary.method}: one run, after round ${data.summary.rounds}`), ...texts.map((text, i) => el("p", {class: i === 0 ? "answer" : "told"}, text)), runCards(data), curves(data), whereTimeWent(data)];
  document.getElementById("main").replaceChildren(...parts);
  parts.forEach((part) => part.afterInsert && part.afterInsert());
}

/* What the verdicts of a sweep in progress are worth. */
function decidedText(data) {
  const cells = (data.head || []).flatMap((row) => ["time", "bytes", "quality"].map((key) => row[key]).filter(Boolean)), decided = cells.filter((cell) => cell.decided).length;
  return `${cells.length ? `Decided so far: ${decided} of ${cells.length} questions. ` : ""}These are looks in between: with each of them a verdict may be wrong by chance once more, and cells have unequal numbers of replicates; what counts is the report at the end.`;
}

function sweepSoFar(data) {
  comparisonPage(data);
  const title = document.querySelector("main h1");
  title.after(el("p", {class: "warning", id: "live-decided", role: "note"}, decidedText(data)));
}

function waitingPage(asked) {
  document.getElementById("main").replaceChildren(el("h1", {}, asked ? "Nothing is known yet" : "What is known so far"),
    el("p", {}, asked ? "What the first round, or the first point of a sweep, has to say will stand here." : "The results so far are being read."));
}

/* Folded parts stay as they are, and so does what the reader looks at. */
function drawData(answer) {
  const details = [...document.querySelectorAll("main details")].map((part) => part.open), at = scrollY;
  document.getElementById("footer").replaceChildren();
  sections = 0;
  if (!answer.data)
    waitingPage(true);
  else if (answer.data.kind === "run")
    runSoFar(answer.data);
  else
    sweepSoFar(answer.data);
  contents();
  drawCharts();
  const now = [...document.querySelectorAll("main details")];
  if (now.length === details.length)
    now.forEach((part, i) => { part.open = details[i]; });
  scrollTo({top: at, behavior: "instant"});
  document.title = `${live.told.done || 0}/${live.told.all || "?"} ${live.told.unit || ""}: fedrecsim, running`;
  live.drawn = answer.version;
  document.documentElement.dataset.drawn = answer.version;
}

/* A control that is being used is not taken away. */
function isBusy() {
  const active = document.activeElement;
  return active && active.closest("main") && ["SELECT", "INPUT"].includes(active.tagName);
}

/* ---- asking ---- */

async function ask(name) {
  const answer = await fetch(name, {cache: "no-store"});
  if (!answer.ok)
    throw new Error(`${name}: ${answer.status}`);
  return answer.json();
}

async function askAll() {
  let told;
  try {
    told = await ask("live.json");
  } catch {
    showSilence();
    setTimeout(askAll, ASK_AGAIN_MS);
    return;
  }
  if ((told.state === "ended" && told.report && told.code !== 130) || (live.told && live.told.place && told.place && told.place !== live.told.place)) {
    location.reload();
    return;
  }
  live.told = told;
  live.heard = new Date();
  showProgress(told);
  if (told.version !== undefined && told.version !== live.drawn && !isBusy())
    try {
      drawData(await ask("data.json"));
    } catch {
      showSilence();
    }
  document.documentElement.dataset.ready = "true";
  setTimeout(askAll, ASK_MS);
}

function beginLive() {
  const main = document.getElementById("main");
  main.before(el("section", {id: "live", "aria-label": "Progress", class: "live"}, el("p", {id: "live-status", role: "status"}, "Asking the command how far it is."),
    el("progress", {"aria-label": "Done", hidden: true}), el("p", {id: "live-left"}), el("p", {id: "live-heard", class: "note"}), el("div", {id: "live-parts"})));
  waitingPage(false);
  followColours();
  askAll();
}

beginLive();
