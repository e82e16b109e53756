/* Run directories and sweeps written by hand. */
#ifndef FRS_TESTS_ANALYSIS_FIXTURE_H
#define FRS_TESTS_ANALYSIS_FIXTURE_H

#include "analysis/read/files.h"
#include "tests/folder.h"

#include <math.h>
#include <stdint.h>
#include <sys/stat.h>

static inline char *read_file(const char *name) {
    char *text;
    enum frs_status status = frs_contents_read(name, &text, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    return text;
}

/* A run of three rounds that end at `round_s`, 2·round_s and 3·round_s, each with `bytes` down and as many
 * up. It is evaluated after the second and third round: hr[0] and hr[1]. */
struct fake_run {
    uint64_t seed;
    double hr[2], round_s, popularity;
    unsigned bytes, connecting;                      /* connecting: each way */
    const char *hash, *status, *protocol, *settings; /* NULL: "h", "complete", "honest", none */
    unsigned unavailable;                            /* calls that reached no client */
    unsigned lost_bytes;                             /* wasted, by cause "device" */
    const char *data;                                /* more of the manifest's "data"; NULL: none */
    const char *set;     /* what --set had set, as members of an object; NULL: nothing */
    const char *summary; /* more of summary.json, as members of an object; NULL: nothing */
    const char *trusted; /* emulated: whether its times are, "true" or "false"; NULL: simulated */
};

static inline void write_fake_rounds(const char *folder, const struct fake_run *run) {
    char *name = frs_format("%s/rounds.csv", folder);
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs("round,lost,end_s,duration_s,selected,down_bytes,up_bytes,setup_down_bytes,setup_up_bytes,path_"
          "down_s,path_compute_s,path_up_s,"
          "path_latency_s,path_wait_s,path_server_link_s,hr@10,rmse\n",
        file);
    for (int i = 1; i <= 3; i++) {
        fprintf(file, "%d,%s,%.15g,%.15g,10,%u,%u,%u,%u,%.15g,0,%.15g,0,0,0,", i, i == 1 ? "device" : "",
            i * run->round_s, run->round_s, run->bytes, run->bytes, run->connecting, run->connecting,
            run->round_s / 4, run->round_s / 2);
        if (i > 1)
            fprintf(file, "%.15g", run->hr[i - 2]);
        fputs(",\n", file);
    }
    ck_assert_int_eq(fclose(file), 0);
    free(name);
}

static inline void write_fake_summary(const char *folder, const struct fake_run *run) {
    char *name = frs_format("%s/summary.json", folder), waste[80] = "";
    if (run->lost_bytes)
        snprintf(waste, sizeof waste, "\"device\": {\"down_bytes\": %u}", run->lost_bytes);
    char *text = frs_format(
        "{\"status\": \"%s\", \"method\": \"colr\", \"simulated_s\": %.15g, \"rounds\": 3,\n"
        "\"bytes\": {\"down\": %u, \"up\": %u, \"setup_down\": %u, \"setup_up\": %u, \"wasted\": %u}, "
        "\"outcomes\": {\"delivered\": 30, "
        "\"unavailable\": %u},\n"
        "\"waste_by_cause\": {%s}, \"protocol\": \"%s\", \"candidates\": \"sampled\", \"training\": true,\n"
        "\"metrics\": {\"hr@10\": %.15g}, \"non_federated\": {\"popularity\": {\"hr@10\": %.15g}},\n"
        "\"machine\": {\"wall_s\": 12.5}%s%s}\n",
        run->status ? run->status : "complete", 3 * run->round_s, 3 * run->bytes, 3 * run->bytes,
        3 * run->connecting, 3 * run->connecting, run->lost_bytes, run->unavailable, waste,
        run->protocol ? run->protocol : "honest", run->hr[1], run->popularity, run->summary ? ", " : "",
        run->summary ? run->summary : "");
    write_file(name, text);
    free(name);
    free(text);
}

static inline void write_fake_run(const char *folder, const struct fake_run *run) {
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    char *name = frs_format("%s/manifest.json", folder);
    char *text =
        frs_format("{\"program\": \"fedrecsim\", \"version\": \"0\", \"seed\": %llu, \"scenario_hash\": "
                   "\"%s\",\n\"scenario\": {\"seed\": \"%llu\", \"evaluation.k\": \"10\"%s%s},\n"
                   "\"data\": {\"hash\": \"d0\"%s%s}, \"set\": {%s}%s%s%s}\n",
            (unsigned long long)run->seed, run->hash ? run->hash : "h", (unsigned long long)run->seed,
            run->settings ? ", " : "", run->settings ? run->settings : "", run->data ? ", " : "",
            run->data ? run->data : "", run->set ? run->set : "",
            run->trusted ? ", \"emulation\": {\"timing_trusted\": " : "", run->trusted ? run->trusted : "",
            run->trusted ? "}" : "");
    write_file(name, text);
    free(name);
    free(text);
    write_fake_rounds(folder, run);
    write_fake_summary(folder, run);
}

#endif
