/* Sweep: from a scenario and its axes to a folder of results.
 *
 * Open the sweep, let a launcher (sim/sweep/local.h, cluster.h) run what the schedule has left, and
 * finish. */
#ifndef FRS_SWEEP_SWEEP_H
#define FRS_SWEEP_SWEEP_H

#include "sim/sweep/session.h"

/* Makes the plan, tries it, and opens the folder. Nothing is written before everything is known to be
 * sound. On failure the session is empty. */
enum frs_status frs_sweep_open(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Makes the plan anew from `options` and replaces the previous plan. The options have to give the previous
 * points with the same numbers, and more behind them. The session stays as it was on failure. */
enum frs_status frs_sweep_extend(const struct frs_sweep_options *options, struct frs_sweep_session *session,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Runs what is left as processes on this machine. */
enum frs_status frs_sweep_run_local(const struct frs_sweep_options *options,
    struct frs_sweep_session *session, struct frs_errors *errors) FRS_MUST_CHECK;

/* Collects the results, prints the tables and writes the page. `status` is that of the launcher. Adds
 * errors about an interruption or failed points, and returns the status of the sweep as a whole. */
enum frs_status frs_sweep_finish(const struct frs_sweep_options *options,
    const struct frs_sweep_session *session, enum frs_status status,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Writes report.html from what is in the folder, if the scenario wants it (output.report) and any point
 * has results. */
enum frs_status frs_sweep_report(
    const struct frs_sweep_session *session, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_sweep_close(struct frs_sweep_session *session);

#endif
