/* Summary: what a data file holds and what remains of it under a preparation, before anything is run. */
#ifndef FRS_ALGORITHMS_DATA_SUMMARY_H
#define FRS_ALGORITHMS_DATA_SUMMARY_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_values;

enum { FRS_SUMMARY_VALUES = 32, FRS_SUMMARY_PREPARATIONS = 12 };

/* How many interactions the users, or items, have. */
struct frs_summary_counts {
    uint32_t n; /* users, or items */
    size_t least, median, most;
};

struct frs_summary_preparation {
    char settings[96]; /* the keys of section data, or what it is in words */
    uint32_t users, items;
    size_t interactions;
};

struct frs_data_summary {
    char *layout, *settings, *notes;   /* as of the rows (data_rows.h); notes may be NULL */
    char *unrated;                     /* a value that may mean "no rating"; NULL: none looks so */
    char *first_user, *first_item;     /* the first row as read */
    double first_value, time_of_first; /* NaN: the data has no time */
    size_t n_rows, n_repeated;         /* older rows of a pair that occurs again */
    size_t n_given[2];                 /* rows of a validation and a test file */
    struct frs_summary_counts users, items;
    bool rated, timed;
    double least_value, most_value;
    size_t n_least_value, n_most_value; /* rows */
    size_t n_not_positive;              /* rows that are no interactions under implicit feedback */
    size_t n_values;                    /* distinct ones; SIZE_MAX: more than FRS_SUMMARY_VALUES */
    struct {
        double value;
        size_t n;
    } values[FRS_SUMMARY_VALUES]; /* [n_values], ascending */
    double step;                  /* the least difference of two neighbours; 0: unknown */
    double first_time, last_time;
    size_t n_tied_users;       /* whose newest time occurs more than once */
    size_t least_interactions; /* the smallest data.min_interactions that a run accepts by default */
    size_t n_preparations;
    struct frs_summary_preparation preparations[FRS_SUMMARY_PREPARATIONS];
};

/* Reads the files that the section names and summarises them. Where a key of preparation is given (feedback,
 * unrated, positive_from, repeated, min_interactions, min_users_per_item), the first preparation is what the
 * section says. Every key that is read counts as read. After
 * an error there is nothing to free. */
enum frs_status frs_data_summarise(
    const struct frs_values *data, struct frs_data_summary *out, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_data_summary_fini(struct frs_data_summary *summary);

#endif
