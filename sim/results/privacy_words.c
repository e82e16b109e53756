#include "sim/results/privacy_words.h"
#include "sim/base/memory.h"
#include "sim/setup/notes/schedule_note.h"

#include <stdlib.h>

/* An epsilon that the noise keeps exactly is met by bisection. */
#define ROUNDING 1e-6

/* How the least ε was counted. */
static const char *way_of(const struct frs_privacy_account *account) {
    if (account->epsilon == account->sampled)
        return ", by sampling";
    return account->epsilon == account->renyi      ? ", by Renyi divergences"
           : account->epsilon == account->advanced ? ", by advanced composition"
                                                   : "";
}

static const char *author(const struct frs_guarantee *guarantee) {
    return guarantee->local ? "client" : "server";
}

char *frs_privacy_words(const struct frs_setup *setup, const struct frs_guarantee *guarantee, char *composed,
    const struct frs_privacy_account *account) {
    const char *follows = frs_schedule_follows_data(setup);
    char *text = frs_format("%s noise of the %s: epsilon %.4g a round, %s (delta %g%s; protects %s%s%s)",
        frs_noise_names[guarantee->noise], author(guarantee), frs_privacy_loss(guarantee, 1).epsilon,
        composed, account->delta, way_of(account), guarantee->protects,
        follows ? "; who takes part in which round is taken as given, although " : "",
        follows ? follows : "");
    free(composed);
    return text;
}

char *frs_privacy_nothing(const struct frs_guarantee *guarantee) {
    if (guarantee->scale > 0)
        return NULL;
    return frs_format("%s noise of the %s guarantees nothing: what it has to hide is not bounded",
        frs_noise_names[guarantee->noise], author(guarantee));
}

bool frs_privacy_misses(const struct frs_guarantee *guarantee, const struct frs_privacy_account *account) {
    return guarantee->aim.epsilon > 0 && account->epsilon > guarantee->aim.epsilon * (1 + ROUNDING);
}
