/* Learnt: what a participation came to, without any clock. */
#ifndef FRS_RUN_LEARNT_H
#define FRS_RUN_LEARNT_H

#include <stddef.h>
#include <stdint.h>

/* What the messages and the training of one participation come to. */
struct frs_learnt {
    size_t down_bytes, nominal_down_bytes; /* known when the round opens */
    size_t up_bytes, nominal_up_bytes;     /* the rest once it has been trained */
    size_t up_values;                      /* those that the server decodes */
    double flop, samples, loss;            /* loss: not finite means that the run diverges */
    double post_flop, post_samples;        /* of these, after the upload */
    uint32_t epochs;                       /* run before it; 0: the learner knows none */
    double cpu_s;                          /* of this process, never the same twice */
};

#endif
