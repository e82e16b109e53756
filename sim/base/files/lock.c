#include "sim/base/files/lock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "fedrecsim-lock-1\n"
#define FORMAT MAGIC "process %ld\nstarted %llu\nnamespace %llu\nboot %63s\nhost %63s\nsince %31s\n"

/* How often, every 20 ms, a lock that is held is tried again. */
enum { TRIES = 100, RECORD_BYTES = 512 };

/* --- who holds it --- */

struct holder {
    bool is_blank;              /* nothing is written at all */
    long process;               /* 0: unknown */
    unsigned long long started; /* clock ticks after the boot: numbers of processes come again */
    unsigned long long names;   /* the namespace in which `process` means something */
    char boot[64], host[64], since[32];
};

/* When the process started, 0 when there is none of this number. */
static unsigned long long start_of(long process) {
    char *path = frs_format("/proc/%ld/stat", process), text[1024];
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    free(path);
    char state = '?';
    unsigned long long started = 0;
    const char *rest = strrchr(text, ')'); /* a program's name may hold anything */
    if (!rest ||
        sscanf(rest + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
            &state, &started) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : started;
}

static struct holder myself(void) {
    struct holder me = {.process = getpid(), .boot = "-", .host = "-"};
    struct stat names;
    me.started = start_of(me.process);
    if (stat("/proc/self/ns/pid", &names) == 0)
        me.names = names.st_ino;
    FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (boot && fscanf(boot, "%63s", me.boot) != 1)
        strcpy(me.boot, "-");
    if (boot)
        fclose(boot);
    if (gethostname(me.host, sizeof me.host - 1) != 0 || !*me.host)
        strcpy(me.host, "-");
    time_t now = time(NULL);
    struct tm utc;
    strftime(me.since, sizeof me.since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return me;
}

/* The record of a lock file. Returns false if the file holds anything else. An empty record means that its
 * holder had no time or no room to write it. */
static bool read_holder(int file, struct holder *holder) {
    char text[RECORD_BYTES];
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    *holder = (struct holder){0};
    if (n < 0)
        return false;
    text[n] = '\0';
    if (n > 0 && strncmp(text, MAGIC, (size_t)n < sizeof MAGIC - 1 ? (size_t)n : sizeof MAGIC - 1) != 0)
        return false;
    if (sscanf(text, FORMAT, &holder->process, &holder->started, &holder->names, holder->boot, holder->host,
            holder->since) != 6)
        *holder = (struct holder){.is_blank = n == 0};
    return true;
}

/* Writes over the old record and cuts the file off behind the new one. So a process that is killed in
 * between leaves no blank file, whose owner would be unknown. If there is no space for the record, only
 * the message that the lock is held suffers. */
static void write_holder(int file) {
    struct holder me = myself();
    char *text = frs_format(MAGIC "process %ld\nstarted %llu\nnamespace %llu\nboot %s\nhost %s\nsince %s\n",
        me.process, me.started, me.names, me.boot, me.host, me.since);
    size_t n = strlen(text);
    bool written = pwrite(file, text, n, 0) == (ssize_t)n;
    (void)!ftruncate(file, written ? (off_t)n : 0);
    free(text);
}

/* Where there are no locks. Another machine, or another container of this one, cannot be looked into. */
static bool is_gone(const struct holder *holder) {
    struct holder me = myself();
    if (holder->process == 0)
        return true;
    if (strcmp(holder->boot, me.boot) != 0)
        return strcmp(holder->host, me.host) == 0;
    return holder->names == me.names && start_of(holder->process) != holder->started;
}

static enum frs_status say_held(
    const struct holder *holder, const char *path, const char *held, struct frs_errors *errors) {
    struct holder me = myself();
    if (holder->process == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s", held);
    if (strcmp(holder->boot, me.boot) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s (process %ld on %s since %s; if that machine is gone for good, remove %s)", held,
            holder->process, holder->host, holder->since, path);
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s (process %ld%s on %s since %s)", held, holder->process,
        holder->names != me.names ? " of another container" : "", holder->host, holder->since);
}

/* --- the file --- */

enum outcome { TAKEN, HELD, FOREIGN, FAILED };

/* Whether `file` is what stands under the name now: a process that releases a lock removes the file. */
static bool is_at(int file, const char *path) {
    struct stat held, named;
    return fstat(file, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

static bool is_plain(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static bool knows_no_locks(int reason) {
    return reason == ENOLCK || reason == ENOSYS || reason == EOPNOTSUPP || reason == EINVAL;
}

/* TAKEN: the file, if it is still there, is ours. */
static enum outcome hold(int file, const char *path, bool made, struct holder *holder) {
    int failed;
    while ((failed = flock(file, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR)
        continue;
    int reason = errno;
    if (!is_plain(file) || !read_holder(file, holder))
        return FOREIGN;
    if (!failed)
        return TAKEN;
    if (reason == EWOULDBLOCK)
        return HELD;
    errno = reason;
    if (!knows_no_locks(reason))
        return FAILED;
    if (made)
        return TAKEN;
    if (!is_gone(holder))
        return HELD;
    unlink(path); /* to be made anew: one of the processes that find it will have made it */
    return TAKEN;
}

/* Creates a file that already has our lock and our record when it gets its name, so that no process ever
 * finds it blank. Returns -1 if there already is one of this name (EEXIST), or if the file system has no
 * files without names. */
static int make_written(const char *path) {
    char *copy = frs_strdup(path);
    int file = open(dirname(copy), O_RDWR | O_TMPFILE, 0666);
    free(copy);
    if (file < 0)
        return -1;
    (void)!flock(file, LOCK_EX | LOCK_NB); /* `hold` hears what comes of it */
    write_holder(file);
    char *nameless = frs_format("/proc/self/fd/%d", file);
    int failed = linkat(AT_FDCWD, nameless, AT_FDCWD, path, AT_SYMLINK_FOLLOW), reason = errno;
    free(nameless);
    if (!failed)
        return file;
    close(file);
    errno = reason;
    return -1;
}

/* `made`: the file was not there before. */
static int open_file(const char *path, bool *made) {
    for (;;) {
        int file = make_written(path);
        if (file < 0 && errno != EEXIST)
            file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
        *made = file >= 0;
        if (file < 0 && errno == EEXIST)
            file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
        else
            return file;
        if (file >= 0 || errno != ENOENT) /* it was given back between the two looks */
            return file;
    }
}

static enum outcome attempt(struct frs_lock *lock, const char *path, struct holder *holder) {
    for (;;) {
        bool made;
        int file = open_file(path, &made);
        if (file < 0)
            return errno == ELOOP || errno == EISDIR ? FOREIGN : FAILED;
        enum outcome outcome = hold(file, path, made, holder);
        if (outcome == TAKEN && is_at(file, path)) {
            write_holder(file);
            *lock = (struct frs_lock){
                .path = frs_strdup(path), .file = file, .was_there = !made && holder->is_blank};
            return TAKEN;
        }
        int reason = errno;
        close(file);
        errno = reason;
        if (outcome != TAKEN)
            return outcome;
    }
}

bool frs_lock_try(struct frs_lock *lock, const char *path) {
    struct holder holder;
    *lock = (struct frs_lock){0};
    return attempt(lock, path, &holder) == TAKEN;
}

enum frs_status frs_lock_take(
    struct frs_lock *lock, const char *path, const char *held, struct frs_errors *errors) {
    struct holder holder;
    enum outcome outcome = HELD;
    *lock = (struct frs_lock){0};
    for (int i = 0; i < TRIES && outcome == HELD; i++) {
        if (i > 0)
            usleep(20000);
        outcome = attempt(lock, path, &holder);
    }
    switch (outcome) {
    case TAKEN:
        return FRS_OK;
    case HELD:
        return say_held(&holder, path, held, errors);
    case FOREIGN:
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s is in the way: it is no lock of this program; choose another place with --out DIR", path);
    default:
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be locked: %s", path, strerror(errno));
    }
}

void frs_lock_release(struct frs_lock *lock) {
    if (!lock->path)
        return;
    if (lock->was_there)
        (void)!ftruncate(lock->file, 0);
    else if (is_at(lock->file, lock->path))
        unlink(lock->path);
    close(lock->file);
    free(lock->path);
    *lock = (struct frs_lock){0};
}

int frs_lock_detach(struct frs_lock *lock) {
    int file = lock->path ? lock->file : -1;
    free(lock->path);
    *lock = (struct frs_lock){0};
    return file;
}
