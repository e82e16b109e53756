/* Runs a fuzzing target without libFuzzer: every file of a corpus, and then mutations of them from a seed,
 * so that the same command repeats the same inputs.
 *
 *   fuzz_NAME [--runs N] [--seconds S] [--seed N] FOLDER...    mutates; both limits may be given, default
 *   10,000 runs
 *   fuzz_NAME FILE...                                           these inputs alone
 *
 * An input under which the target crashes, or takes longer than ten seconds, is left as crash-NAME in the
 * working directory. */
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 14, MOST_INPUTS = 1024, MOST_S = 10, MOST_PATH = 4096 };

struct input {
    uint8_t *bytes;
    size_t n;
};

static struct input corpus[MOST_INPUTS];
static size_t n_corpus;
/* What the target is working on, for the handler of signals. */
static uint8_t current[MOST_BYTES];
static volatile size_t n_current;
static char crash_path[256];

/* ---- crashes ---------------------------------------------------------------------------------- */

static void say(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void keep(void) {
    int file = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (size_t at = 0; file >= 0 && at < n_current;) {
        ssize_t written = write(file, current + at, n_current - at);
        if (written <= 0)
            break;
        at += (size_t)written;
    }
    say("the input is in ");
    say(crash_path);
    say("\n");
}

static void on_signal(int number) {
    keep();
    signal(number, SIG_DFL);
    raise(number);
}

/* Sanitizers and frs_fail end the process without a signal. */
static bool is_running;

static void on_exit_inside(void) {
    if (is_running)
        keep();
}

static void run(const uint8_t *bytes, size_t n) {
    n = n < MOST_BYTES ? n : MOST_BYTES;
    memcpy(current, bytes, n);
    n_current = n;
    /* The copy has the exact size and is on the heap, so that a sanitizer sees every byte behind it. */
    uint8_t *copy = malloc(n > 0 ? n : 1);
    if (!copy)
        frs_memory_exhausted();
    memcpy(copy, bytes, n);
    is_running = true;
    alarm(MOST_S);
    LLVMFuzzerTestOneInput(copy, n);
    alarm(0);
    is_running = false;
    free(copy);
}

/* ---- corpus ----------------------------------------------------------------------------------- */

static bool read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || n_corpus == MOST_INPUTS) {
        fprintf(stderr, "%s: cannot be read\n", path);
        if (file)
            fclose(file);
        return false;
    }
    struct input *input = &corpus[n_corpus++];
    input->bytes = frs_alloc(MOST_BYTES, 1);
    input->n = fread(input->bytes, 1, MOST_BYTES, file);
    fclose(file);
    return true;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* In the order of their names. */
