/* What the parts of a report share. */
#ifndef FRS_ANALYSIS_REPORT_REPORT_INTERNAL_H
#define FRS_ANALYSIS_REPORT_REPORT_INTERNAL_H

#include "analysis/read/json.h"
#include "analysis/read/run_reader.h"
#include "analysis/report/report.h"

#include <stdio.h>

/* null for NaN, "inf" and "-inf" for what is infinite: JSON has neither. */
json_t *frs_report_number(double value);

/* To so many significant digits; what is not finite stays. */
double frs_report_rounded(double value, int digits);

/* A text from a user's file, as UTF-8. */
json_t *frs_report_text(const char *text);

/* A value from a user's file, with all its texts as UTF-8. */
json_t *frs_report_cleaned(const json_t *value);

/* A page is made only from files of this version of the program; an error names the other version. */
enum frs_status frs_report_check_format(
    const struct frs_run_results *run, struct frs_errors *errors) FRS_MUST_CHECK;

/* The data of the two kinds of pages; NULL after adding an error. */
json_t *frs_report_of_run(const char *folder, const char *rounds, struct frs_errors *errors);
json_t *frs_report_of_entries(
    const char *const *arguments, size_t n, const char *target, struct frs_errors *errors);

/* Sets "hours" and "n_hours" of a run that has hours.csv, column by column. Of more than 700 rows only
 * some are taken, evenly spread. */
enum frs_status frs_report_set_hours(const char *folder, json_t *page, struct frs_errors *errors);

/* Sets "rounds" in `page`, column by column, and "n_rounds": beyond 2000 rows only some, evenly spread. */
enum frs_status frs_report_set_rounds(
    const struct frs_records *rounds, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* Groups of clients, from clients.csv: which take part, which are lost, and how well the model serves
 * each.
 *   {quality, clients, participations, families: [{name, groups: [{name, clients, participations,
 *   delivered,
 *    lost, unavailable, never, down_bytes, up_bytes, quality, quality_clients}]}]}
 *
 * Families: class of the network, class of the device, quartiles of the uplink (1: the slowest) and of the
 * training interactions (1: the fewest); those with fewer than two groups are left out. `quality` is the
 * mean over the clients that have one. NULL after adding an error. */
json_t *frs_report_clients(const struct frs_run_results *run, struct frs_errors *errors);

/* Timelines of some rounds and the times of all participations, from events.ndjson.
 *   times      columns {round, attempt, n, least, q1, median, q3, most}: seconds from selection to the
 *              end, per row of `rounds`
 *   assigned    the same of budgets, in rounds in which any were assigned
 *   timelines  [{row, round, attempt, why: [text], participants, list: [{client, phases: [[name, from_s,
 *              to_s, bytes, "broke" or the outcome of `post`]], outcome, cause, staleness, budget}]}]
 *
 * Sets them in `page`; absent where the run wrote no events. `chosen` as in frs_report_options. `every`:
 * the run wrote the events of its first round and of every so many after it. Rounds without events have no
 * timeline, and if `every` is above 1, `events_every` says so. */
enum frs_status frs_report_timelines(const char *folder, const struct frs_records *rounds, const char *chosen,
    unsigned long every, double participations, json_t *page, struct frs_errors *errors) FRS_MUST_CHECK;

/* The page around its data. */
void frs_report_print(const json_t *data, FILE *out);

#endif
