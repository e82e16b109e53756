/* Timeline: rounds of a run in Chrome's trace format, for Perfetto and chrome://tracing.
 *
 *   process 0, "server"        a track with a slice for every attempt at a round, and counters:
 *                              participations that are connecting, downloading, computing, uploading
 *   process 1, "participants"  a track per client with a slice for every phase of its participations; one
 *                              that overlaps another of the same client has a track of its own
 *   flows                      from the server's slice to a download, and from an upload to the server's
 *                              slice in which it arrives
 *
 * Times are microseconds since the start of the run. The file is an object with the events in
 * "traceEvents", and in "otherData" the program, the run's scenario hash, and the rounds it holds, with
 * all attempts at them.
 *
 * Source: "Trace Event Format", the Chromium project. */
#ifndef FRS_ANALYSIS_TIMELINE_TIMELINE_H
#define FRS_ANALYSIS_TIMELINE_TIMELINE_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* What a file may hold, which the viewers still open. */
#define FRS_TIMELINE_MOST_BYTES 200000000u

struct frs_timeline {
    unsigned long first, last; /* rounds that are asked for; 0 and 0: all */
    size_t most_bytes;
};

/* What was written. */
struct frs_timeline_held {
    unsigned long first, last, rounds; /* of so many that the run has */
    unsigned long every;               /* participations of the first round and of so many after it, each */
    bool cut;                          /* not all that were asked for, because of their size */
    size_t bytes;
};

/* Writes FOLDER/timeline.json from its manifest.json, rounds.csv and events.ndjson. Only whole rounds are
 * written, from the first requested one on, until the file would be larger than most_bytes. On failure
 * adds errors and leaves the old file. */
enum frs_status frs_timeline_write(const char *folder, const struct frs_timeline *what,
    struct frs_timeline_held *held, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
