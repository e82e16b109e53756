/* Plug-ins that break a clause of their contract: what the self-test says of them. */
#ifndef FRS_TESTS_SIM_SELFTEST_BROKEN_H
#define FRS_TESTS_SIM_SELFTEST_BROKEN_H

#include "sim/selftest/selftest.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

/* The result of an entry that is in no registry. */
static inline struct frs_selftest_result selftest_of(
    const char *kind, const struct frs_plugin *plugin, unsigned most_s) {
    const struct frs_plugin *const entries[] = {plugin, NULL};
    const struct frs_selftest_kind alone = {kind, entries, frs_selftest_kind(kind)->check};
    return frs_selftest_run(&alone, plugin, NULL, most_s);
}

/* The entry is judged like this, and the line says so. */
static inline void judged(
    const char *kind, const struct frs_plugin *plugin, enum frs_selftest_outcome outcome, const char *says) {
    struct frs_selftest_result result = selftest_of(kind, plugin, FRS_SELFTEST_MOST_S);
    char *line = frs_selftest_line(&result);
    ck_assert_msg(result.outcome == outcome && strstr(line, says), "\"%s\" is not in: %s", says, line);
    ck_assert_ptr_null(strchr(line, '\n'));
    free(line);
    frs_selftest_result_fini(&result);
}

/* The entry breaks this clause. */
static inline void broken(const char *kind, const struct frs_plugin *plugin, const char *says) {
    judged(kind, plugin, FRS_SELFTEST_BROKEN, says);
}

static inline void kept(const char *kind, const struct frs_plugin *plugin) {
    judged(kind, plugin, FRS_SELFTEST_KEPT, "ok, ");
}

#endif
