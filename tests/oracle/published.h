/* What tests against published figures share. */
#ifndef FRS_TESTS_ORACLE_PUBLISHED_H
#define FRS_TESTS_ORACLE_PUBLISHED_H

#include "tests/sim/run/fixture.h"

static inline double hit_ratio(const char *out) {
    json_t *summary = load_json(out, "summary.json");
    double hr = json_path(summary, "metrics", "hr@10");
    json_decref(summary);
    return hr;
}

/* Says that `name` is skipped when the file of the data folder is not there. */
static inline bool has_data(const char *name, const char *file) {
    char *path = frs_test_data_file(name, file);
    bool there = path != NULL;
    free(path);
    return there;
}

#endif
