/* Log: measurements, from a CSV file with a line for each transfer or for each participation in a round.
 *
 * Columns, by name and in any order; others are ignored:
 *
 *   client, or session      whose link or device it was
 *   class                   kind of client; without it all are of one
 *   direction               down (download) or up (upload); without it all go one way
 *   size_bytes              of a transfer, or in another unit: size_kB
 *   round                   of a participation
 *   duration_s              of a transfer, or of a participation; or in another unit: duration_ms
 *
 * A log with sizes is one of transfers; a log with rounds and without sizes is one of rounds. */
#ifndef FRS_ANALYSIS_CALIBRATION_LOG_H
#define FRS_ANALYSIS_CALIBRATION_LOG_H

#include "sim/base/names.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { FRS_LOG_CLASSES = 16 }; /* as many as the table of a fleet may have */
enum frs_log_direction { FRS_LOG_DOWN, FRS_LOG_UP, FRS_LOG_DIRECTIONS };

struct frs_log_row {
    size_t client, round; /* among the log's, in the order of their first line */
    enum frs_log_direction direction;
    double bytes, duration_s; /* > 0; bytes 0 in a log of rounds */
};

struct frs_log {
    bool of_rounds;
    struct frs_log_row *rows; /* [n], in the order of the file */
    size_t n, capacity;
    struct frs_names clients, rounds; /* by their numbers */
    size_t n_clients, n_rounds;
    size_t *class_of; /* [n_clients] */
    size_t class_capacity;
    char *classes[FRS_LOG_CLASSES];
    size_t n_classes;
};

struct frs_log_options {
    const char *const *columns; /* [n_columns] "class=access": the column `access` is the class; "class=a+b":
                                   both columns, joined by a dash */
    size_t n_columns;
    enum frs_log_direction direction; /* of a log that does not say */
    const char *only;                 /* the class to keep, or NULL: all */
};

/* FRS_ERR_INPUT after adding errors; freed by the caller in any case. */
enum frs_status frs_log_read(struct frs_log *log, const char *path, const struct frs_log_options *options,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Rows that have something in common, one group after the other. */
struct frs_log_groups {
    size_t n;       /* clients, or rounds */
    size_t *starts; /* [n + 1] */
    size_t *rows;   /* numbers of rows; those of group i from starts[i] on, in the order of the file */
};

struct frs_log_groups frs_log_by_client(const struct frs_log *log);
struct frs_log_groups frs_log_by_round(const struct frs_log *log);
void frs_log_groups_fini(struct frs_log_groups *groups);

void frs_log_fini(struct frs_log *log);

#endif
