/* Whether every column of a run's files is in the table of columns. */
#ifndef FRS_TESTS_COLUMNS_FIXTURE_H
#define FRS_TESTS_COLUMNS_FIXTURE_H

/* Fails the test that calls it where rounds.csv, clients.csv, events.ndjson or summary.json of the run
 * directory has a column or member that analysis/columns/columns.def does not describe. */
void check_columns_are_documented(const char *directory);

#endif
