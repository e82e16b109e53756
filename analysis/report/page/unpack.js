/* What a page holds in columns, as it goes by it (analysis/report/comparison_page.c, comparison_runs.h, timelines.c). */
"use strict";

/* A value for each run, of one that all of them have. */
function ofRuns(value, n) {
  return Array.isArray(value) ? value : Array(n).fill(value);
}

/* The rows of columns {name: values}. */
function rowsOfColumns(columns) {
  const list = Object.entries(columns);
  return list.length ? list[0][1].map((_, i) => Object.fromEntries(list.map(([name, column]) => [name, column[i]]))) : [];
}

/* What an entry has of columns {name: values of each entry}. */
function ofEntry(columns, i, n) {
  return Object.fromEntries(Object.entries(columns).filter(([, column]) => column[i] !== null).map(([name, column]) => [name, ofRuns(column[i], n)]));
}

/* [round, time, bytes, value, seconds and bytes since the evaluation before] of each record. */
function recordsOf(packed) {
  const {round, time_s: time, bytes, value, apart, before_s: beforeTime, before_bytes: beforeBytes, parts} = packed, places = new Map(apart.map((k, place) => [k, place]));
  let rounds = 0, sent = 0;
  return round.map((more, k) => {
    const place = places.get(k), since = place === undefined ? [time[k] - (k > 0 ? time[k - 1] : 0), bytes[k]] : [time[k] - beforeTime[place], beforeBytes[place]];
    rounds += more;
    sent += bytes[k];
    return [rounds, time[k], sent, parts ? value[k] / parts : value[k], ...since];
  });
}

function unpacked(data) {
  const entries = data.entries.map((entry, i) => ({...entry, figures: ofEntry(data.figures, i, entry.seeds.length), steps: ofEntry(data.steps, i, entry.seeds.length),
    ...(entry.records ? {records: entry.records.map(recordsOf)} : {})}));
  return {...data, entries};
}

if (typeof module !== "undefined")
  module.exports = {unpacked};
