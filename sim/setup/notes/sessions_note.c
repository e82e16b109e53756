#include "sim/setup/notes/sessions_note.h"

char *frs_sessions_note(const struct frs_setup *setup) {
    return setup->has_reachability ? frs_reachability_note(&setup->reachability) : NULL;
}
