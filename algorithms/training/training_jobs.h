/* Training jobs: the participations a trainer knows of, by their handles, and the versions of the tables they
 * were trained on. This is the only table that leads from a participation to its training.
 *
 * A version is the tables as a client downloaded them. While these are unchanged, it refers to the tables the
 * downlink holds. Call frs_training_jobs_detach_versions() before changing them: versions still in use are
 * copied (copy-on-write). */
#ifndef FRS_ALGORITHMS_TRAINING_TRAINING_JOBS_H
#define FRS_ALGORITHMS_TRAINING_TRAINING_JOBS_H

#include "algorithms/downlink/downlink.h"
#include "sim/base/threads/handles.h"
#include "algorithms/training/client_update.h"
#include "algorithms/training/member.h"

struct frs_version {
    struct frs_tables tables;
    bool detached;
    struct frs_course course; /* of the round it was made for */
    bool finite;              /* all values of the tables: training on others diverges */
    uint64_t round_seed;
    uint32_t number;  /* of the downlink */
    size_t n_changes; /* of the server's tables, before it */
    size_t n_users;   /* jobs, and the trainer itself while it is the current one */
    struct frs_version *next;
};

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
    size_t n_parts;
    struct frs_part shapes[FRS_MAX_PARTS]; /* of the tables */
    size_t n_personal;
    struct frs_part personal_shapes[FRS_MAX_PARTS];
    struct frs_handles handles;   /* of struct frs_training_job */
    struct frs_version *versions; /* oldest first */
    struct frs_training_job *free;
};

void frs_training_jobs_fini(struct frs_training_jobs *jobs);

/* A version with one user, the caller. */
struct frs_version *frs_training_jobs_add_version(
    struct frs_training_jobs *jobs, const struct frs_tables *tables);
void frs_training_jobs_release(struct frs_training_jobs *jobs, struct frs_version *version);

/* To be called before the tables change: versions still in use get copies. */
void frs_training_jobs_detach_versions(struct frs_training_jobs *jobs);

/* To be called before personal tables change: jobs that still use them get copies. */
void frs_training_jobs_detach_personal(struct frs_training_jobs *jobs);

/* Adds a job for a member, which gets its handle, as a user of the version. NULL: it is only listed. */
struct frs_training_job *frs_training_jobs_take(
    struct frs_training_jobs *jobs, struct frs_member *member, struct frs_version *version);
struct frs_training_job *frs_training_jobs_find(const struct frs_training_jobs *jobs, size_t handle);
void frs_training_jobs_return(struct frs_training_jobs *jobs, struct frs_training_job *job);

/* Takes all jobs out, which are only listed; later, what was told of each goes to the job that has its handle
 * by now. */
struct frs_handles frs_training_jobs_take_listed(struct frs_training_jobs *jobs);
void frs_training_jobs_put_back(struct frs_training_jobs *jobs, struct frs_handles *listed);

/* Saves or loads all of it; everything has been trained. */
void frs_training_jobs_archive(struct frs_training_jobs *jobs, struct frs_archive *archive);

#endif
