#include "sim/cli/replay_place.h"
#include "analysis/read/files.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/memory.h"
#include "sim/ledger/run_place.h"
#include "sim/sweep/folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *plan_text(const json_t *plan) {
    char *text = json_dumps(plan, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    FRS_INVARIANT(text, "out of memory");
    return text;
}

enum frs_status frs_replay_place_open(const json_t *plan, const char *folder, struct frs_errors *errors) {
    enum frs_status status = frs_folder_make_points(folder, errors);
    char *path = frs_folder_plan(folder), *text = plan_text(plan);
    if (status == FRS_OK)
        status = frs_create_whole(path, text, strlen(text), "another place, with --out DIR", errors);
    free(text);
    free(path);
    return status;
}

void frs_replay_place_discard(const char *folder) {
    char *path = frs_folder_plan(folder), *points = frs_format("%s/points", folder);
    if (rmdir(points) == 0 && unlink(path) == 0)
        rmdir(folder);
    free(points);
    free(path);
}

enum frs_status frs_replay_place_check(const struct frs_bundle *bundle, const char *name, const char *out,
    bool resume, bool *held, struct frs_errors *errors) {
    const json_t *plan = json_object_get(bundle->root, "plan");
    *held = false;
    if (!plan)
        return json_array_size(bundle->runs) > 1 || !resume ? frs_run_place_check(out, false, errors)
                                                            : FRS_OK;
    char *path = frs_folder_plan(out), *wanted = plan_text(plan), *found = NULL;
    bool there = access(path, F_OK) == 0;
    enum frs_status status = FRS_OK;
    if (!there)
        status = frs_run_place_check(out, false, errors);
    else if (!resume)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s holds a replay or a sweep already; go on with it with --resume, or choose another place with "
            "--out DIR",
            out);
    else
        status = frs_contents_read(path, &found, errors);
    *held = status == FRS_OK && there;
    if (*held && strcmp(found, wanted) != 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s holds another sweep than %s; choose another place with --out DIR", out, name);
    free(found);
    free(wanted);
    free(path);
    return status;
}
