/* Self-test: whether plug-ins keep the contract that their headers state. The tests of the built-in
 * entries and `fedrecsim selftest` call the same checks.
 *
 * Each entry is checked in a process of its own, so that one that crashes or never returns is one result
 * among others. The same program gives the same results every time. */
#ifndef FRS_SELFTEST_SELFTEST_H
#define FRS_SELFTEST_SELFTEST_H

#include "sim/base/settings/plugin.h"

#include <stddef.h>

struct frs_check; /* sim/selftest/check.h */

struct frs_selftest_kind {
    const char *kind;                        /* as in `fedrecsim list`: codec, learner */
    const struct frs_plugin *const *entries; /* of the registry, ended by NULL */
    /* Holds an entry to all clauses of its kind. Required slots and keys are there. */
    void (*check)(struct frs_check *check, const struct frs_plugin *plugin);
};

/* Every kind of plug-in, ended by one whose kind is NULL; and the one of this name, or NULL. */
extern const struct frs_selftest_kind frs_selftest_kinds[];
const struct frs_selftest_kind *frs_selftest_kind(const char *kind);

/* Returns the entries of a kind, ended by NULL; for distributions the entries of all dimensions, each name
 * once. Valid until the next call, or until a plug-in is loaded. */
const struct frs_plugin *const *frs_selftest_entries(const struct frs_selftest_kind *kind);

enum frs_selftest_outcome {
    FRS_SELFTEST_KEPT,
    FRS_SELFTEST_BROKEN,    /* a clause */
    FRS_SELFTEST_CRASHED,   /* by a signal, or ended by itself */
    FRS_SELFTEST_ENDLESS,   /* had not ended in time */
    FRS_SELFTEST_UNCHECKED, /* it could not be checked here */
};

/* What an entry is given as a rule: the slowest of ours takes a hundredth of it. A program is begun anew for
 * every model, and may import a lot each time. */
enum { FRS_SELFTEST_MOST_S = 120, FRS_SELFTEST_MOST_PROGRAM_S = 1200 };

struct frs_selftest_result {
    enum frs_selftest_outcome outcome;
    size_t n_clauses; /* different ones that were begun, the broken one included */
    size_t n_checks;  /* conditions that were evaluated */
    const char
        *clause; /* that was being checked when the entry failed; NULL: none had begun, or all are kept */
    const char *where; /* the header that states it, and the slot; NULL likewise */
    const char *note;  /* of one that keeps to all: what was left out; NULL: nothing */
    char *text;        /* what was seen instead; "" where the entry keeps to all */
    char *printed;     /* what the entry wrote on standard output and error; "" as a rule */
};

/* Checks one entry of a kind, for `most_s` seconds at most. `settings` are texts for its keys, pairs ended
 * by NULL, which replace defaults and known examples; NULL: none. */
struct frs_selftest_result frs_selftest_run(const struct frs_selftest_kind *kind,
    const struct frs_plugin *plugin, const char *const *settings, unsigned most_s);

void frs_selftest_result_fini(struct frs_selftest_result *result);

/* "ok, 14 clauses, 5,120 checks" or what is wrong, in one line; freed by the caller. */
char *frs_selftest_line(const struct frs_selftest_result *result);

/* "kept", "broken", "crashed", "endless", "unchecked". */
const char *frs_selftest_outcome_name(enum frs_selftest_outcome outcome);

#endif
