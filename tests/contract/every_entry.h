/* Every entry of a registry through the checks that `fedrecsim selftest` makes (sim/selftest). A new line in
 * a registry is covered as it is. */
#ifndef FRS_TESTS_CONTRACT_EVERY_ENTRY_H
#define FRS_TESTS_CONTRACT_EVERY_ENTRY_H

#include "sim/selftest/selftest.h"
#include "tests/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline int n_entries(const char *kind) {
    int n = 0;
    while (frs_selftest_kind(kind)->entries[n])
        n++;
    return n;
}

/* What comes from nowhere: a workload that is described, and no mechanism. */
static inline bool has_no_source(const char *name) {
    return strcmp(name, "declared") == 0 || strcmp(name, "none") == 0;
}

/* Entry i of the kind keeps to every clause, and says where it comes from. */
static inline void expect_kept(const char *kind, int i) {
    const struct frs_selftest_kind *checked = frs_selftest_kind(kind);
    struct frs_selftest_result result = frs_selftest_run(checked, checked->entries[i], NULL);
    char *line = frs_selftest_line(&result);
    ck_assert_msg(result.outcome == FRS_SELFTEST_KEPT, "%s %s %s\n%s", kind, checked->entries[i]->name, line,
        result.printed);
    ck_assert_str_eq(result.printed, "");
    ck_assert_uint_gt(result.n_clauses, 5);
    ck_assert(checked->entries[i]->source || has_no_source(checked->entries[i]->name));
    free(line);
    frs_selftest_result_fini(&result);
}

#endif
