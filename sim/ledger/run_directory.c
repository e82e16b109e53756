#include "sim/ledger/run_directory.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders of one name that are tried before giving up: those that are there hold what is not ours. */
enum { MOST_NAMES = 100 };

/* Size of the pieces in which files are written. */
enum { BUFFER_BYTES = 1 << 16 };

/* --- opening --- */

/* *made: the topmost folder that had to be made, or NULL; freed with free(). */
static int make_parents(const char *path, char **made) {
    char *copy = frs_strdup(path);
    int failed = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(copy, 0777);
        if (!failed && !*made)
            *made = frs_strdup(copy);
        failed = failed && errno != EEXIST;
        *slash = '/';
    }
    free(copy);
    return failed;
}

/* Takes back what make_parents made, as far as nothing else has been put there. */
static void remove_parents(const char *path, const char *made) {
    if (!made)
        return;
    char *copy = frs_strdup(path);
    for (char *slash = strrchr(copy, '/'); slash; slash = strrchr(copy, '/')) {
        *slash = '\0';
        if (strlen(copy) < strlen(made) || rmdir(copy) != 0)
            break;
    }
    free(copy);
}

static enum frs_status take_lock(struct frs_run_directory *directory, struct frs_errors *errors) {
    char *lock = frs_format("%s.lock", directory->path);
    char *held = frs_format("%s: another run is writing there", directory->path);
    enum frs_status status;
    if (make_parents(lock, &directory->made))
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", directory->path, strerror(errno));
    else
        status = frs_lock_take(&directory->lock, lock, held, errors);
    free(lock);
    free(held);
    return status;
}

bool frs_run_directory_lock(const char *path, struct frs_lock *lock) {
    char *name = frs_format("%s.lock", path);
    bool taken = frs_lock_try(lock, name);
    free(name);
    return taken;
}

/* The process is part of the name for people to see; one of another container may have the same. */
static enum frs_status make_temporary(struct frs_run_directory *directory, struct frs_errors *errors) {
    for (int i = 0; i < MOST_NAMES; i++) {
        free(directory->temporary);
        directory->temporary = frs_format("%s.partial-%ld", directory->path, (long)getpid());
        if (i > 0) {
            free(directory->temporary);
            directory->temporary = frs_format("%s.partial-%ld-%d", directory->path, (long)getpid(), i);
        }
        if (mkdir(directory->temporary, 0777) == 0)
            return FRS_OK;
        if (errno != EEXIST)
            break;
    }
    enum frs_status status = frs_errors_add(
        errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", directory->temporary, strerror(errno));
    free(directory->temporary);
    directory->temporary = NULL;
    return status;
}

/* Checks the place once more with the lock: before that another process may have changed it. */
enum frs_status frs_run_directory_open(
    struct frs_run_directory *directory, const char *path, bool force, struct frs_errors *errors) {
    *directory = (struct frs_run_directory){0};
    enum frs_status status = frs_run_place_check(path, force, errors);
    if (status != FRS_OK)
        return status;
    *directory = (struct frs_run_directory){.path = frs_run_place(path), .force = force};
    status = take_lock(directory, errors);
    if (status == FRS_OK) {
        frs_run_place_tidy(directory->path);
        status = frs_run_place_look(directory->path, force, errors);
    }
    if (status == FRS_OK)
        status = make_temporary(directory, errors);
    if (status != FRS_OK)
        frs_run_directory_close(directory);
    return status;
}

/* --- files --- */

FILE *frs_run_directory_file(
    const struct frs_run_directory *directory, const char *name, struct frs_errors *errors) {
    FRS_INVARIANT(frs_run_place_knows(name), "%s would never be removed", name);
    char *path = frs_format("%s/%s", directory->temporary, name);
    FILE *file = fopen(path, "w");
    if (file)
        setvbuf(file, NULL, _IOFBF, BUFFER_BYTES);
    else
        frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return file;
}

/* Not every kind of file can be synchronised. */
static int synchronise(int file) {
    return fsync(file) != 0 && errno != EINVAL && errno != EROFS && errno != EOPNOTSUPP;
}

enum frs_status frs_run_directory_close_file(FILE *file, const char *name, struct frs_errors *errors) {
    int failed_before = ferror(file), reason = 0;
    if (fflush(file) != 0 || synchronise(fileno(file)))
        reason = errno;
    if (fclose(file) != 0 && !reason)
        reason = errno;
    if (!failed_before && !reason)
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_RUN, "%s could not be written completely: %s", name,
        reason ? strerror(reason) : "a write has failed; is the disk full?");
}

/* --- putting in place --- */

