/* Shard: a part of a sweep's points, for machines that share no file system.
 *
 * Every shard has the whole plan, so that each of them stands alone and any order of joining them (join.h)
 * gives the same.
 *
 *   DIR/shard   which one the folder has, "3/8"; there is none where it has the whole sweep */
#ifndef FRS_SWEEP_SHARD_H
#define FRS_SWEEP_SHARD_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_shard {
    size_t number, n; /* 1 <= number <= n; n = 0: the whole sweep */
};

enum { FRS_MAX_SHARDS = 10000 };

/* Reads "3/8". Returns false, with *shard unchanged, when the text is nothing like this. */
bool frs_shard_parse(const char *text, struct frs_shard *shard);

/* Writes DIR/shard; n = 0: removes it. */
enum frs_status frs_shard_write(
    const char *folder, const struct frs_shard *shard, struct frs_errors *errors) FRS_MUST_CHECK;

/* What DIR/shard says; n = 0 where there is no such file. */
struct frs_shard frs_shard_of_folder(const char *folder);

/* The shards that none of folders [n] has, as "2/8, 5/8", freed by the caller. NULL: there are none, or the
 * folders do not say. */
char *frs_shards_missing(const char *const *folders, size_t n);

/* Which points a shard has. leader [n_points]: the first point that learns the same, itself if there is none.
 * Points are put in the order of their leaders, and then cut into parts whose numbers of points differ by one
 * at most: points that learn the same are in the same shard, unless a cut goes through them.
 * owns [n_points] receives the answer. */
void frs_shard_points(const struct frs_shard *shard, const size_t *leader, size_t n_points, bool *owns);

#endif
