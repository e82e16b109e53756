#include "sim/base/consent.h"

#include <stdlib.h>
#include <string.h>

void frs_consent_give(void) {
    setenv(FRS_CONSENT_VARIABLE, "1", 1);
}

bool frs_consent_is_given(void) {
    const char *given = getenv(FRS_CONSENT_VARIABLE);
    return given && strcmp(given, "1") == 0;
}
