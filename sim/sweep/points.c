#include "sim/sweep/points.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/setup/dataset_cache.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/local.h"
#include "sim/sweep/point.h"

#include <stdlib.h>

/* Data of several seeds are kept side by side as long as they have room. */
#define ROOM_BYTES ((size_t)256 << 20)

static enum frs_status run(const struct frs_sweep_plan *plan, const char *folder, const size_t *points,
    size_t n, const struct frs_points_options *options, struct frs_errors *errors) {
    char *cache = options->no_reuse ? NULL
                  : options->cache  ? frs_strdup(options->cache)
                                    : frs_folder_cache(folder);
    struct frs_schedule *schedule = frs_schedule_create(plan, folder, cache != NULL);
    struct frs_ticker *ticker = frs_ticker_create(stderr, true);
    struct frs_local local = {.plan = plan,
        .folder = folder,
        .sections = options->sections,
        .cache = cache,
        .prepares = !frs_memory_is_limited(),
        .jobs = options->jobs,
        .threads = options->threads};
    frs_schedule_take_points(schedule, points, n, options->needed);
    if (local.prepares)
        frs_dataset_cache_open(0, ROOM_BYTES);
    enum frs_status status = frs_local_run(&local, schedule, ticker, errors);
    struct frs_schedule_counts counts = frs_schedule_counts(schedule);
    if (status == FRS_INTERRUPTED)
        frs_errors_add(errors, status,
            "interrupted: %zu of %zu points are finished; the same command goes on", counts.done,
            counts.points);
    else if (counts.failed > 0)
        frs_errors_add(errors, status, "%zu of %zu points failed; the same command runs them again",
            counts.failed, counts.points);
    else if (status == FRS_OK && counts.left > 0)
        status = frs_errors_add(errors, FRS_ERR_RUN,
            "%zu of %zu points were not run, because earlier replicates of their cells have no results",
            counts.left, counts.points);
    if (local.prepares)
        frs_dataset_cache_close();
    frs_ticker_destroy(ticker);
    frs_schedule_destroy(schedule);
    free(cache);
    return status;
}

enum frs_status frs_points_run(const char *path, const size_t *points, size_t n,
    const struct frs_points_options *options, struct frs_errors *errors) {
    struct frs_sweep_plan *plan;
    char *folder;
    enum frs_status status = frs_point_open_plan(path, &plan, &folder, errors);
    if (status != FRS_OK)
        return status;
    status = frs_point_check_index(path, plan, points[n - 1], errors);
    if (status == FRS_OK)
        status = frs_folder_check_files(folder, plan, errors);
    if (status == FRS_OK)
        status = frs_folder_make_points(folder, errors);
    if (status == FRS_OK)
        status = run(plan, folder, points, n, options, errors);
    free(folder);
    frs_sweep_plan_destroy(plan);
    return status;
}
