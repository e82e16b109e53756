/* Structure of updates and of the item table, as figures of papers show it (evaluation.structure):
 *
 *   uploads   how many principal components hold 90 and 99 % of the energy (sum of squares) of one client's
 *             update of the item table, its rows not centred (CoLR, Nguyen et al. 2024, figure 2)
 *   downloads how many groups the rows of the server's update have as its clients decode them, that is how
 *             many different rows there are; the mean cosine between what a row was to be and what it became,
 *             over rows and over groups (FedRAS, Lu et al. 2025, section 5.4.2 and figures 4 and 5)
 *   table     shares of the server's item table that are 0, or larger in size than .1 and .01 (FedRAP, Li et
 *             al. 2024, figure 7)
 *
 * The first two are means over the rounds so far, of methods that send updates. */
#ifndef FRS_ALGORITHMS_TRAINING_STRUCTURE_H
#define FRS_ALGORITHMS_TRAINING_STRUCTURE_H

#include "algorithms/metrics/quality.h"
#include "algorithms/training/training_setup.h"
#include "sim/base/files/archive.h"

/* Sums over rounds. */
struct frs_structure {
    double components_90, components_99;
    uint64_t n_uploads;
    double groups, cosine_rows, cosine_groups, of_size[FRS_GROUP_SIZES];
    uint64_t n_downloads;
};

/* Returns the least number of principal components of `rows` that hold this share of the sum of squares of
 * their values; 0 where all values are 0. */
size_t frs_structure_components(const struct frs_rows *rows, double share);

/* Adds the uploads of a round, by their first part; uploads without a value other than 0 do not count. */
void frs_structure_uploads(
    struct frs_structure *structure, const struct frs_contribution *contributions, size_t n);

/* Adds an update as the server meant it and as its clients decode it. A row counts if it was to have a value
 * other than 0; the cosine with a row that became 0 is 0. */
void frs_structure_download(
    struct frs_structure *structure, const struct frs_rows *meant, const struct frs_rows *decoded);

/* What evaluations report: means so far, NaN where there is nothing, and the shares of a table of n values.
 */
struct frs_structure_figures frs_structure_figures(
    const struct frs_structure *structure, const float *table, size_t n);

/* All NaN: not measured. */
struct frs_structure_figures frs_structure_unknown(void);

void frs_structure_archive(struct frs_structure *structure, struct frs_archive *archive);

#endif
