/* Audits: messages that nobody looks at become bytes all the same, and have to come out as they did without.
 * In the first rounds, then in one of ten, and in one of a hundred when there have been as many: a table's
 * bytes take as long as training on it, and much longer where the table is large and the cohort is small. */
#ifndef FRS_ALGORITHMS_TRAINING_MESSAGE_AUDITS_H
#define FRS_ALGORITHMS_TRAINING_MESSAGE_AUDITS_H

#include <stdbool.h>
#include <stdint.h>

#define FRS_AUDITED_ROUNDS 3u

static inline bool frs_audits_round(uint32_t round) {
    return round < FRS_AUDITED_ROUNDS || round % (round < 100 ? 10 : 100) == 0;
}

#endif
