/* Trainees: the participations a trainer knows of, and the versions of the tables they were trained on.
 *
 * A version is the tables as they stood when somebody downloaded them. As long as nothing changes these, it
 * refers to the tables the downlink holds; whoever is about to change them detaches the versions that are
 * still used, which then keep a copy. */
#ifndef FRS_ALGORITHMS_TRAINING_JOBS_H
#define FRS_ALGORITHMS_TRAINING_JOBS_H

#include "algorithms/downlink/downlink.h"
#include "sim/base/threads/handles.h"
#include "algorithms/training/known_outcome.h"
#include "algorithms/training/client_update.h"

struct frs_version {
    struct frs_tables tables;
    bool detached;
    struct frs_course course; /* of the round it was made for */
    bool finite;              /* all values of the tables: whoever is trained on others diverges */
    uint64_t round_seed;
    uint32_t number;  /* of the downlink */
    size_t n_changes; /* of the server's tables, before it */
    size_t n_users;   /* trainees, and the trainer itself while it is the current one */
    struct frs_version *next;
};

struct frs_trainee {
    size_t ticket;
    struct frs_work work;
    enum frs_fate fate;
    bool trains, done; /* done: `work` holds the result */
    bool settled; /* its private state is its client's, its upload the model's; `work` has neither any more */
    bool waits;   /* for its client's work after the last upload, before it is trained */
    double wanted_s; /* about when its result will be asked for */
    size_t task;     /* in the running batch */
    struct frs_version *version;
    struct frs_tables personal; /* what the client was sent beside it; the learner's, or copies */
    bool owns_personal;
    struct frs_buffer download; /* as encoded, where messages are kept */
    struct frs_trainee *next;   /* among those that are free */
};

/* Zeroed, but for `setup` and the shapes: nothing there. */
struct frs_trainees {
    const struct frs_training_setup *setup;
    size_t n_parts;
    struct frs_part shapes[FRS_MAX_PARTS]; /* of the tables */
    size_t n_personal;
    struct frs_part personal_shapes[FRS_MAX_PARTS];
    struct frs_tickets tickets;   /* of struct frs_trainee */
    struct frs_version *versions; /* oldest first */
    struct frs_trainee *free;
};

void frs_trainees_fini(struct frs_trainees *trainees);

/* A version with one user, the caller. */
struct frs_version *frs_trainees_add_version(struct frs_trainees *trainees, const struct frs_tables *tables);
void frs_trainees_release(struct frs_trainees *trainees, struct frs_version *version);

/* The tables are about to change. */
void frs_trainees_detach_versions(struct frs_trainees *trainees);

/* Personal tables are about to change: trainees that have some get copies. */
void frs_trainees_detach_personal(struct frs_trainees *trainees);

/* Takes a ticket for a client and makes it a user of the version. */
struct frs_trainee *frs_trainees_take(struct frs_trainees *trainees, struct frs_version *version);
struct frs_trainee *frs_trainees_find(const struct frs_trainees *trainees, size_t ticket);
void frs_trainees_return(struct frs_trainees *trainees, struct frs_trainee *trainee);

/* Saves or loads all of it; everything has been trained. */
void frs_trainees_archive(struct frs_trainees *trainees, struct frs_archive *archive);

#endif
