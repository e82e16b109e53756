/* A small section table with everything the loader has to handle, and scenario files for it. */
#ifndef FRS_TESTS_SIM_SCENARIO_FIXTURE_H
#define FRS_TESTS_SIM_SCENARIO_FIXTURE_H

#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define END                                                                                                  \
    { .key = NULL }
#define PARAM(name, kind, value, ...)                                                                        \
    { .key = name, .type = kind, .initial = value, .help = "Help.", __VA_ARGS__ }

static const struct frs_param top_params[] = {
    PARAM("seed", FRS_INT, "1", .min = 0, .max = 9007199254740992.0), END};

static const struct frs_param fedmf_params[] = {PARAM("dim", FRS_INT, "32", .min = 1, .max = 512),
    PARAM("momentum", FRS_REAL, "0", .min = 0, .max = 1), END};
static const struct frs_param colr_params[] = {PARAM("dim", FRS_INT, "16", .min = 1, .max = 256),
    PARAM("rank", FRS_INT, "4", .min = 1, .max = 64),
    PARAM("catchup", FRS_CHOICE, "cheapest",
        .choices = (const char *const[]){"ideal", "full", "cheapest", NULL}),
    END};
static const struct frs_plugin fedmf = {
    "fedmf", "Federated matrix factorisation.", "Chai 2019", fedmf_params};
static const struct frs_plugin colr = {"colr", "Low-rank updates.", "Nguyen 2024", colr_params};
static const struct frs_plugin popular = {"popular", "No training.", NULL, NULL};
static const struct frs_family learners = {
    "learner", "What is trained.", (const struct frs_plugin *const[]){&fedmf, &colr, &popular, NULL}, false};
static const struct frs_param method_params[] = {
    PARAM("lr", FRS_REAL, "0.1", .min = 0, .max = INFINITY), END};

static const struct frs_param constant_params[] = {
    PARAM("value", FRS_QUANTITY, "1 MB/s", .dimension = FRS_RATE, .min = 1, .max = 1e12), END};
static const struct frs_param lognormal_params[] = {
    PARAM("median", FRS_QUANTITY, "1 MB/s", .dimension = FRS_RATE, .min = 1, .max = 1e12),
    PARAM("sigma", FRS_REAL, "1", .min = 0, .max = 5), END};
static const struct frs_plugin constant = {"constant", "The same for all.", NULL, constant_params};
static const struct frs_plugin lognormal = {"lognormal", "Log-normal.", NULL, lognormal_params};
static const struct frs_family distributions = {"distribution", "How values are spread.",
    (const struct frs_plugin *const[]){&constant, &lognormal, NULL}, true};

static const struct frs_preset fieldguide = {{"fieldguide", "Two classes of clients.", "Wang 2021", NULL},
    (const char *const[][2]){{"network.downlink.distribution", "lognormal"},
        {"network.downlink.median", "750 kB/s"}, {"network.downlink.sigma", "0.5"},
        {"network.uplink", "250 kB/s"}, {"devices.overhead", "10 s"}, {NULL, NULL}}};
static const struct frs_preset lab = {{"lab", "One switch.", NULL, NULL},
    (const char *const[][2]){{"network.downlink", "1 Gbit/s"}, {NULL, NULL}}};
static const struct frs_preset_family networks = {
    "network-preset", "Measured networks.", (const struct frs_preset *const[]){&fieldguide, &lab, NULL}};

static const struct frs_param network_params[] = {
    PARAM("model", FRS_CHOICE, "exact", .choices = (const char *const[]){"exact", "lv08", NULL}), END};
static const struct frs_param devices_params[] = {
    PARAM("overhead", FRS_QUANTITY, "0 s", .dimension = FRS_TIME, .min = 0, .max = 3600),
    PARAM("strict", FRS_BOOL, "false", .min = 0), PARAM("note", FRS_TEXT, "", .min = 0), END};
static const struct frs_param rounds_params[] = {PARAM("count", FRS_INT, "10", .min = 1, .max = 100000),
    PARAM("cohort", FRS_SHARE, "100 %", .min = 0),
    PARAM("metrics", FRS_LIST, "hr", .choices = (const char *const[]){"hr", "ndcg", "mae", NULL}), END};
static const struct frs_param codec_params[] = {PARAM("bits", FRS_INT, "32", .min = 1, .max = 32), END};
static const struct frs_param output_params[] = {PARAM("directory", FRS_TEXT, NULL, .min = 0), END};

#define COMMON_SECTIONS                                                                                      \
    {.path = "", .help = "Top.", .params = top_params},                                                      \
        {.path = "codec.uplink", .help = "Coding.", .params = codec_params},                                 \
        {.path = "network", .help = "Links.", .params = network_params, .presets = &networks},               \
        {.path = "network.downlink",                                                                         \
            .help = "Down.",                                                                                 \
            .family = &distributions,                                                                        \
            .selector = "distribution",                                                                      \
            .initial = "constant",                                                                           \
            .shorthand = "value"},                                                                           \
        {.path = "network.uplink",                                                                           \
            .help = "Up.",                                                                                   \
            .family = &distributions,                                                                        \
            .selector = "distribution",                                                                      \
            .initial = "constant",                                                                           \
            .shorthand = "value"},                                                                           \
        {.path = "devices", .help = "Devices.", .params = devices_params}, {                                 \
        .path = "rounds", .help = "Rounds.", .params = rounds_params                                         \
    }

/* Nothing has to be given. */
static const struct frs_section fixture[] = {COMMON_SECTIONS,
    {.path = "method",
        .help = "Method.",
        .params = method_params,
        .family = &learners,
        .selector = "name",
        .initial = "fedmf"},
    {.path = NULL}};

/* A method and a folder have to be given. */
static const struct frs_section fixture_strict[] = {COMMON_SECTIONS,
    {.path = "method", .help = "Method.", .params = method_params, .family = &learners, .selector = "name"},
    {.path = "output", .help = "Output.", .params = output_params}, {.path = NULL}};

/* Writes `text` as `name` into a new folder that becomes the working directory of the process, so that
 * messages begin with a plain file name. */
static inline void fixture_write(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    FRS_INVARIANT(file, "cannot write %s", name);
    fputs(text, file);
    fclose(file);
}

static char fixture_folder[] = "/tmp/frs-test-XXXXXX";

static inline void fixture_enter(void) {
    FRS_INVARIANT(mkdtemp(fixture_folder) && chdir(fixture_folder) == 0, "cannot make a folder");
}

static inline void fixture_leave(void) {
    char *command = frs_format("rm -rf %s", fixture_folder);
    FRS_INVARIANT(chdir("/") == 0 && system(command) == 0, "cannot remove %s", fixture_folder);
    free(command);
}

/* All lines of an error list, joined by newlines. */
static inline char *fixture_lines(const struct frs_errors *errors) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < errors->n; i++) {
        char *longer = frs_format("%s%s%s", text, i ? "\n" : "", errors->lines[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* Loads s.cfg with this content; `sets` ends with NULL or is NULL. */
static inline enum frs_status fixture_load(const struct frs_section *sections, const char *text,
    const char *const *sets, struct frs_scenario **out, struct frs_errors *errors) {
    size_t n = 0;
    while (sets && sets[n])
        n++;
    fixture_write("s.cfg", text);
    return frs_scenario_load(sections, "s.cfg", sets, n, out, errors);
}

#endif
