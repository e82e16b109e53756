/* Versions: the server's tables as clients downloaded them, each kept while a training job is trained on
 * it.
 *
 * While the tables are unchanged, a version refers to those that the downlink holds. Call
 * frs_versions_detach() before changing them: versions still in use are copied (copy-on-write). */
#ifndef FRS_ALGORITHMS_TRAINING_VERSIONS_H
#define FRS_ALGORITHMS_TRAINING_VERSIONS_H

#include "algorithms/downlink/downlink.h"
#include "algorithms/learner.h"

struct frs_version {
    struct frs_tables tables;
    bool detached;
    struct frs_course course; /* of the round it was made for */
    bool finite;              /* all values of the tables: training on others diverges */
    uint64_t round_seed;
    uint32_t number;  /* of the downlink */
    size_t n_changes; /* of the server's tables, before it */
    uint32_t
        since; /* rounds that had been played when clients received it, where they keep it as their own */
    /* By how much an edge's model (algorithms/training/edge_models.h) has moved from the server's tables, in
     * the shape of an upload; NULL: it has not. */
    double *moved[FRS_MAX_PARTS];
    size_t n_users; /* training jobs, and the trainer itself while it is the current one */
    struct frs_version *next;
};

/* Zeroed, but for the shapes: there is none. */
struct frs_versions {
    size_t n_parts;
    struct frs_part shapes[FRS_MAX_PARTS]; /* of the tables */
    struct frs_version *first;             /* oldest first */
};

void frs_versions_fini(struct frs_versions *versions);

/* A version with one user, the caller. */
struct frs_version *frs_versions_add(struct frs_versions *versions, const struct frs_tables *tables);

/* One user less; without any the version is freed. */
void frs_versions_release(struct frs_versions *versions, struct frs_version *version);

/* To be called before the tables change: versions still in use get copies. */
void frs_versions_detach(struct frs_versions *versions);

/* The number of a version among all, by which an archive names it, and the version with a number; NULL:
 * there is none. */
size_t frs_versions_place(const struct frs_versions *versions, const struct frs_version *version);
struct frs_version *frs_versions_at(const struct frs_versions *versions, size_t place);

/* Saves or loads all versions. A loaded version has one user, the caller, who releases it once its other
 * users are known (frs_versions_release_all). */
void frs_versions_archive(struct frs_versions *versions, struct frs_archive *archive);

/* One user less of every version. */
void frs_versions_release_all(struct frs_versions *versions);

#endif
