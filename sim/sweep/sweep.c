#include "sim/sweep/sweep.h"
#include "analysis/read/files.h"
#include "analysis/report/report.h"
#include "analysis/tables/collect.h"
#include "analysis/tables/page.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/run/run.h"
#include "sim/setup/dataset_cache.h"
#include "sim/base/threads/processors.h"
#include "sim/sweep/cluster.h"
#include "sim/sweep/digests.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/local.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long points are tried before a sweep begins, once every level has had its turn. */
#define TRY_S 5.0

/* The sweep itself loads data that points share, once, if that is quick: during loading it does not react
 * to an interrupt. Data of several seeds are kept side by side as long as they have room; where address
 * space is limited, every point loads its own. */
#define QUICK_S 2.0
#define ROOM_BYTES ((size_t)256 << 20)

/* Without a slash at the end, unless it is all there is. */
static char *folder_name(const struct frs_sweep_options *options, const struct frs_sweep_plan *plan) {
    if (!options->folder)
        return frs_format("results/%s-sweep", plan->name);
    size_t length = strlen(options->folder);
    while (length > 1 && options->folder[length - 1] == '/')
        length--;
    return frs_format("%.*s", (int)length, options->folder);
}

static struct frs_schedule *make_schedule(
    const struct frs_sweep_options *options, const struct frs_sweep_session *session) {
    struct frs_schedule *schedule = frs_schedule_create(session->plan, session->folder, !options->no_reuse);
    if (options->shard.n > 0)
        frs_schedule_take_shard(schedule, &options->shard);
    return schedule;
}

static bool is_complete(const struct frs_sweep_options *options, const struct frs_sweep_session *session) {
    struct frs_schedule *schedule = make_schedule(options, session);
    struct frs_schedule_counts counts = frs_schedule_counts(schedule);
    frs_schedule_destroy(schedule);
    return counts.left == 0;
}

static enum frs_going_on going_on(const struct frs_sweep_options *options) {
    return options->extend ? FRS_EXTEND : options->resume ? FRS_RESUME : FRS_ANEW;
}

static enum frs_status check_shard(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, struct frs_errors *errors) {
    const struct frs_sweep_plan *plan = session->plan;
    bool ends_early =
        plan->sweep.stop.metric; /* which of a cell's replicates are needed, one shard decides */
    size_t most = ends_early ? plan->n_points / plan->sweep.replicates : plan->n_points;
    const char *what = ends_early ? "cell" : "point";
    if (options->shard.n <= most)
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "--shard %zu/%zu: the sweep has only %zu %s%s; allowed: as many shards as it has %ss, or fewer%s",
        options->shard.number, options->shard.n, most, what, most == 1 ? "" : "s", what,
        ends_early ? ", because replicates of a cell that ends early stay together" : "");
}

/* A part goes on as the part that it is, or, without --shard, as the whole sweep. */
static enum frs_status check_same_shard(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, struct frs_errors *errors) {
    struct frs_shard was = frs_shard_of_folder(session->folder);
    const struct frs_shard *is = &options->shard;
    if (is->n == 0 || was.n == 0 || (was.n == is->n && was.number == is->number))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s is shard %zu/%zu, and not %zu/%zu; allowed: --shard %zu/%zu, or another place with --out DIR",
        session->folder, was.number, was.n, is->number, is->n, was.number, was.n);
}

/* Whether the sweep makes sense, cheapest question first. */
static enum frs_status check(
    const struct frs_sweep_options *options, struct frs_sweep_session *session, struct frs_errors *errors) {
    enum frs_status status = check_shard(options, session, errors);
    if (status == FRS_OK)
        status = frs_folder_check(session->folder, session->plan, going_on(options), errors);
    if (status == FRS_OK && going_on(options) != FRS_ANEW)
        status = frs_folder_check_files(session->folder, session->plan, errors);
    if (status == FRS_OK && going_on(options) != FRS_ANEW)
        status = check_same_shard(options, session, errors);
    if (status == FRS_OK && options->cluster)
        status = frs_cluster_check(options, session, errors);
    if (status == FRS_OK && options->page)
        status = frs_page_check(options->page, session->plan->name, errors);
    if (status != FRS_OK || is_complete(options, session))
        return status;
    frs_dataset_cache_open(0, ROOM_BYTES);
    status = frs_sweep_plan_check(session->plan, &options->request, TRY_S, errors);
    session->prepares = status == FRS_OK && !options->cluster && frs_dataset_cache_longest_s() <= QUICK_S &&
                        !frs_memory_is_limited();
    if (!session->prepares)
        frs_dataset_cache_close();
    return status;
}

enum frs_status frs_sweep_open(
    const struct frs_sweep_options *options, struct frs_sweep_session *session, struct frs_errors *errors) {
    *session = (struct frs_sweep_session){.lock = -1};
    enum frs_status status = frs_sweep_plan_build(&options->request, &session->plan, errors);
    if (status != FRS_OK)
        return status;
    session->folder = folder_name(options, session->plan);
    if (going_on(options) != FRS_ANEW)
        status = frs_folder_follow(session->folder, session->plan, options->extend, errors);
    if (status == FRS_OK)
        status = check(options, session, errors);
    if (status == FRS_OK)
        status = frs_run_load(errors);
    if (status == FRS_OK)
        status = frs_folder_open(session->folder, session->plan, going_on(options), &session->lock, errors);
    if (status == FRS_OK)
        status = frs_shard_write(session->folder, &options->shard, errors);
    if (status == FRS_OK)
        session->schedule = make_schedule(options, session);
    else
        frs_sweep_close(session);
    if (status == FRS_OK && options->opened)
        options->opened(
            options->opened_context, session->folder, options->jobs ? options->jobs : frs_processors());
    return status;
}

