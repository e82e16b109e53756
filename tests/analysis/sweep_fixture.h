/* A sweep written by hand: loss {none; "50 %, late"} × method {fedmf, colr}, three replicates, compared with
 * loss=none. The runs of CoLR under loss are not all there. */
#ifndef FRS_TESTS_ANALYSIS_SWEEP_FIXTURE_H
#define FRS_TESTS_ANALYSIS_SWEEP_FIXTURE_H

#include "tests/analysis/fixture.h"

static const double fake_hr[4][3] = {
    {0.50, 0.52, 0.54}, {0.40, 0.42, 0.44}, {0.49, 0.50, 0.54}, {0.38, 0.39, 0.41}};

/* HR@10 of the second round is 0.1 below that of the third; popularity has 0.40. */
static inline struct fake_run fake_point(size_t cell, size_t replicate) {
    return (struct fake_run){.seed = 10 + replicate,
        .hr = {fake_hr[cell][replicate - 1] - 0.1, fake_hr[cell][replicate - 1]},
        .round_s = cell % 2 ? 30 + (double)replicate : 60,
        .popularity = 0.4,
        .bytes = cell % 2 ? 250000 : 1000000,
        .lost_bytes = cell < 2 ? 0 : 600000};
}

static inline void write_fake_plan(const char *folder, const char *more) {
    static const char *const labels[4] = {
        "\"none\", \"fedmf\"", "\"none\", \"colr\"", "\"50 %, late\", \"fedmf\"", "\"50 %, late\", \"colr\""};
    char *name = frs_format("%s/plan.json", folder);
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
        "{\"format\": \"fedrecsim-plan-2\", \"name\": \"study\", \"version\": \"0\",\n"
        "\"axes\": [{\"name\": \"loss\", \"levels\": [\"none\", \"50 %%, late\"]},"
        " {\"name\": \"method\", \"levels\": [\"fedmf\", \"colr\"]}],\n\"replicates\": 3, \"metrics\": "
        "[\"hr@10\", "
        "\"simulated_s\", \"bytes.wasted\", \"bytes.dwn\"], %s,\n\"settings\": {}, \"points\": [",
        more);
    for (size_t i = 0; i < 12; i++)
        fprintf(file,
            "%s\n{\"index\": %zu, \"cell\": %zu, \"levels\": [%s], \"replicate\": %zu, \"seed\": %zu,"
            " \"hash\": \"h%zu\", \"settings\": {}}",
            i ? "," : "", i, i / 3, labels[i / 3], i % 3 + 1, 10 + i % 3 + 1, i);
    fputs("]}\n", file);
    ck_assert_int_eq(fclose(file), 0);
    free(name);
}

static inline void write_fake_point(const char *folder, size_t i) {
    char *path = frs_format("%s/points/%04zu", folder, i), *hash = frs_format("h%zu", i);
    struct fake_run run = fake_point(i / 3, i % 3 + 1);
    run.hash = hash;
    write_fake_run(path, &run);
    free(path);
    free(hash);
}

/* Points 0 to 9; 10 has failed, 11 was never run. */
static inline void write_fake_sweep(const char *folder) {
    char *points = frs_format("%s/points", folder), *log = frs_format("%s/points/0010.log", folder);
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    ck_assert_int_eq(mkdir(points, 0777), 0);
    write_fake_plan(folder,
        "\"baseline\": \"loss=none\", \"early_stop\": null, \"target\": {\"metric\": \"hr@10\", "
        "\"comparison\": \">=\", \"non_federated\": \"popularity\", \"value\": 0.1}");
    for (size_t i = 0; i < 10; i++)
        write_fake_point(folder, i);
    write_file(log, "round 1/3\nfedrecsim: the loss of client 4 is not finite\n\n");
    free(points);
    free(log);
}

#endif
