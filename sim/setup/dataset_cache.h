/* Data-set cache: keeps data sets between the compositions of one command.
 *
 * A command that examines many scenarios before it runs any (a sweep, a forecast) composes most of them
 * from the same data, and loading these takes nearly all of its time. While the cache is open it keeps
 * data for the next scenario that needs the same. A forked process inherits the cache as it was. */
#ifndef FRS_SETUP_DATASET_CACHE_H
#define FRS_SETUP_DATASET_CACHE_H

#include "algorithms/initial_values.h"
#include "algorithms/data/data.h"

/* Opens the cache. Generated data with many more interactions than `most` are sketched (frs_data_sketch);
 * 0: none are. Data sets that are not in use make room for others, the longest unused first, so that all
 * together take at most `room_bytes`; the data loaded last always stay. */
void frs_dataset_cache_open(size_t most, size_t room_bytes);

/* Frees the cache; no data set from it may still be in use. No-op if closed. */
void frs_dataset_cache_close(void);

/* Seconds that the slowest loading since frs_dataset_cache_open took; 0: nothing was loaded. */
double frs_dataset_cache_longest_s(void);

/* As frs_data_load, or, where counts will do, frs_data_count, which it is while the cache is closed. */
enum frs_status frs_dataset_cache_take(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, bool counts, struct frs_data **out, struct frs_errors *errors) FRS_MUST_CHECK;

bool frs_dataset_cache_is_open(void);

/* Sets how many bytes of initial values drawn for its data the cache keeps from now on
 * (algorithms/initial_values.h); 0: no further ones. No-op while the cache is closed. */
#define FRS_INITIAL_VALUES_OF_SWEEP ((size_t)64 << 20)
void frs_dataset_cache_keep_initial_values(size_t most_bytes);

/* Whether there is room for more of them; never while it is closed. */
bool frs_dataset_cache_wants_initial_values(void);

/* Puts data back, or destroys those that are not from the cache. NULL is ignored. */
void frs_dataset_cache_return(struct frs_data *data);

#endif
