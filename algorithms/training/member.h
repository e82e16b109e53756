/* Member: the part of a participation that its training goes by, and what its training told of it. */
#ifndef FRS_ALGORITHMS_TRAINING_MEMBER_H
#define FRS_ALGORITHMS_TRAINING_MEMBER_H

#include "algorithms/training/known_outcome.h"
#include "sim/base/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_member {
    uint32_t client;
    uint32_t budget; /* assigned; 0 where the method knows none */
    bool trains;     /* false: it cannot take part, and is not trained */
    enum frs_known_outcome known_outcome;
    bool waits;      /* its device is still at work after its last upload: `train` comes later, if ever */
    double wanted_s; /* approximate time at which its result is needed: the earliest is trained first */
    size_t handle;   /* filled when the cohort is opened */
};

/* What was told of a participation: by the trainer, or by a journal in its place. */
struct frs_training_told {
    struct frs_usage usage;      /* of the download from its opening on; once shortened, `shortened` counts */
    struct frs_usage *shortened; /* NULL: it was not truncated */
    bool waits;                  /* or has waited: its results belong to an event of its own */
    bool is_marked;              /* since the event before */
    uint8_t marks;
};

#endif
