/* Runs a check in a process of its own, and tells how it ended. */
#include "sim/selftest/selftest.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/sanitizers.h"
#include "sim/contract/slots.h"
#include "sim/selftest/check.h"
#include "sim/selftest/entry.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What parent and child share; the text is behind it. */
static struct frs_check *share(void) {
    struct frs_check *check =
        mmap(NULL, sizeof *check + FRS_CHECK_TEXT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (check == MAP_FAILED)
        frs_memory_exhausted();
    check->text = (char *)(check + 1);
    return check;
}

static _Noreturn void check_entry(struct frs_check *check, const struct frs_selftest_kind *kind,
    const struct frs_plugin *plugin, unsigned most_s, int printed) {
#if FRS_SANITIZED
    static const int signals[] = {SIGALRM}; /* the others are the sanitizer's */
#else
    static const int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#endif
    struct frs_missing_slot missing;
    dup2(printed, STDOUT_FILENO);
    dup2(printed, STDERR_FILENO);
    /* A signal is reported by the parent. */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    alarm(most_s);
    frs_clause(check, "sim/contract/slots.h", "every required slot is there");
    bool misses = frs_misses_slot(kind->kind, plugin, &missing);
    if (misses)
        check->where = missing.header;
    FRS_HOLDS(check, !misses, "it lacks the slot %s%s%s", missing.slot,
        missing.when ? ", which is required " : "", missing.when ? missing.when : "");
    frs_check_plugin(check, kind, plugin);
    kind->check(check, plugin);
    check->done = true;
    fflush(NULL);
    _exit(0);
}

/* What is in the file, at most the first 64 KiB. */
static char *read_all(FILE *file) {
    enum { MOST = 1 << 16 };
    char *text = frs_alloc(MOST + 1, 1);
    rewind(file);
    text[fread(text, 1, MOST, file)] = '\0';
    return text;
}

static enum frs_selftest_outcome outcome_of(const struct frs_check *check, int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return FRS_SELFTEST_ENDLESS;
    if (!check->done || WIFSIGNALED(status) || WEXITSTATUS(status) != 0)
        return FRS_SELFTEST_CRASHED;
    return check->broken      ? FRS_SELFTEST_BROKEN
           : check->unchecked ? FRS_SELFTEST_UNCHECKED
                              : FRS_SELFTEST_KEPT;
}

/* "ended by signal 11 (Segmentation fault)", and the first line that it has printed, which may say why. */
static char *crash_text(int status, const char *printed) {
    size_t length = strcspn(printed, "\n");
    const char *quote = length > 0 ? "; it printed: " : "";
    if (WIFSIGNALED(status))
        return frs_format("ended by signal %d (%s)%s%.*s", WTERMSIG(status), strsignal(WTERMSIG(status)),
            quote, (int)length, printed);
    return frs_format(
        "ended the process with code %d%s%.*s", WEXITSTATUS(status), quote, (int)length, printed);
}

static char *text_of(
    enum frs_selftest_outcome outcome, const char *text, int status, const char *printed, unsigned most_s) {
    if (outcome == FRS_SELFTEST_CRASHED)
        return crash_text(status, printed);
    if (outcome == FRS_SELFTEST_ENDLESS)
        return frs_format("has not ended after %u s", most_s);
    return frs_strdup(outcome == FRS_SELFTEST_KEPT ? "" : text);
}

struct frs_selftest_result frs_selftest_run(const struct frs_selftest_kind *kind,
    const struct frs_plugin *plugin, const char *const *settings, unsigned most_s) {
    struct frs_check *check = share();
    FILE *printed = tmpfile();
    int status = 0;
    check->plugin = plugin;
    check->settings = settings;
    fflush(NULL);
    pid_t child = printed ? fork() : -1;
    if (child < 0)
        frs_fail("cannot start a process for a check: %s", strerror(errno));
    if (child == 0)
        check_entry(check, kind, plugin, most_s, fileno(printed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    char *lines = read_all(printed);
    enum frs_selftest_outcome outcome = outcome_of(check, status);
    bool kept = outcome == FRS_SELFTEST_KEPT;
    struct frs_selftest_result result = {.outcome = outcome,
        .n_clauses = check->n_clauses,
        .n_checks = check->n_checks,
        .clause = kept ? NULL : check->clause,
        .where = kept ? NULL : check->where,
        .note = kept ? check->note : NULL,
        .text = text_of(outcome, check->text, status, lines, most_s),
        .printed = lines};
    fclose(printed);
    munmap(check, sizeof *check + FRS_CHECK_TEXT);
    return result;
}

void frs_selftest_result_fini(struct frs_selftest_result *result) {
    free(result->text);
    free(result->printed);
    *result = (struct frs_selftest_result){.outcome = FRS_SELFTEST_UNCHECKED};
}

const char *frs_selftest_outcome_name(enum frs_selftest_outcome outcome) {
    static const char *const names[] = {[FRS_SELFTEST_KEPT] = "kept",
        [FRS_SELFTEST_BROKEN] = "broken",
        [FRS_SELFTEST_CRASHED] = "crashed",
        [FRS_SELFTEST_ENDLESS] = "endless",
        [FRS_SELFTEST_UNCHECKED] = "unchecked"};
    return names[outcome];
}

char *frs_selftest_line(const struct frs_selftest_result *result) {
    const char *clause = result->clause ? result->clause : "", *where = result->where ? result->where : "";
    switch (result->outcome) {
    case FRS_SELFTEST_KEPT:
        return frs_format("ok, %zu clauses, %zu checks%s%s%s", result->n_clauses, result->n_checks,
            result->note ? " (" : "", result->note ? result->note : "", result->note ? ")" : "");
    case FRS_SELFTEST_BROKEN:
        return frs_format("broken: %s: %s (%s)", clause, result->text, where);
    case FRS_SELFTEST_UNCHECKED:
        return frs_format("not checked: %s", result->text);
    default:
        return frs_format("%s, while checking: %s (%s)", result->text, clause, where);
    }
}
