#include "platforms/availability/random_outages.h"
#include "platforms/chains/two_state.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REGIONS = 1000000 };
#define LEAST_S 1e-3

/* A time between two words, or after the last one. */
static bool read_time(char *text, double *time_s) {
    text += strspn(text, " \t\n");
    for (size_t length = strlen(text); length > 0 && strchr(" \t\n", text[length - 1]); length--)
        text[length - 1] = '\0';
    return frs_units_parse(text, FRS_TIME, time_s) == FRS_OK && *time_s >= LEAST_S;
}

static bool read(char *text, struct frs_random_outages *outages) {
    char *every = strstr(text, " every "), *for_how_long = every ? strstr(every, " for ") : NULL;
    char word[16];
    unsigned regions;
    int end = 0;
    if (!for_how_long)
        return false;
    *every = *for_how_long = '\0';
    if (sscanf(text, " %7u %15[a-z] %n", &regions, word, &end) != 2 || text[end] || regions < 1 ||
        regions > MOST_REGIONS || strcmp(word, regions == 1 ? "region" : "regions") != 0)
        return false;
    outages->regions = regions;
    return read_time(every + strlen(" every "), &outages->every_s) &&
           read_time(for_how_long + strlen(" for "), &outages->for_s);
}

bool frs_random_outages_read(struct frs_random_outages *outages, const struct frs_values *values,
    uint64_t seed, struct frs_errors *errors) {
    const char *text = frs_values_text(values, "random_outages");
    *outages = (struct frs_random_outages){.seed = seed};
    if (!text[strspn(text, " \t\n")])
        return true;
    char *copy = frs_strdup(text);
    bool good = read(copy, outages);
    free(copy);
    if (good)
        return true;
    *outages = (struct frs_random_outages){0};
    frs_values_error(values, "random_outages", errors,
        "\"%s\" is not understood; allowed: \"4 regions every 2 d for 1 h\", from 1 to %d regions, times of "
        "at "
        "least 1 ms",
        text, MOST_REGIONS);
    return false;
}

bool frs_random_outages_at(
    const struct frs_random_outages *outages, uint32_t client, double t_s, double *until_s) {
    *until_s = INFINITY;
    if (outages->regions == 0)
        return true;
    double back[3] = {1 / outages->for_s, 0, 1}, cut[3] = {1 / outages->every_s, 0, 1};
    struct frs_two_state chain = {
        .online = {.n = 1, .piece_s = outages->for_s, .per_s = &back[0], .cumulative = &back[1]},
        .offline = {.n = 1, .piece_s = outages->every_s, .per_s = &cut[0], .cumulative = &cut[1]},
        .initial_share = outages->every_s / (outages->every_s + outages->for_s),
        .seed = outages->seed,
        .streams = {FRS_RNG_RECONNECTS, FRS_RNG_CUT_OFF, FRS_RNG_STARTS_CUT}};
    return frs_two_state_at(&chain, client % outages->regions, 0, t_s, until_s);
}