enum frs_status frs_sweep_extend(
    const struct frs_sweep_options *options, struct frs_sweep_session *session, struct frs_errors *errors) {
    struct frs_sweep_plan *plan;
    enum frs_status status = frs_sweep_plan_build(&options->request, &plan, errors);
    if (status != FRS_OK)
        return status;
    for (size_t i = 0; i < session->plan->n_points; i++)
        FRS_INVARIANT(i < plan->n_points && strcmp(plan->points[i].hash, session->plan->points[i].hash) == 0,
            "point %zu is another one", i);
    char *path = frs_folder_plan(session->folder);
    status = frs_sweep_plan_write(plan, path, errors);
    free(path);
    if (status != FRS_OK) {
        frs_sweep_plan_destroy(plan);
        return status;
    }
    frs_schedule_destroy(session->schedule);
    frs_sweep_plan_destroy(session->plan);
    session->plan = plan;
    session->schedule = make_schedule(options, session);
    return FRS_OK;
}

void frs_sweep_close(struct frs_sweep_session *session) {
    frs_schedule_destroy(session->schedule);
    frs_sweep_plan_destroy(session->plan);
    free(session->folder);
    if (session->prepares)
        frs_dataset_cache_close();
    if (session->lock >= 0)
        close(session->lock);
    *session = (struct frs_sweep_session){.lock = -1};
}

enum frs_status frs_sweep_run_local(
    const struct frs_sweep_options *options, struct frs_sweep_session *session, struct frs_errors *errors) {
    char *cache = options->no_reuse ? NULL : frs_folder_cache(session->folder);
    struct frs_ticker *ticker = frs_ticker_create(stderr, options->quiet);
    struct frs_local local = {.plan = session->plan,
        .folder = session->folder,
        .sections = options->request.sections,
        .cache = cache,
        .prepares = session->prepares,
        .jobs = options->jobs,
        .threads = options->threads};
    enum frs_status status = frs_local_run(&local, session->schedule, ticker, errors);
    frs_ticker_destroy(ticker);
    free(cache);
    return status;
}

static bool has_results(const struct frs_sweep_session *session) {
    return frs_schedule_counts(session->schedule).done > 0;
}

enum frs_status frs_sweep_report(const struct frs_sweep_session *session, struct frs_errors *errors) {
    if (!has_results(session) || !frs_sweep_plan_wants_page(session->plan))
        return FRS_OK;
    return frs_report_write(
        (const char *const *)&session->folder, 1, &(struct frs_report_options){0}, NULL, errors);
}

static enum frs_status report_failed(const struct frs_schedule_counts *counts, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_RUN, "%zu of %zu points failed; --resume runs them again",
        counts->failed, counts->points - counts->skipped);
}

/* Tables of a part would be read as those of the sweep. */
static enum frs_status finish_shard(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, const struct frs_schedule_counts *counts, enum frs_status status,
    struct frs_errors *errors) {
    if (!options->quiet) {
        frs_print_line(stdout, "%zu of %zu points of shard %zu of %zu are finished, in %s", counts->done,
            counts->points, options->shard.number, options->shard.n, session->folder);
        frs_print_line(stdout,
            "The results of the sweep, once all shards are together: fedrecsim collect %s "
            "FOLDER... --out DIR",
            session->folder);
    }
    enum frs_status written = frs_digests_write(session->folder, session->plan, errors);
    if (counts->failed > 0)
        status = report_failed(counts, errors);
    return status == FRS_OK ? written : status;
}

enum frs_status frs_sweep_finish(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, enum frs_status status, struct frs_errors *errors) {
    struct frs_schedule_counts counts = frs_schedule_counts(session->schedule);
    if (status == FRS_INTERRUPTED)
        return frs_errors_add(errors, status,
            "interrupted: %zu of %zu points are finished; the same command with --resume goes on",
            counts.done, counts.points - counts.skipped);
    if (options->shard.n > 0)
        return finish_shard(options, session, &counts, status, errors);
    const struct frs_collect_options collect = {.page = options->page, .all = options->all};
    size_t n_lacking = 0;
    enum frs_status collected = frs_collect(session->folder, &collect,
        options->quiet || options->without_tables ? NULL : stdout, &n_lacking, errors);
    if (collected == FRS_OK && !options->report_later)
        collected = frs_sweep_report(session, errors);
    if (!options->quiet) {
        putchar('\n');
        char *page = frs_format("%s/%s", session->folder, FRS_REPORT_FILE);
        bool has_page =
            collected == FRS_OK &&
            (options->report_later ? frs_sweep_plan_wants_page(session->plan) && has_results(session)
                                   : frs_contents_exist(page));
        frs_print_line(stdout, "%zu of %zu points are finished%s; results in %s%s%s", counts.done,
            counts.points - counts.skipped, counts.skipped ? ", the others are not needed" : "",
            session->folder, has_page ? ", the page is " : "", has_page ? page : "");
        free(page);
    }
    if (counts.without_figure > 0)
        frs_print_line(stderr,
            "fedrecsim: %zu points have no figure %s (sweep.stop_metric): their cells did not end early",
            counts.without_figure, session->plan->sweep.stop.metric);
    if (counts.failed > 0 && !options->failures_told)
        report_failed(&counts, errors);
    if (collected == FRS_OK && counts.failed == 0 && status == FRS_OK && n_lacking > 0)
        collected = frs_errors_add(errors, FRS_ERR_RUN,
            "%zu of %zu points have results that cannot be read; tables.md says which and why, and "
            "`fedrecsim collect %s` reads them again",
            n_lacking, counts.points, session->folder);
    return status != FRS_OK ? status : collected;
}
