/* Shelf: data that are kept between the compositions of one command.
 *
 * Whoever looks at many scenarios before any is run (a sweep, a forecast) composes most of them from the same
 * data, and loading these is nearly all of it. While the shelf is open data stay on it, for whichever
 * scenario wants the same next. A process that is forked has the shelf as it was. */
#ifndef FRS_SETUP_DATASET_CACHE_H
#define FRS_SETUP_DATASET_CACHE_H

#include "algorithms/initial_values.h"
#include "algorithms/data/data.h"

/* Generated data with many more interactions than `most` are sketched (frs_data_sketch); 0: none are. Those
 * that nobody has make room for others, the longest unused first, so that all together take no more than
 * `room_bytes`; the data loaded last stay in any case. */
void frs_dataset_cache_open(size_t most, size_t room_bytes);

/* Nobody may have its data any more. Nothing happens while it is closed. */
void frs_dataset_cache_close(void);

/* Seconds that the slowest loading since frs_dataset_cache_open took; 0: nothing was loaded. */
double frs_dataset_cache_longest_s(void);

/* As frs_data_load, or, where counts will do, frs_data_count, which it is while the shelf is closed. */
enum frs_status frs_dataset_cache_take(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, bool counts, struct frs_data **out, struct frs_errors *errors) FRS_MUST_CHECK;

bool frs_dataset_cache_is_open(void);

/* Whether what tables begin with is kept from now on where it is drawn for data of the shelf
 * (algorithms/initial_values.h); as long as all of it is small. Nothing happens while the shelf is closed. */
void frs_dataset_cache_keep_initial_values(bool keeps);

/* Whether there is room for more of them; never while it is closed. */
bool frs_dataset_cache_wants_initial_values(void);

/* Puts data back, or destroys those that are not the shelf's. NULL is ignored. */
void frs_dataset_cache_return(struct frs_data *data);

#endif
