/* Join: the folders of a sweep's shards (shard.h) become one folder. */
#ifndef FRS_SWEEP_JOIN_H
#define FRS_SWEEP_JOIN_H

#include "sim/base/status.h"

#include <stddef.h>

/* Copies the finished points of folders [n], which all have the same sweep, into `folder`: a new one, or one
 * that holds points of this sweep already, which stay as they are. Points that several of them have are
 * compared file by file (sim/ledger/compare.h); one that differs is an error that names the files, and
 * nothing is written. What no folder has is missing afterwards, and no error. */
enum frs_status frs_sweep_join(
    const char *const *folders, size_t n, const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
