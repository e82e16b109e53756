#include "platforms/networks/by_state.h"
#include "platforms/presets/presets.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>
#include <string.h>

enum on_change { ON_CHANGE_BREAK, ON_CHANGE_GO_ON };
static const char *const on_change_names[] = {[ON_CHANGE_BREAK] = "break", [ON_CHANGE_GO_ON] = "go_on", NULL};

#define LINK(name, where)                                                                                    \
    {.key = name,                                                                                            \
        .type = FRS_TEXT,                                                                                    \
        .initial = "",                                                                                       \
        .help = "preset of the links that clients have on " where " (fedrecsim list network), with its "     \
                "radio; empty: those of the section network"},                                               \
        {.key = name "_factor",                                                                              \
            .type = FRS_REAL,                                                                                \
            .initial = "1",                                                                                  \
            .min = 1e-6,                                                                                     \
            .max = 1e6,                                                                                      \
            .help = "multiplies every client's downlink and uplink on " where},                              \
    {                                                                                                        \
        .key = name "_latency_factor", .type = FRS_REAL, .initial = "1", .min = 0, .max = 1e6,               \
        .help = "multiplies every client's latency on " where                                                \
    }

const struct frs_param frs_by_state_params[] = {
    LINK("wifi", "Wi-Fi"),
    LINK("metered", "a metered network"),
    {.key = "on_change",
        .type = FRS_CHOICE,
        .initial = "break",
        .choices = on_change_names,
        .help = "a client's link changes: break (its address does, too, and connections break, as TCP's do: "
                "the message under way as failures.retry says, and the next one needs a new connection), "
                "go_on (at the rate of the new link, as connections that can migrate do)"},
    {0},
};

static bool read_preset(struct frs_link_in_state *link, const struct frs_values *values, const char *key,
    struct frs_errors *errors) {
    static const char *const sections[] = {"network.downlink", "network.uplink", "network.latency"};
    const char *name = frs_values_text(values, key);
    const struct frs_preset *const *preset = frs_network_presets;
    if (!*name)
        return true;
    while (*preset && strcmp((*preset)->plugin.name, name) != 0)
        preset++;
    if (!*preset) {
        frs_values_error(values, key, errors,
            "there is no preset \"%s\"; allowed: those of `fedrecsim list network`, or \"\"", name);
        return false;
    }
    if (frs_preset_setting(*preset, "network.classes")) {
        frs_values_error(values, key, errors,
            "\"%s\" is a mixture of classes, and one link is wanted; allowed: a preset of one", name);
        return false;
    }
    link->has_preset = true;
    for (size_t i = 0; i < FRS_LINK_DISTRIBUTIONS; i++)
        frs_preset_distribution(*preset, sections[i],
            i == FRS_DISTRIBUTION_LATENCY ? frs_time_distributions : frs_rate_distributions,
            &link->distributions[i]);
    const char *radio = frs_preset_setting(*preset, "network.radio");
    for (enum frs_radio i = 0; radio && i < FRS_N_RADIOS; i++)
        if (strcmp(frs_radio_names[i], radio) == 0)
            link->radio = i;
    return true;
}

bool frs_by_state_read(
    struct frs_by_state *by_state, const struct frs_values *values, struct frs_errors *errors) {
    static const char *const keys[] = {"metered", "wifi"};
    bool good = true;
    *by_state = (struct frs_by_state){
        .follows = true, .breaks = frs_values_choice(values, "on_change") == ON_CHANGE_BREAK};
    for (int wifi = 0; wifi < 2; wifi++) {
        struct frs_link_in_state *link = &by_state->links[wifi];
        char *rate = frs_format("%s_factor", keys[wifi]),
             *latency = frs_format("%s_latency_factor", keys[wifi]);
        good = read_preset(link, values, keys[wifi], errors) && good;
        link->rate_factor = frs_values_real(values, rate);
        link->latency_factor = frs_values_real(values, latency);
        by_state->differs |= link->has_preset || link->rate_factor != 1 || link->latency_factor != 1;
        free(rate);
        free(latency);
    }
    if (!good)
        frs_by_state_fini(by_state);
    return good;
}

void frs_by_state_fini(struct frs_by_state *by_state) {
    for (int wifi = 0; wifi < 2; wifi++)
        for (size_t i = 0; by_state->links[wifi].has_preset && i < FRS_LINK_DISTRIBUTIONS; i++)
            frs_distribution_fini(&by_state->links[wifi].distributions[i]);
    *by_state = (struct frs_by_state){0};
}
