/* Columns: what the files of results hold. */
#ifndef FRS_ANALYSIS_COLUMNS_COLUMNS_H
#define FRS_ANALYSIS_COLUMNS_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

/* A column of a file, or, with a NULL name, the file itself. */
struct frs_result_column {
    const char *file;    /* "rounds.csv"; of a column "": that of the nearest file before it */
    const char *name;    /* "hr@": of any K; "AXIS", "METRIC": of any axis or metric; NULL: the file */
    const char *unit;    /* "s", "bytes", "text"; "": that of the metric */
    const char *meaning; /* one line */
};

/* All of them, file by file, ended by a NULL file. */
extern const struct frs_result_column frs_result_columns[];

/* Its name for people, "hr@K"; freed with free(). */
char *frs_result_column_shown(const struct frs_result_column *column);

/* Whether the table has a column of this name for the file. */
bool frs_result_column_is_known(const char *file, const char *name);

/* The page docs/reference/results.md below its heading: every file, and every metric. */
void frs_columns_markdown(FILE *out);

#endif
