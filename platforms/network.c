#include "platforms/network.h"

#include <math.h>

const char *const frs_network_model_names[] = {[FRS_EXACT] = "exact", [FRS_LV08] = "lv08", NULL};

const struct frs_param frs_network_params[] = {
    {.key = "model",
        .type = FRS_CHOICE,
        .initial = "exact",
        .choices = frs_network_model_names,
        .help = "exact: latency, then bytes at full capacity; lv08: SimGrid's TCP model (13.01 latencies, 97 "
                "% of the "
                "capacity, window limits)"},
    {0},
};

/* Whole bytes per second, at least one: exact rates of shared links need integers. */
static double whole(double bytes_per_s) {
    return fmax(1, round(bytes_per_s));
}

struct frs_client_link frs_network_client(const struct frs_network *network, uint64_t seed, uint32_t client) {
    return (struct frs_client_link){
        .down_bytes_per_s = whole(frs_law_draw(&network->downlink, seed, client, FRS_RNG_DOWNLINK)),
        .up_bytes_per_s = whole(frs_law_draw(&network->uplink, seed, client, FRS_RNG_UPLINK)),
        .latency_s = frs_law_draw(&network->latency, seed, client, FRS_RNG_LATENCY),
    };
}

struct frs_client_link frs_network_median(const struct frs_network *network) {
    return (struct frs_client_link){
        .down_bytes_per_s = frs_law_median(&network->downlink),
        .up_bytes_per_s = frs_law_median(&network->uplink),
        .latency_s = frs_law_median(&network->latency),
    };
}
