/* Training jobs: the participations that a trainer knows, by their handles, with the versions of the
 * tables (algorithms/training/versions.h) on which they are trained. Only this table leads from a
 * participation to its training. */
#ifndef FRS_ALGORITHMS_TRAINING_TRAINING_JOBS_H
#define FRS_ALGORITHMS_TRAINING_TRAINING_JOBS_H

#include "sim/base/threads/handles.h"
#include "algorithms/training/client_update.h"
#include "algorithms/training/member.h"
#include "algorithms/training/versions.h"

struct frs_training_job {
    struct frs_member member; /* `trains` and `waits` as they apply to this run, and now */
    struct frs_training_told told;
    struct frs_client_update work;
    bool done;    /* `work` holds the result */
    bool settled; /* its private state is its client's, its upload the model's; `work` has neither any more */
    size_t task;  /* in the running batch */
    struct frs_version *version; /* NULL: the participation is only listed */
    struct frs_tables personal;  /* what the client was sent beside it; the learner's, or copies */
    bool owns_personal;
    struct frs_buffer download;    /* as encoded, where messages are kept */
    struct frs_training_job *next; /* among those that are free */
};

/* Zeroed, but for `setup` and the shapes: nothing there. */
struct frs_training_jobs {
    const struct frs_training_setup *setup;
    size_t n_personal;
    struct frs_part personal_shapes[FRS_MAX_PARTS];
    struct frs_versions versions;
    struct frs_handles handles; /* of struct frs_training_job */
    /* [n_clients] the version that each client keeps as a model of its own, as a user of it; NULL, and of one
     * client: there is none yet. */
    struct frs_version **held;
    struct frs_training_job *free;
};

void frs_training_jobs_fini(struct frs_training_jobs *jobs);

/* The client keeps this version from now on. */
void frs_training_jobs_hold(struct frs_training_jobs *jobs, uint32_t client, struct frs_version *version);

/* To be called before personal tables change: jobs that still use them get copies. */
void frs_training_jobs_detach_personal(struct frs_training_jobs *jobs);

/* Adds a job for a member, which gets its handle, as a user of the version. NULL: it is only listed. */
struct frs_training_job *frs_training_jobs_take(
    struct frs_training_jobs *jobs, struct frs_member *member, struct frs_version *version);
struct frs_training_job *frs_training_jobs_find(const struct frs_training_jobs *jobs, size_t handle);
void frs_training_jobs_return(struct frs_training_jobs *jobs, struct frs_training_job *job);

/* Takes all jobs out, which are only listed. Later the reported usage of each goes to the job that then
 * has its handle. */
struct frs_handles frs_training_jobs_take_listed(struct frs_training_jobs *jobs);
void frs_training_jobs_put_back(struct frs_training_jobs *jobs, struct frs_handles *listed);

/* Saves or loads all of it; everything has been trained. */
void frs_training_jobs_archive(struct frs_training_jobs *jobs, struct frs_archive *archive);

#endif
