/* The batch scripts of SLURM. Private to the folder. */
#ifndef FRS_CLUSTER_SLURM_SCRIPTS_H
#define FRS_CLUSTER_SLURM_SCRIPTS_H

#include "sim/cluster/batch.h"

/* Checks that the options can be lines of a batch script, that the sweep sets none of them itself, and that
 * the name of the folder has no special meaning to SLURM. */
enum frs_status frs_slurm_check(const struct frs_batch *batch, struct frs_errors *errors) FRS_MUST_CHECK;

/* Writes folder/slurm/array.sh and folder/slurm/collect.sh, which call those of the batch. */
enum frs_status frs_slurm_write(const struct frs_batch *batch, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
