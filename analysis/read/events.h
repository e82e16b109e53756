/* Events: events.ndjson, what happened in each phase of each participation, line by line.
 *
 * Lines are in the order of the rows of rounds.csv; those of a participation are together, in the order of
 * their times. `post`, work after the upload, follows the line that has the outcome. The file may be
 * larger than memory, and reading all of it as JSON would take ten times as long, so members are sought
 * where the program writes them (sim/ledger/files.h). */
#ifndef FRS_ANALYSIS_READ_EVENTS_H
#define FRS_ANALYSIS_READ_EVENTS_H

#include "analysis/read/records.h"

#include <stdint.h>
#include <stdio.h>

/* Names of phases, outcomes and causes are shorter. */
enum { FRS_EVENT_NAME = 24 };

struct frs_event {
    uint32_t client, round, attempt;
    size_t row; /* of rounds.csv */
    char phase[FRS_EVENT_NAME];
    double from_s, to_s;
    double bytes, flop;
    char outcome[FRS_EVENT_NAME], cause[FRS_EVENT_NAME]; /* "": not on this line */
    double staleness, budget, latency_s;                 /* NaN: not on this line */
    bool broke;                                          /* the connection did */
};

struct frs_events {
    char *path;
    const struct frs_records *rounds; /* borrowed */
    double *numbers, *attempts;       /* [rounds->n] */
    size_t row;                       /* of the last event */
    FILE *file;
    char *text; /* the last line */
    size_t size, line;
};

/* Opens FOLDER/events.ndjson beside the rows of its rounds.csv. *reason: why the file cannot be read,
 * which is no error here; NULL if it can. The caller closes it in any case. */
enum frs_status frs_events_open(struct frs_events *events, const char *folder,
    const struct frs_records *rounds, const char **reason, struct frs_errors *errors) FRS_MUST_CHECK;

/* Reads the next event. *more: there was one. A line that is no event, or that belongs to no further row,
 * is an error "path:line: ...". */
enum frs_status frs_events_next(
    struct frs_events *events, struct frs_event *event, bool *more, struct frs_errors *errors) FRS_MUST_CHECK;

/* Adds the error "path:line: WHAT" of the line that was read last. */
enum frs_status frs_events_wrong(
    const struct frs_events *events, const char *what, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_events_close(struct frs_events *events);

#endif