static bool read_folder(const char *folder) {
    struct dirent **entries;
    int n = scandir(folder, &entries, is_visible, alphasort);
    bool good = n > 0;
    if (!good)
        fprintf(stderr, "%s: has no files\n", folder);
    for (int i = 0; i < n; i++) {
        char path[MOST_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        good &= read_file(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return good;
}

/* ---- mutations -------------------------------------------------------------------------------- */

static void replace(struct input *to, size_t at, size_t end, const void *bytes, size_t n) {
    if (to->n - (end - at) + n > MOST_BYTES)
        return;
    memmove(to->bytes + at + n, to->bytes + end, to->n - end);
    if (n > 0)
        memcpy(to->bytes + at, bytes, n);
    to->n += n - (end - at);
}

/* An extreme number, as bytes or as text. */
static void put_extreme(struct input *to, size_t at, struct frs_rng *rng) {
    static const uint64_t numbers[] = {
        0, 1, UINT64_MAX, UINT32_MAX, (uint64_t)1 << 63, 0x7fffffff, 0x7f800000, 0x7fc00000};
    static const char *const texts[] = {"-1", "0", "1e308", "1e-308", "nan", "inf", "9007199254740993",
        "18446744073709551616", "\n", ",", "\"", "%", "unlimited", " "};
    if (frs_rng_below(rng, 2)) {
        size_t width = (size_t)1 << frs_rng_below(rng, 4), end = at + width < to->n ? at + width : to->n;
        replace(to, at, end, &numbers[frs_rng_below(rng, sizeof numbers / sizeof *numbers)], end - at);
    } else {
        const char *text = texts[frs_rng_below(rng, sizeof texts / sizeof *texts)];
        size_t cut = frs_rng_below(rng, 8), end = at + cut < to->n ? at + cut : to->n;
        replace(to, at, end, text, strlen(text));
    }
}

static void mutate(struct input *to, struct frs_rng *rng) {
    size_t at = frs_rng_below(rng, (uint32_t)to->n + 1), length = 1 + frs_rng_below(rng, 16),
           end = at + length < to->n ? at + length : to->n;
    const struct input *other = &corpus[frs_rng_below(rng, (uint32_t)n_corpus)];
    uint8_t byte = (uint8_t)frs_rng_below(rng, 256);
    switch (frs_rng_below(rng, 6)) {
    case 0: /* a bit */
        if (at < to->n)
            to->bytes[at] ^= (uint8_t)(1U << frs_rng_below(rng, 8));
        break;
    case 1: /* a byte more, or another one */
        replace(to, at, frs_rng_below(rng, 2) && at < to->n ? at + 1 : at, &byte, 1);
        break;
    case 2: /* some bytes less */
        replace(to, at, end, NULL, 0);
        break;
    case 3: /* some bytes twice */
        if (to->n > 0) {
            uint8_t bytes[16];
            memcpy(bytes, to->bytes + at, end - at);
            replace(to, at, at, bytes, end - at);
        }
        break;
    case 4: /* an end of another input */
        if (other->n > 0) {
            size_t from = frs_rng_below(rng, (uint32_t)other->n);
            replace(to, at, to->n, other->bytes + from, other->n - from);
        }
        break;
    default:
        put_extreme(to, at, rng);
    }
}

static void mutate_and_run(unsigned long long runs, double seconds, uint64_t seed) {
    struct input input = {.bytes = frs_alloc(MOST_BYTES, 1)};
    double began_s = frs_wall_s();
    unsigned long long done = 0;
    for (; done < runs && (done % 64 != 0 || frs_wall_s() - began_s < seconds); done++) {
        struct frs_rng rng = frs_rng_stream(seed, (uint32_t)done, (uint32_t)(done >> 32), 0, FRS_RNG_TEST);
        const struct input *from = &corpus[frs_rng_below(&rng, (uint32_t)n_corpus)];
        memcpy(input.bytes, from->bytes, from->n);
        input.n = from->n;
        for (uint32_t n = 1 + frs_rng_below(&rng, 8); n > 0; n--)
            mutate(&input, &rng);
        run(input.bytes, input.n);
    }
    printf("%llu mutations of %zu inputs in %.1f s\n", done, n_corpus, frs_wall_s() - began_s);
    free(input.bytes);
}

static double number(const char *text) {
    char *end;
    double value = text ? strtod(text, &end) : -1;
    if (!text || *end || value < 0) {
        fprintf(stderr, "\"%s\" is no number from 0\n", text ? text : "");
        exit(2);
    }
    return value;
}

int main(int n, char **arguments) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    double runs = -1, seconds = -1, seed = 1;
    bool good = true, mutates = false;
    const char *slash = strrchr(arguments[0], '/');
    snprintf(crash_path, sizeof crash_path, "crash-%s", slash ? slash + 1 : arguments[0]);
    for (int i = 1; i < n; i++) {
        double *value = strcmp(arguments[i], "--runs") == 0      ? &runs
                        : strcmp(arguments[i], "--seconds") == 0 ? &seconds
                        : strcmp(arguments[i], "--seed") == 0    ? &seed
                                                                 : NULL;
        struct stat status;
        if (value)
            *value = number(arguments[++i]);
        else if (stat(arguments[i], &status) == 0 && S_ISDIR(status.st_mode))
            good &= mutates = read_folder(arguments[i]);
        else
            good &= read_file(arguments[i]);
    }
    if (!good || n_corpus == 0) {
        fputs("usage: fuzz_NAME [--runs N] [--seconds S] [--seed N] FOLDER..., or FILE...\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], on_signal);
    atexit(on_exit_inside);
    for (size_t i = 0; i < n_corpus; i++)
        run(corpus[i].bytes, corpus[i].n);
    if (mutates)
        mutate_and_run((unsigned long long)(runs >= 0      ? runs
                                            : seconds >= 0 ? 1e18
                                                           : 10000),
            seconds >= 0 ? seconds : 1e9, (uint64_t)seed);
    for (size_t i = 0; i < n_corpus; i++)
        free(corpus[i].bytes);
    return 0;
}