/* Writes the names in a folder to the disk, where the file system supports that. */
static void synchronise_folder(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    (void)!fsync(folder);
    close(folder);
}

static enum frs_status refuse_rename(const char *path, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
}

static enum frs_status refuse_foreign(const char *path, char *foreign, struct frs_errors *errors) {
    enum frs_status status = frs_errors_add(
        errors, FRS_ERR_RUN, "%s now holds %s, which this program has not written", path, foreign);
    free(foreign);
    return status;
}

/* The two names were exchanged in one step, so at every moment either the earlier run or the new one
 * existed. A file that another process put into the earlier run at the last moment is found when it can no
 * longer be reached by its name; then the names are exchanged once more. */
static enum frs_status put_old_away(const struct frs_run_directory *directory, struct frs_errors *errors) {
    const char *old = directory->temporary;
    char *foreign = frs_run_place_foreign(old);
    if (!foreign) {
        frs_run_place_remove(old);
        return FRS_OK;
    }
    if (renameat2(AT_FDCWD, old, AT_FDCWD, directory->path, RENAME_EXCHANGE) == 0)
        return refuse_foreign(directory->path, foreign, errors);
    frs_errors_add(errors, FRS_ERR_RUN, "%s, which was in %s, is now in %s", foreign, directory->path, old);
    free(foreign);
    return FRS_OK;
}

/* On file systems that cannot exchange names (NFS). */
static enum frs_status rename_twice(const struct frs_run_directory *directory, struct frs_errors *errors) {
    char *old = frs_format("%s.replaced-%ld", directory->path, (long)getpid()), *foreign = NULL;
    enum frs_status status = FRS_OK;
    if (rename(directory->path, old) != 0) {
        status = refuse_rename(directory->path, errors);
    } else if ((foreign = frs_run_place_foreign(old)) || rename(directory->temporary, directory->path) != 0) {
        status = foreign ? refuse_foreign(directory->path, foreign, errors)
                         : refuse_rename(directory->path, errors);
        if (rename(old, directory->path) != 0)
            frs_errors_add(errors, FRS_ERR_RUN, "the earlier run is now in %s", old);
    } else {
        frs_run_place_remove(old);
    }
    free(old);
    return status;
}

/* Checks the place once more: the run must not remove files that were put there meanwhile. A folder can
 * only be renamed onto an empty one. */
static enum frs_status put_in_place(const struct frs_run_directory *directory, struct frs_errors *errors) {
    const char *from = directory->temporary, *to = directory->path;
    enum frs_status status = frs_run_place_look(to, directory->force, errors);
    if (status != FRS_OK)
        return status;
    if (frs_run_place_state(to, NULL) == FRS_RUN_ABSENT)
        return rename(from, to) == 0 ? FRS_OK : refuse_rename(to, errors);
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0)
        return put_old_away(directory, errors);
    return errno == EINVAL || errno == ENOSYS ? rename_twice(directory, errors) : refuse_rename(to, errors);
}

/* Under a name that cannot be mistaken for the remains of a killed run. */
static enum frs_status keep_beside(struct frs_run_directory *directory, struct frs_errors *errors) {
    for (int i = 1; i <= MOST_NAMES; i++) {
        char *beside = frs_format("%s.results-%d", directory->path, i);
        if (access(beside, F_OK) != 0 && rename(directory->temporary, beside) == 0) {
            free(directory->temporary);
            directory->temporary = beside;
            break;
        }
        free(beside);
    }
    return frs_errors_add(errors, FRS_ERR_RUN, "the results are in %s", directory->temporary);
}

enum frs_status frs_run_directory_commit(struct frs_run_directory *directory, struct frs_errors *errors) {
    synchronise_folder(directory->temporary);
    enum frs_status status = put_in_place(directory, errors);
    if (status != FRS_OK)
        status = keep_beside(directory, errors);
    char *copy = frs_strdup(directory->path);
    synchronise_folder(dirname(copy));
    free(copy);
    free(directory->temporary);
    directory->temporary = NULL;
    free(directory->made); /* it is no longer for nothing */
    directory->made = NULL;
    return status;
}

void frs_run_directory_discard(struct frs_run_directory *directory) {
    if (directory->temporary)
        frs_run_place_remove(directory->temporary);
    free(directory->temporary);
    directory->temporary = NULL;
}

void frs_run_directory_close(struct frs_run_directory *directory) {
    frs_run_directory_discard(directory);
    frs_lock_release(&directory->lock);
    if (directory->path)
        remove_parents(directory->path, directory->made);
    free(directory->path);
    free(directory->made);
    *directory = (struct frs_run_directory){0};
}
