#include "sim/base/threads/scratch.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

char *frs_scratch_create(struct frs_errors *errors) {
    const char *parent = getenv("TMPDIR");
    char *folder = frs_format("%s/fedrecsim-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(folder))
        return folder;
    frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot make the folder: %s", folder, strerror(errno));
    free(folder);
    return NULL;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

void frs_scratch_remove(char *folder) {
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}
