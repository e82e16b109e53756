/* Cached data: what one process keeps for the next (cache.h), if a folder is set for it. These are the
 * rows of a data file, under the digest of its bytes and the keys of its format, and the evaluation's
 * candidates, under the digest of all interactions. Both are bit-identical with and without the cache. */
#ifndef FRS_ALGORITHMS_DATA_CACHED_H
#define FRS_ALGORITHMS_DATA_CACHED_H

#include "algorithms/data/data.h"
#include "algorithms/data/read_rows.h"

/* As frs_read_rows; rows that are kept are not read again, unless their ids are asked for. */
enum frs_status frs_cached_rows(const struct frs_values *data, const char *const paths[FRS_DATA_FILES],
    struct frs_rows *rows, struct frs_read_ids *ids, struct frs_digest digests[FRS_DATA_FILES],
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Fills data->negatives by `draw`, or with an earlier result of it. */
void frs_cached_negatives(struct frs_data *data, void (*draw)(struct frs_data *data));

#endif
