/* What the page of a comparison takes from files beside the figures: the rows of an entry's runs, and
 * sensitivities. */
#ifndef FRS_ANALYSIS_REPORT_COMPARISON_RUNS_H
#define FRS_ANALYSIS_REPORT_COMPARISON_RUNS_H

#include "analysis/entries/entries.h"

#include <jansson.h>

/* Adds to `object`:
 *   column   of rounds.csv that the target, or else the measure of quality, is about
 *   bars     the target in each run; null without one
 *   records  per run, the evaluated rounds that were better than all before: what any target is first
 *            reached by. Columns: round and bytes so far, each as what it is more than in the record before;
 *            time_s; value, in whole parts of `parts` where there is one. How far the evaluation before was:
 *            the record before, or the run's start; where it was no record, `apart` has the place in these
 *            columns, before_s its time, and before_bytes what was sent since
 *   curve    {round, time_s, bytes, value, half_width}: means over the runs at rounds that all of them
 *            evaluated, at most FRS_CURVE_POINTS, and half the 95 % interval of the value
 *   other    {column, curve}: the same on the test items, where the target goes by other items; the curve
 *            without what it has in common with the first one
 *   clients  as frs_report_clients, means over the runs */
enum { FRS_CURVE_POINTS = 60 };
enum frs_status frs_report_add_runs(const struct frs_entries *entries, const struct frs_entry *entry,
    json_t *object, struct frs_errors *errors) FRS_MUST_CHECK;

/* Sets "what_ifs" in `page`: {name: values of each entry, as figures have them}, by how many percent each
 * what-if changes the time of the rounds that were simulated (what_if.json); null where no run has any. */
enum frs_status frs_report_what_ifs(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* One value of each of n runs, or a single one that all of them have; null where all are NaN. Takes `list`.
 */
json_t *frs_report_of_runs(json_t *list);

/* Sets "sensitivity" in `page`: sensitivity.json (analysis/sensitivity/sensitivity.h) of each sweep that has
 * one. An error is one that is damaged, or of another format. */
enum frs_status frs_report_sensitivities(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* Sets "answer" in `page`: answer.json of a search (`fedrecsim solve`), if the entries are the cells of its
 * folder; null otherwise. An error is one that is damaged. */
enum frs_status frs_report_answer(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* The folder of the sweep that a cell is of: FOLDER/points/NUMBER. Freed with free(). */
char *frs_report_folder_of(const struct frs_entry *entry);

#endif
