#include "sim/plugins/crash.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/plugins/entries.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

enum { MOST = 32, FRAMES = 128 };

/* Where an object lies in memory. */
static struct watched {
    const char *path;
    const struct frs_plugin_table *table;
    uintptr_t begin, end;
} watched[MOST];
static volatile sig_atomic_t n_watched;

static const struct watched *object_at(uintptr_t address) {
    for (int i = 0; i < n_watched; i++)
        if (address >= watched[i].begin && address < watched[i].end)
            return &watched[i];
    return NULL;
}

static const char *name_of(int signal_number) {
    switch (signal_number) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGFPE:
        return "arithmetic error";
    case SIGILL:
        return "illegal instruction";
    default:
        return "aborted";
    }
}

static void say(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

/* That is being loaded; NULL: none. */
static const char *volatile loading;

static void say_culprit(const struct watched *object, uintptr_t address, int signal_number) {
    struct frs_plugin_function function = frs_plugin_entries_find(object->table, address);
    say("fedrecsim: plug-in ");
    say(object->path);
    say(" has crashed");
    if (function.slot) {
        say(" in `");
        say(function.slot);
        say("` of ");
        say(function.kind);
        say(" \"");
        say(function.entry);
        say("\"");
    }
    say(" (");
    say(name_of(signal_number));
    say("): the run ends here and leaves no results\n");
}

static void say_loading(int signal_number) {
    say("fedrecsim: plug-in ");
    say(loading);
    say(" has crashed while it was loaded (");
    say(name_of(signal_number));
    say(")\n");
}

/* No frame is of a plug-in: what it has left in memory, or returned, may still be the cause. */
static _Noreturn void end_as_usual(int number) {
    sigset_t one;
    say("fedrecsim: a plug-in was loaded, which may be the cause; fedrecsim selftest --plugin ");
    say(watched[0].path ? watched[0].path : "FILE");
    say(" checks it\n");
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

/* Finds the innermost plug-in whose function is on the stack. The outermost of its consecutive frames is
 * the function that the program has called, unless that function left its frame to another one by a tail
 * call. Return addresses lie behind the call. Only one thread reports: others that crash meanwhile wait
 * for the end of the process. */
static void on_crash(int number) {
    static atomic_flag speaks = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&speaks))
        pause();
    void *frames[FRAMES];
    int n = backtrace(frames, FRAMES);
    const struct watched *culprit = NULL;
    uintptr_t called = 0;
    for (int i = 0; i < n; i++) {
        uintptr_t address = (uintptr_t)frames[i] - 1;
        const struct watched *object = object_at(address);
        if (culprit && object != culprit)
            break;
        if (object) {
            culprit = object;
            called = i + 1 < n ? (uintptr_t)_Unwind_FindEnclosingFunction((void *)address) : 0;
        }
    }
    if (!culprit && !loading)
        end_as_usual(number);
    if (culprit)
        say_culprit(culprit, called, number);
    else
        say_loading(number);
    _exit(frs_exit_code(FRS_ERR_RUN));
}

/* Where the stack has run out, the handler of this thread has another one. */
static void set_stack(void) {
    static char stack[1 << 16];
    stack_t there;
    if (sigaltstack(NULL, &there) == 0 && (there.ss_flags & SS_DISABLE))
        sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
}

/* The first call of `backtrace` loads what unwinding takes, which allocates. */
void frs_crash_expect(const char *path) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    void *frame;
    loading = path;
    backtrace(&frame, 1);
    set_stack();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

/* The object in one of whose segments the table lies. */
static int find_object(struct dl_phdr_info *info, size_t size, void *context) {
    struct watched *object = context;
    uintptr_t table = (uintptr_t)object->table, begin = UINTPTR_MAX, end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, to = from + info->dlpi_phdr[i].p_memsz;
        begin = from < begin ? from : begin;
        end = to > end ? to : end;
    }
    if (table < begin || table >= end)
        return 0;
    object->begin = begin;
    object->end = end;
    return 1;
}

void frs_crash_watch(const char *path, const struct frs_plugin_table *table) {
    struct watched object = {.table = table};
    loading = NULL;
    if (n_watched == MOST || !dl_iterate_phdr(find_object, &object))
        return;
    object.path = frs_strdup(path);
    watched[n_watched] = object;
    n_watched = n_watched + 1;
}
