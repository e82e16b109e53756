/* Deciding settings, as in a run's summary.json (decided_by): defaults that account for more than a tenth
 * of its time or of its bytes, and time in which clients could not be reached. */
#ifndef FRS_ANALYSIS_READ_DECIDING_SETTINGS_H
#define FRS_ANALYSIS_READ_DECIDING_SETTINGS_H

#include <jansson.h>

#include <stddef.h>

struct frs_deciding {
    char *key;  /* "failures.detect" */
    char *what; /* "is the server noticing lost clients, 30 s by default (failures.detect)" */
    double time_share, bytes_share; /* of the run; 0: no more than a tenth, or none of either */
};

/* All zero: none. */
struct frs_deciding_list {
    size_t n, capacity;
    struct frs_deciding *list;
};

/* From the array; those that do not say what they are, as of older versions, are left out. NULL: none. */
struct frs_deciding_list frs_deciding_read(const json_t *array);
void frs_deciding_fini(struct frs_deciding_list *deciding);

#endif
