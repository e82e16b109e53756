/* The books of a run, checked independently: events.ndjson, rounds.csv, clients.csv and summary.json of a
 * run directory agree, and every participation ends once. The outcomes are counted. */
#ifndef FRS_TESTS_SIM_RUN_BOOKS_FIXTURE_H
#define FRS_TESTS_SIM_RUN_BOOKS_FIXTURE_H

#include "tests/sim/run/fixture.h"

/* How participations end, and then what becomes of work after an upload, which may be cut as well. */
enum { DELIVERED, LATE, CUT, UNAVAILABLE, DROPPED_DOWN, DROPPED_COMPUTE, DROPPED_UP, REFUSED, N_OUTCOMES };
enum { ENDED = N_OUTCOMES, DROPPED_POST, N_WAYS };
enum { ENCODE, CONTACT, SETUP, DOWN, QUEUE, COMPUTE, UP, POST, N_PHASES };
enum { N_CAUSES = 8 };

extern const char *const books_outcomes[N_WAYS], *const books_phases[N_PHASES], *const books_causes[N_CAUSES];

/* The place of a name that has to be there. */
size_t books_index(const char *const *names, size_t n, const char *name);

/* What the scenario says of the rounds. */
struct books_rules {
    bool runs_on;      /* participations may end after their round */
    bool asynchronous; /* and begin before it */
    bool resumes;      /* connections that break go on where they broke off */
};

/* Checks the run directory `out` of a test's folder, and adds how its participations ended to `seen`. */
typedef size_t books_seen[N_WAYS][N_PHASES][N_CAUSES];
void books_check(const char *out, struct books_rules rules, const char *status, books_seen seen);

/* Caps that the runs checked so far had, and those that a client was above. */
extern size_t books_capped, books_above;

#endif
