#include "sim/setup/notes/platform_note.h"
#include "sim/base/memory.h"

#include <stdlib.h>

char *frs_platform_note(const struct frs_setup *setup) {
    const struct frs_user_platform *platform = &setup->platform;
    if (!platform->file)
        return NULL;
    char *left_out = platform->left_out
                         ? frs_format("; \"%s\" is the server's, and none of them", platform->server)
                         : frs_strdup("");
    char *text = frs_format("%s: clients live on %zu host%s%s", platform->file, platform->n_hosts,
        platform->n_hosts == 1 ? "" : "s", left_out);
    free(left_out);
    return text;
}
