#include "analysis/files.h"
#include "sim/base/create.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

enum frs_status frs_contents_read(const char *path, char **text, struct frs_errors *errors) {
    *text = NULL;
    size_t n = 0, capacity = 0, got;
    FILE *file = fopen(path, "r");
    if (!file)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path, strerror(errno));
    do {
        *text = frs_grow(*text, n + CHUNK + 1, &capacity, 1);
        got = fread(*text + n, 1, CHUNK, file);
        n += got;
    } while (got == CHUNK);
    (*text)[n] = '\0';
    enum frs_status status = FRS_OK;
    if (ferror(file))
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path, strerror(errno));
    else if (strlen(*text) != n)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not a text file", path);
    fclose(file);
    if (status != FRS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

bool frs_contents_exist(const char *path) {
    return access(path, F_OK) == 0;
}

enum frs_status frs_draft_open(struct frs_draft *draft, const char *path, struct frs_errors *errors) {
    *draft = (struct frs_draft){.path = frs_strdup(path)};
    draft->temporary = frs_format("%s.partial-%ld", path, (long)getpid());
    draft->file = frs_create(draft->temporary);
    if (draft->file)
        return FRS_OK;
    enum frs_status status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", draft->temporary, strerror(errno));
    frs_draft_discard(draft);
    return status;
}

static void release(struct frs_draft *draft) {
    free(draft->path);
    free(draft->temporary);
    *draft = (struct frs_draft){0};
}

enum frs_status frs_draft_commit(struct frs_draft *draft, struct frs_errors *errors) {
    bool failed = ferror(draft->file);
    failed = fclose(draft->file) != 0 || failed;
    draft->file = NULL;
    if (failed || rename(draft->temporary, draft->path) != 0) {
        enum frs_status status =
            frs_errors_add(errors, FRS_ERR_RUN, "%s could not be written: %s", draft->path, strerror(errno));
        frs_draft_discard(draft);
        return status;
    }
    release(draft);
    return FRS_OK;
}

void frs_draft_discard(struct frs_draft *draft) {
    if (draft->file)
        fclose(draft->file);
    if (draft->temporary)
        unlink(draft->temporary);
    release(draft);
}
