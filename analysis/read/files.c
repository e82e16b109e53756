#include "analysis/read/files.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum frs_status frs_contents_read(const char *path, char **text, struct frs_errors *errors) {
    size_t n;
    const char *reason = frs_input_read(path, FRS_INPUT_DATA, text, &n);
    if (!reason && strlen(*text) != n) {
        free(*text);
        *text = NULL;
        reason = "is not a text file";
    }
    return reason ? frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path, reason) : FRS_OK;
}

bool frs_contents_exist(const char *path) {
    return access(path, F_OK) == 0;
}

/* Opens a file without a name, which the system removes with its process. Returns NULL where that is
 * impossible. */
static FILE *open_unnamed(const char *path) {
    int descriptor = frs_create_nameless(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (descriptor >= 0 && !file)
        close(descriptor);
    return file;
}

enum frs_status frs_draft_open(struct frs_draft *draft, const char *path, struct frs_errors *errors) {
    *draft = (struct frs_draft){.path = frs_strdup(path)};
    draft->file = open_unnamed(path);
    if (draft->file)
        return FRS_OK;
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

/* Gives a file without a name its final name. If the name is taken, gives it another one, and then renames
 * it: a file cannot take over the name of another one directly. */
static bool name_it(struct frs_draft *draft) {
    if (frs_create_name(fileno(draft->file), draft->path))
        return true;
    char *temporary = frs_format("%s.partial-%ld", draft->path, (long)getpid());
    unlink(temporary); /* of a process that had the same number */
    bool linked = frs_create_name(fileno(draft->file), temporary);
    if (linked)
        draft->temporary = temporary;
    else
        free(temporary);
    return linked;
}

enum frs_status frs_draft_commit(struct frs_draft *draft, struct frs_errors *errors) {
    bool failed = fflush(draft->file) != 0 || ferror(draft->file);
    failed = failed || (!draft->temporary && !name_it(draft));
    int reason = errno;
    if (fclose(draft->file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    draft->file = NULL;
    if (!failed && draft->temporary && rename(draft->temporary, draft->path) != 0) {
        failed = true;
        reason = errno;
    }
    if (failed) {
        enum frs_status status =
            frs_errors_add(errors, FRS_ERR_RUN, "%s could not be written: %s", draft->path, strerror(reason));
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
