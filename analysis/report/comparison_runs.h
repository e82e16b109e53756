/* What the page of a comparison takes from files beside the figures: the rows of an entry's runs, and
 * sensitivities. */
#ifndef FRS_ANALYSIS_REPORT_COMPARISON_RUNS_H
#define FRS_ANALYSIS_REPORT_COMPARISON_RUNS_H

#include "analysis/entries/entries.h"

#include <jansson.h>

/* Adds to `object`:
 *   column   of rounds.csv that the target, or else the measure of quality, is about
 *   bars     the target in each run; null without one
 *   records  per run, [round, end_s, bytes so far, value, seconds and bytes since the evaluation before]
 *            of every evaluated round that was better than all before it: what any target is first reached
 *            by
 *   curve    {round, time_s, bytes, value, half_width}: means over the runs at rounds that all of them
 *            evaluated, at most FRS_CURVE_POINTS, and half the 95 % interval of the value
 *   other    {column, curve}: the same on the test items, where the target goes by other items; the curve
 *            without what it has in common with the first one
 *   clients  as frs_report_clients, means over the runs */
enum { FRS_CURVE_POINTS = 60 };
enum frs_status frs_report_add_runs(const struct frs_entries *entries, const struct frs_entry *entry,
    json_t *object, struct frs_errors *errors) FRS_MUST_CHECK;

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
