/* Names: distinct texts, numbered from 0 in the order in which they were added. Finding a name takes the
 * same time however many there are. */
#ifndef FRS_BASE_NAMES_H
#define FRS_BASE_NAMES_H

#include <stddef.h>

struct frs_names {
    char **texts; /* [n], copies */
    size_t n, capacity;
    size_t *slots; /* [n_slots] number + 1; 0: empty */
    size_t n_slots;
};

/* The number of a name, or SIZE_MAX. */
size_t frs_names_find(const struct frs_names *names, const char *text);

/* The number of a name, which is added where it is not there yet. */
size_t frs_names_add(struct frs_names *names, const char *text);

void frs_names_fini(struct frs_names *names);

#endif
