/* Every entry of a registry goes through the checks that `fedrecsim selftest` makes (sim/selftest). A new
 * line in a registry is covered automatically. */
#ifndef FRS_TESTS_CONTRACT_EVERY_ENTRY_H
#define FRS_TESTS_CONTRACT_EVERY_ENTRY_H

#include "sim/base/sanitizers.h"
#include "sim/selftest/selftest.h"
#include "tests/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline int n_entries(const char *kind) {
    int n = 0;
    while (frs_selftest_entries(frs_selftest_kind(kind))[n])
        n++;
    return n;
}

/* Whether an entry comes from a paper or a measurement. False for textbook entries (distributions, most
 * availability models), a workload that is described, or no mechanism. */
static inline bool has_source(const char *kind, const char *name) {
    return strcmp(kind, "distribution") != 0 && strcmp(kind, "availability") != 0 &&
           strcmp(name, "declared") != 0 && (strcmp(kind, "mechanism") != 0 || strcmp(name, "none") != 0);
}

/* Entry i of the kind keeps to every clause, and says where it comes from. */
static inline void expect_kept(const char *kind, int i) {
    const struct frs_selftest_kind *checked = frs_selftest_kind(kind);
    const struct frs_plugin *entry = frs_selftest_entries(checked)[i];
    struct frs_selftest_result result = frs_selftest_run(checked, entry, NULL, FRS_SELFTEST_MOST_S);
    char *line = frs_selftest_line(&result);
    ck_assert_msg(
        result.outcome == FRS_SELFTEST_KEPT, "%s %s %s\n%s", kind, entry->name, line, result.printed);
#if !FRS_ADDRESS_SANITIZER /* which says that it cannot follow actors to their stacks */
    ck_assert_str_eq(result.printed, "");
#endif
    ck_assert_uint_gt(result.n_clauses, 3);
    ck_assert_msg(entry->source || !has_source(kind, entry->name), "%s has no source", entry->name);
    free(line);
    frs_selftest_result_fini(&result);
}

#endif
