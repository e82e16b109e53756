/* The parts of a comparison's page that come from files other than the figures: the rows of an entry's
 * runs, and sensitivities. */
#ifndef FRS_ANALYSIS_REPORT_COMPARISON_RUNS_H
#define FRS_ANALYSIS_REPORT_COMPARISON_RUNS_H

#include "analysis/entries/entries.h"

#include <jansson.h>

/* Adds to `object`:
 *   column   of rounds.csv that has the measure of the target, or else of quality
 *   bars     the target in each run; null without one
 *   records  per run, the evaluated rounds that were better than all before: any target is first
 *            reached in one of them. Columns: round and bytes so far, each as the difference from the
 *            record
 *            before; time_s; value, in whole parts of `parts` where there is one. The previous evaluation
 *            is
 *            the record before, or the run's start; if it was no record, `apart` has the place in these
 *            columns, before_s its time, and before_bytes what was sent since
 *   curve    {round, time_s, bytes, value, half_width}: means over the runs at rounds that all of them
 *            evaluated, at most FRS_CURVE_POINTS, and half the 95 % interval of the value
 *   other    {column, curve}: the same on the test items, if the target uses other items; the curve
 *            without the members that it shares with the first one
 *   clients  as frs_report_clients, means over the runs */
enum { FRS_CURVE_POINTS = 60 };
enum frs_status frs_report_add_runs(const struct frs_entries *entries, const struct frs_entry *entry,
    json_t *object, struct frs_errors *errors) FRS_MUST_CHECK;

/* Sets "what_ifs" in `page`: {name: values of each entry, as figures have them}, the percentage by which
 * each what-if changes the time of the simulated rounds (what_if.json); null where no run has any. */
enum frs_status frs_report_what_ifs(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* One value for each of n runs, or a single one if all are equal; null where all are NaN. Takes over
 * `list`. */
json_t *frs_report_of_runs(json_t *list);

/* Sets "sensitivity" in `page`: sensitivity.json (analysis/sensitivity/sensitivity.h) of each sweep that
 * has one. A damaged file, or one of another format, is an error. */
enum frs_status frs_report_sensitivities(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* Sets "answer" in `page`: answer.json of a search (`fedrecsim solve`), if the entries are the cells of
 * its folder; null otherwise. A damaged file is an error. */
enum frs_status frs_report_answer(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* The folder of the sweep that a cell is of: FOLDER/points/NUMBER. Freed with free(). */
char *frs_report_folder_of(const struct frs_entry *entry);

#endif
