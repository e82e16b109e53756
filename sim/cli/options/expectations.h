/* Expectations: the option --expect. Commands that have it check its text before anything runs and judge
 * the results by it; they return FRS_EXIT_MISSED if the results are not as expected. */
#ifndef FRS_CLI_EXPECTATIONS_H
#define FRS_CLI_EXPECTATIONS_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_entries;    /* analysis/entries/entries.h */
struct frs_sweep_plan; /* analysis/plan/plan.h */

/* All zero: none. */
struct frs_expectations {
    const char **texts;            /* [n] borrowed from the command line */
    struct frs_expectation **list; /* [n] once they are parsed */
    size_t n, capacity;
};

/* Of the option in tables of options; others without a letter begin at 256. */
enum { FRS_KEY_EXPECT = 640 };

#define FRS_EXPECT_OPTION(of_what, group)                                                                    \
    {                                                                                                        \
        "expect", FRS_KEY_EXPECT, "EXPECTATION", 0,                                                          \
            "What the figures " of_what                                                                      \
            " have to be, such as 'hr@10 >= 0.5 && simulated_s <= 1 h': METRIC, <=, >=, <, >, == or !=, "    \
            "AMOUNT; && and || and ( ) join; `fedrecsim list metrics` names them; exit code 3 where it "     \
            "does "                                                                                          \
            "not hold; may be repeated",                                                                     \
            group                                                                                            \
    }

void frs_expectations_add(struct frs_expectations *expectations, const char *text);
void frs_expectations_fini(struct frs_expectations *expectations);

/* Parses all of them. `k` as in analysis/expect/expect.h. `plan`: whose cells they may name; NULL: none. */
enum frs_status frs_expectations_parse(struct frs_expectations *expectations, const char *cut_offs,
    const struct frs_sweep_plan *plan, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same, of a comparison: they may name its entries. */
enum frs_status frs_expectations_parse_for(struct frs_expectations *expectations,
    const struct frs_entries *entries, struct frs_errors *errors) FRS_MUST_CHECK;

/* Judge whether the results are as expected, and add a line for each clause that does not hold: the
 * results of a run; the cells of a sweep, each by the means of its replicates (`level` not NULL: only
 * cells with this level of the first axis); the entries of a comparison. *kept is false where something is
 * missing. */
enum frs_status frs_expectations_of_run(const struct frs_expectations *expectations, const char *directory,
    bool *kept, struct frs_errors *errors) FRS_MUST_CHECK;
enum frs_status frs_expectations_of_sweep(const struct frs_expectations *expectations, const char *folder,
    const char *level, bool *kept, struct frs_errors *errors) FRS_MUST_CHECK;
bool frs_expectations_of_entries(const struct frs_expectations *expectations,
    const struct frs_entries *entries, struct frs_errors *errors);

/* Prints the lines in `errors`, or, for results that are as expected, one line that says so, unless
 * `quiet`. Returns `code` if it is not 0, and otherwise the exit code of the expectations. */
int frs_expectations_finish(
    const struct frs_expectations *expectations, int code, bool kept, bool quiet, struct frs_errors *errors);

#endif
