/* A guarantee in words, for the loss that a run has had and for one that is forecast. */
#ifndef FRS_RESULTS_PRIVACY_WORDS_H
#define FRS_RESULTS_PRIVACY_WORDS_H

#include "sim/setup/setup.h"

/* "gaussian noise of the client: epsilon 4.38 a round, 28 after the 25 of a client at most (delta 1e-05;
 * protects all data of one client)". `composed` stands between the rounds' epsilon and what it protects.
 * Frees `composed`; the result is freed by the caller. */
char *frs_privacy_words(const struct frs_setup *setup, const struct frs_guarantee *guarantee, char *composed,
    const struct frs_privacy_account *account);

/* "laplace noise of the client guarantees nothing: ..."; NULL: it guarantees something. */
char *frs_privacy_nothing(const struct frs_guarantee *guarantee);

/* Whether an account loses more than the noise was chosen to keep. */
bool frs_privacy_misses(const struct frs_guarantee *guarantee, const struct frs_privacy_account *account);

#endif
