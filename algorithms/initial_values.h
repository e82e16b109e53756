/* Initial values of tables, kept for the next model of one command that begins with the same values.
 * Drawing normal numbers is most of the work of creating a model, and the runs of a sweep begin with few
 * different tables. A forked process inherits what was kept until then. */
#ifndef FRS_ALGORITHMS_INITIAL_VALUES_H
#define FRS_ALGORITHMS_INITIAL_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All that a table's initial values [rows × dim] follow from. */
struct frs_initial_values_key {
    uint64_t seed;
    uint32_t stream;
    bool private, alike;
    size_t rows, dim, drawn;
    double sd;
};

struct frs_initial_values;

/* Keeps nothing before frs_initial_values_open. */
struct frs_initial_values *frs_initial_values_create(void);
void frs_initial_values_destroy(struct frs_initial_values *starts);

/* What is drawn from now on is kept, as long as all together takes at most so many bytes; 0: nothing is. */
void frs_initial_values_open(struct frs_initial_values *starts, size_t most_bytes);

/* Whether at least one table was not kept because the total would have been too much. */
bool frs_initial_values_full(const struct frs_initial_values *starts);

/* Fills `values` and returns true where such a table has been kept; NULL has none. */
bool frs_initial_values_find(
    const struct frs_initial_values *starts, const struct frs_initial_values_key *start, float *values);

/* Copies values, which have not been kept yet. */
void frs_initial_values_keep(
    struct frs_initial_values *starts, const struct frs_initial_values_key *start, const float *values);

#endif
