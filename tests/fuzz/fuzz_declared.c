/* A declared workload: its keys as a user may set them, and the CSV file of an empirical distribution. It
 * is refused in lines, or clients send and compute finite amounts of at least 0.
 *
 *   lines "down=50 MB" of keys below `method` · an empty line · the CSV, whose path is @ at the end of a
 *   line */
#include "sim/base/errors.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/scenario.h"
#include "sim/setup/compose/compose.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 32, CLIENTS = 20 };

static void check_amount(double amount, const char *what, uint32_t client) {
    FRS_INVARIANT(amount >= 0 && isfinite(amount), "%s of client %u is %g", what, client, amount);
}

/* What the clients of a workload that was not refused send and compute. */
static void check_workload(const struct frs_workload *workload) {
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_work work = workload->of(workload, client);
        check_amount((double)work.down_bytes, "download", client);
        check_amount((double)work.up_bytes, "upload", client);
        check_amount(work.flop, "work", client);
        check_amount(work.samples, "work_samples", client);
        check_amount(work.time_s, "work_time", client);
        check_amount(work.post_flop, "post_work", client);
    }
}

static void compose(const char *const *sets, size_t n) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario = NULL;
    struct frs_setup setup;
    enum frs_status status =
        frs_scenario_load(frs_sections, FRS_SCENARIO_NO_FILE, sets, n, &scenario, &errors);
    FRS_INVARIANT((status == FRS_OK) == (errors.n == 0), "status %d with %zu errors", (int)status, errors.n);
    if (status == FRS_OK && frs_compose(scenario, &setup, &errors) == FRS_OK) {
        FRS_INVARIANT(errors.n == 0 && setup.training.workload, "no workload, and %zu errors", errors.n);
        check_workload(setup.training.workload);
        frs_setup_fini(&setup);
    } else {
        FRS_INVARIANT(errors.n > 0, "refused without an error");
    }
    fuzz_check_errors(errors.n > 0, &errors);
    frs_errors_clear(&errors);
    frs_scenario_destroy(scenario);
}

/* Of a line; @ at its end stands for the path of the CSV. */
static char *setting_of(const char *line, const char *path) {
    size_t length = strlen(line);
    bool is_path = length > 0 && line[length - 1] == '@';
    return frs_format("method.%.*s%s", (int)(length - is_path), line, is_path ? path : "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct fuzz_file file;
    char *text = frs_alloc(size + 1, 1), *sets[MOST_SETS], *rest = NULL;
    size_t n = 0;
    memcpy(text, data, size);
    char *csv = strstr(text, "\n\n");
    const char *path = fuzz_file_write(&file, csv ? csv + 2 : "", csv ? size - (size_t)(csv + 2 - text) : 0);
    if (csv)
        *csv = '\0';
    sets[n++] = frs_strdup("method.name=declared");
    for (char *line = strtok_r(text, "\n", &rest); line && n + 1 < MOST_SETS;
         line = strtok_r(NULL, "\n", &rest))
        sets[n++] = setting_of(line, path);
    sets[n++] = frs_format("method.clients=%d", CLIENTS);
    compose((const char *const *)sets, n);
    for (size_t i = 0; i < n; i++)
        free(sets[i]);
    free(text);
    return 0;
}
