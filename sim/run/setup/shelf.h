/* Shelf: data that are kept between the compositions of one command.
 *
 * Whoever looks at many scenarios before any is run (a sweep, a forecast) composes most of them from the same data,
 * and loading these is nearly all of it. While the shelf is open the data loaded last stay on it, for
 * whichever scenario wants the same next. */
#ifndef FRS_RUN_SETUP_SHELF_H
#define FRS_RUN_SETUP_SHELF_H

#include "sim/data/data.h"

/* Generated data with many more interactions than `most` are sketched (frs_data_sketch); 0: none are. */
void frs_shelf_open(size_t most);

/* Nobody may have its data any more. */
void frs_shelf_close(void);

/* As frs_data_load, or, where counts will do, frs_data_count, which it is while the shelf is closed. */
enum frs_status frs_shelf_take(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, bool counts, struct frs_data **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* Puts data back, or destroys those that are not the shelf's. NULL is ignored. */
void frs_shelf_return(struct frs_data *data);

#endif
