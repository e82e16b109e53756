/* Table versions: copies of one table as it was sent, each kept while a client holds it. Few rows of a
 * large table change in a round, so blocks of a few rows that a version shares with the newest other
 * version are stored once. */
#ifndef FRS_ALGORITHMS_TABLE_VERSIONS_H
#define FRS_ALGORITHMS_TABLE_VERSIONS_H

#include "sim/base/files/archive.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_table_versions;

/* Versions of a table [n_rows × dim]. */
struct frs_table_versions *frs_table_versions_create(size_t n_rows, size_t dim);
void frs_table_versions_destroy(struct frs_table_versions *versions);

/* Adds a holder of `version`, whose content is `table`, which is copied unless the version exists already.
 * Returns the place of the version, which does not change while it is held. */
uint32_t frs_table_versions_hold(struct frs_table_versions *versions, const float *table, uint64_t version);

/* One holder less; without any the place may be another version's. */
void frs_table_versions_let_go(struct frs_table_versions *versions, uint32_t place);

/* Whether the version at this place is held. */
bool frs_table_versions_has(const struct frs_table_versions *versions, uint32_t place);

/* A row [dim], valid while the version is held. */
const float *frs_table_versions_row(const struct frs_table_versions *versions, uint32_t place, size_t row);

/* Versions that are held, values that are stored for them, and all memory. */
size_t frs_table_versions_held(const struct frs_table_versions *versions);
size_t frs_table_versions_values(const struct frs_table_versions *versions);
size_t frs_table_versions_bytes(const struct frs_table_versions *versions);

/* Fails on loading more than `most` versions. */
void frs_table_versions_archive(
    struct frs_table_versions *versions, size_t most, struct frs_archive *archive);

#endif
