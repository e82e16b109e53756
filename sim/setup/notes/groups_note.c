#include "sim/setup/notes/groups_note.h"
#include "sim/base/memory.h"

char *frs_groups_note(const struct frs_setup *setup) {
    const struct frs_learner *learner = setup->training.learner;
    if (!learner->groups || setup->selection->uses_groups)
        return NULL;
    return frs_format("method \"%s\" sorts clients into groups, and rounds.selection = \"%s\" does not go by "
                      "them; its paper's "
                      "is \"by_group\"",
        learner->plugin.name, setup->selection->plugin.name);
}
