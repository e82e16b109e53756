/* Digests of a shard: what its points were when their runs ended, so that a copy that was cut short, or
 * changed, is noticed before it is joined (join.h).
 *
 *   DIR/digests   a line a finished point: its number, a blank, the digest of its results */
#ifndef FRS_SWEEP_DIGESTS_H
#define FRS_SWEEP_DIGESTS_H

#include "sim/base/files/digest.h"
#include "sim/sweep/plan.h"

/* Writes DIR/digests, of all points that are finished in this folder; replaces an earlier one. */
enum frs_status frs_digests_write(
    const char *folder, const struct frs_sweep_plan *plan, struct frs_errors *errors) FRS_MUST_CHECK;

/* What DIR/digests says: texts [n_points] by the number of a point, empty where it says nothing, as for all
 * of them where there is no such file. Freed by the caller. */
typedef char frs_digest_line[FRS_DIGEST_TEXT];
frs_digest_line *frs_digests_read(const char *folder, size_t n_points);

/* Whether a point of this folder is what `wanted` says; nothing to check where that is empty. Otherwise one
 * line that names the point. */
enum frs_status frs_digests_check(const char *folder, const struct frs_sweep_plan *plan, size_t point,
    const char *wanted, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
