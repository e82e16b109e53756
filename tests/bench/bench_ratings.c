/* Reading ratings: processor time and memory for N generated ratings (default 25,000,000) as
 * "user,item,rating,time", beside a plain loop that parses four numbers a line into arrays. Each is a process
 * of its own; all read the same file. bench_ratings [N [FOLDER]]
 */
#include "algorithms/data/data.h"
#include "algorithms/data/read_rows.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path;
static size_t n_ratings;

/* As many users for as many ratings as MovieLens-25M has, by user, as it is distributed. */
static void write_ratings(void) {
    FILE *file = fopen(path, "w");
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    if (!file)
        frs_fail("%s: cannot be written", path);
    fputs("userId,movieId,rating,timestamp\n", file);
    uint32_t n_users = (uint32_t)(n_ratings / 154 + 1);
    for (size_t i = 0; i < n_ratings; i++)
        fprintf(file, "%zu,%u,%u.%u,%u\n", i * n_users / n_ratings + 1, frs_rng_below(&rng, 59047) * 3 + 1,
            frs_rng_below(&rng, 5) + 1, frs_rng_below(&rng, 2) * 5,
            789652009 + frs_rng_below(&rng, 785000000));
    if (fclose(file) != 0)
        frs_fail("%s: cannot be written", path);
}

/* What a plain program does. */
static void parse_plainly(void) {
    unsigned *users = malloc(n_ratings * sizeof *users), *items = malloc(n_ratings * sizeof *items);
    float *ratings = malloc(n_ratings * sizeof *ratings);
    double *times = malloc(n_ratings * sizeof *times);
    char line[256];
    size_t n = 0;
    FILE *file = fopen(path, "r");
    if (!users || !items || !ratings || !times || !file || !fgets(line, sizeof line, file))
        exit(1);
    while (n < n_ratings && fgets(line, sizeof line, file)) {
        char *at = line;
        users[n] = (unsigned)strtoul(at, &at, 10);
        items[n] = (unsigned)strtoul(at + 1, &at, 10);
        ratings[n] = strtof(at + 1, &at);
        times[n] = strtod(at + 1, &at);
        n++;
    }
    fclose(file);
    if (n != n_ratings)
        exit(1);
    free(users);
    free(items);
    free(ratings);
    free(times);
}

static struct frs_values values_of(const struct frs_param *params, const char *const *settings) {
    return frs_values_of(params, settings);
}

static void read_rows(void) {
    const char *const settings[] = {"path", path, NULL}, *const paths[FRS_DATA_FILES] = {path};
    struct frs_values data = values_of(frs_data_params, settings);
    struct frs_errors errors = {0};
    struct frs_rows rows;
    struct frs_digest digests[FRS_DATA_FILES];
    if (frs_read_rows(&data, paths, &rows, NULL, digests, &errors) != FRS_OK || rows.n != n_ratings)
        exit(1);
    frs_rows_fini(&rows);
    frs_values_fini(&data);
}

static void load_data(void) {
    const char *const settings[] = {"path", path, NULL}, *const full[] = {"candidates", "full", NULL};
    struct frs_values data = values_of(frs_data_params, settings),
                      evaluation = values_of(frs_evaluation_params, full);
    struct frs_errors errors = {0};
    struct frs_data *loaded;
    if (frs_data_load(&data, &evaluation, 1, &loaded, &errors) != FRS_OK)
        exit(1);
    frs_data_destroy(loaded);
    frs_values_fini(&data);
    frs_values_fini(&evaluation);
}

/* Processor time in seconds of a process that does this. */
static double measure(const char *name, void (*work)(void), double plain_s) {
    struct rusage usage;
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        work();
        exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        frs_fail("%s failed", name);
    double seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    printf("%-28s %8.3f s of processor time, %6.1f ns a row, %5.1f bytes a row at most", name, seconds,
        1e9 * seconds / (double)n_ratings, 1024.0 * (double)usage.ru_maxrss / (double)n_ratings);
    if (plain_s > 0)
        printf(", %.2f times the plain loop", seconds / plain_s);
    putchar('\n');
    return seconds;
}

int main(int argc, char **argv) {
    n_ratings = argc > 1 ? strtoul(argv[1], NULL, 10) : 25000000;
    char *file = frs_format("%s/frs-ratings-%ld.csv", argc > 2 ? argv[2] : "/tmp", (long)getpid());
    path = file;
    if (n_ratings == 0)
        return 2;
    unsetenv("FEDRECSIM_CACHE");
    write_ratings();
    double plain_s = measure("plain loop", parse_plainly, 0);
    measure("rows read", read_rows, plain_s);
    measure("data set loaded and split", load_data, plain_s);
    unlink(path);
    free(file);
    return 0;
}
