/* Message audits: in sampled rounds the size-only fast path is checked against a really encoded message.
 * Sampled are the first rounds, then one of ten, and after a hundred rounds one of a hundred: encoding a
 * table takes as long as training on it, and much longer where the table is large and the cohort is small. */
#ifndef FRS_ALGORITHMS_TRAINING_MESSAGE_AUDITS_H
#define FRS_ALGORITHMS_TRAINING_MESSAGE_AUDITS_H

#include <stdbool.h>
#include <stdint.h>

#define FRS_AUDITED_ROUNDS 3u

static inline bool frs_audits_round(uint32_t round) {
    return round < FRS_AUDITED_ROUNDS || round % (round < 100 ? 10 : 100) == 0;
}

#endif
