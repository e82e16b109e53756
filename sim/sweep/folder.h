/* Folder of a sweep: where its files are, and which points are finished.
 *
 *   DIR/plan.json         what has to be run (plan.h)
 *   DIR/points/0000/      run directory of point 0, put in place in one step
 *   DIR/points/0000.log   what that run printed; removed when it printed nothing
 *   DIR/points/0000.lock  held while that point is running, here or on another machine
 *   DIR/cache/            what runs have learnt, for others that learn the same
 *   DIR/lock              held while a sweep is running here */
#ifndef FRS_SWEEP_FOLDER_H
#define FRS_SWEEP_FOLDER_H

#include "sim/sweep/plan.h"

/* Names, freed by the caller. */
char *frs_folder_plan(const char *folder);
char *frs_folder_cache(const char *folder);
char *frs_folder_point(const char *folder, size_t point);
char *frs_folder_log(const char *folder, size_t point);

/* Whether the run directory of this very point exists and its run has ended: complete, or stranded because
 * no client could be reached any more. */
bool frs_folder_finished(const char *folder, const struct frs_sweep_plan *plan, size_t point);

/* Removes what killed runs of a point have left behind: temporary folders beside its own, and the
 * checkpoint of a finished run. Must not be called while a process, here or on another machine, runs the
 * point. */
void frs_folder_clear(const char *folder, size_t point);

/* What a folder may hold already: nothing; this very sweep; or a part of it, which stays. */
enum frs_going_on { FRS_ANEW, FRS_RESUME, FRS_EXTEND };

/* Gives a plan the numbers that points have in the folder (frs_sweep_plan_follow), if it holds a sweep. */
enum frs_status frs_folder_follow(
    const char *folder, struct frs_sweep_plan *plan, bool extends, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether frs_folder_open would find the folder fit for the plan; writes nothing. */
enum frs_status frs_folder_check(const char *folder, const struct frs_sweep_plan *plan,
    enum frs_going_on going_on, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the files that finished points were run from are unchanged. Otherwise going on would mix results
 * of two data sets. */
enum frs_status frs_folder_check_files(
    const char *folder, const struct frs_sweep_plan *plan, struct frs_errors *errors) FRS_MUST_CHECK;

/* Makes the folder that points and their logs are written into, unless it is there. */
enum frs_status frs_folder_make_points(const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

/* Removes what killed processes have left of tables and pages of a sweep. */
void frs_folder_tidy_tables(const char *folder);

/* Opens a new folder for `plan`, or one that already has it or a part of it, as `going_on` says; writes
 * plan.json. Removes what killed runs of finished points have left: temporary folders, checkpoints, empty
 * logs, half-written journals, tables and pages. Takes the lock (*lock, -1 on failure; freed by closing),
 * which children inherit: it is held until the last of them has ended. */
enum frs_status frs_folder_open(const char *folder, const struct frs_sweep_plan *plan,
    enum frs_going_on going_on, int *lock, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
