#include "platforms/networks/network.h"
#include "sim/base/numbers/rng.h"

#include <math.h>

/* Whole bytes per second, at least one; an unlimited link stays so. */
static double whole(double bytes_per_s) {
    return fmax(1, round(bytes_per_s));
}

/* A client's place: its row of a file, its class, and its quantile there or among all, as the distribution
 * in question needs. */
struct place {
    const struct frs_fleet_row *row;
    size_t class;
    double within, overall;
};

static struct place place_of(const struct frs_network *network, uint64_t seed, uint32_t client) {
    struct place place = {.overall = network->dealt ? network->dealt[client]
                                                    : frs_network_quantile(network->fleet, seed, client)};
    place.row = network->fleet ? frs_fleet_of(network->fleet, seed, client) : NULL;
    if (place.row && network->fleet->n_classes > 0) {
        place.class = place.row->class;
        place.within = place.overall;
    } else if (network->classes.n > 0)
        place.class = frs_classes_pick(&network->classes, place.overall, &place.within);
    return place;
}

static const struct frs_distribution *distribution_of(
    const struct frs_network *network, const struct place *place, enum frs_link_distribution which) {
    return network->by_class[which] ? &network->class_distributions[place->class][which]
                                    : &network->distributions[which];
}

static const enum frs_fleet_figure figures[FRS_LINK_DISTRIBUTIONS] = {
    [FRS_DISTRIBUTION_DOWN] = FRS_FLEET_DOWN,
    [FRS_DISTRIBUTION_UP] = FRS_FLEET_UP,
    [FRS_DISTRIBUTION_LATENCY] = FRS_FLEET_LATENCY};

static double rate_factor(const struct frs_network *network, enum frs_direction direction) {
    return network->bandwidth_factor * network->direction_factors[direction] * network->payload_share;
}

/* What the trace calls the client. */
static uint32_t traced_number(const struct frs_network *network, uint64_t seed, uint32_t client) {
    return network->trace.by_class ? (uint32_t)frs_network_class_number(network, seed, client)
                                   : frs_fleet_traced(network->fleet, seed, client);
}

/* The class ties the three distributions together; the correlation ties the quantiles within it. */
static double bytes_per_s(const struct frs_network *network, uint64_t seed, uint32_t client,
    const struct place *place, enum frs_direction direction) {
    enum frs_link_distribution which =
        direction == FRS_DIRECTION_DOWN ? FRS_DISTRIBUTION_DOWN : FRS_DISTRIBUTION_UP;
    double u = network->by_class[which] ? place->within : place->overall;
    double traced = frs_client_trace_rate(
        &network->trace, direction == FRS_DIRECTION_UP, seed, client, traced_number(network, seed, client));
    if (!isnan(traced))
        return traced * rate_factor(network, direction);
    if (frs_fleet_has(network->fleet, figures[which]))
        return place->row->values[figures[which]] * rate_factor(network, direction);
    if (direction == FRS_DIRECTION_UP)
        u = frs_quantile_correlate(frs_quantile_draw(seed, client, FRS_RNG_UPLINK), u, network->correlation);
    return frs_distribution_quantile(distribution_of(network, place, which), u) *
           rate_factor(network, direction);
}

static double latency_s(
    const struct frs_network *network, uint64_t seed, uint32_t client, const struct place *place) {
    if (frs_fleet_has(network->fleet, FRS_FLEET_LATENCY))
        return place->row->values[FRS_FLEET_LATENCY] * network->latency_factor;
    const struct frs_distribution *distribution = distribution_of(network, place, FRS_DISTRIBUTION_LATENCY);
    if (network->latency_correlation == 0)
        return frs_distribution_draw(distribution, seed, client, FRS_RNG_LATENCY) * network->latency_factor;
    double u = network->by_class[FRS_DISTRIBUTION_LATENCY] ? place->within : place->overall;
    return frs_distribution_quantile(
               distribution, frs_quantile_correlate(frs_quantile_draw(seed, client, FRS_RNG_LATENCY), u,
                                 network->latency_correlation)) *
           network->latency_factor;
}

struct frs_client_link frs_network_client(const struct frs_network *network, uint64_t seed, uint32_t client) {
    struct place place = place_of(network, seed, client);
    return (struct frs_client_link){
        .down_bytes_per_s = whole(bytes_per_s(network, seed, client, &place, FRS_DIRECTION_DOWN)),
        .up_bytes_per_s = whole(bytes_per_s(network, seed, client, &place, FRS_DIRECTION_UP)),
        .latency_s = latency_s(network, seed, client, &place),
    };
}

size_t frs_network_class_number(const void *network, uint64_t seed, uint32_t client) {
    return place_of(network, seed, client).class;
}

bool frs_network_connects(const struct frs_network *network) {
    return network->model == FRS_TCP || network->model == FRS_PACKETS;
}

bool frs_network_loses(
    double share, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, uint32_t n) {
    if (share == 0)
        return false;
    struct frs_rng rng = frs_rng_stream(seed, client, round, attempt, FRS_RNG_PACKETS);
    frs_rng_skip_to(&rng, n);
    return frs_rng_unit(&rng) < share;
}

#define MEAN_START_S .0005 /* of the processes of an emulation; a server's are alike */

double frs_network_start_s(uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, uint32_t n) {
    struct frs_rng rng = frs_rng_stream(seed, client, round, attempt, FRS_RNG_STARTS);
    frs_rng_skip_to(&rng, n);
    return MEAN_START_S * frs_rng_exponential(&rng);
}

const char *frs_network_class(const struct frs_network *network, uint64_t seed, uint32_t client) {
    if (network->fleet && network->fleet->n_classes > 0)
        return network->fleet->classes[place_of(network, seed, client).class];
    if (network->classes.n == 0)
        return "none";
    return network->classes.presets[place_of(network, seed, client).class]->plugin.name;
}

double frs_network_quantile(const struct frs_fleet *fleet, uint64_t seed, uint32_t client) {
    double own = frs_quantile_draw(seed, client, FRS_RNG_DOWNLINK);
    return frs_fleet_has(fleet, FRS_FLEET_DOWN) ? frs_fleet_quantile(fleet, FRS_FLEET_DOWN, seed, client, own)
                                                : own;
}

static double jitter_factor(double sigma, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt,
    enum frs_purpose purpose) {
    if (sigma == 0)
        return 1;
    double u = frs_quantile_draw_in_round(seed, client, round, attempt, purpose);
    return frs_lognormal_factor(sigma, u);
}

static double jitter_of(const struct frs_network *network, const struct place *place, enum frs_jitter which) {
    return network->jitter_by_class[which] ? network->class_jitter[place->class][which]
                                           : network->jitter[which];
}

double frs_network_jitter(const struct frs_network *network, enum frs_jitter which) {
    double most = network->jitter_by_class[which] ? 0 : network->jitter[which];
    for (size_t i = 0; network->jitter_by_class[which] && i < network->classes.n; i++)
        most = fmax(most, network->class_jitter[i][which]);
    return most;
}

/* The client's own links, or those that it has in a state. */
static struct frs_client_link links_of(const struct frs_network *network, const struct frs_link_in_state *in,
    uint64_t seed, uint32_t client, const struct place *place) {
    struct frs_client_link links = {
        .down_bytes_per_s = bytes_per_s(network, seed, client, place, FRS_DIRECTION_DOWN),
        .up_bytes_per_s = bytes_per_s(network, seed, client, place, FRS_DIRECTION_UP),
        .latency_s = latency_s(network, seed, client, place)};
    if (!in)
        return links;
    if (in->has_preset) {
        double down = place->overall,
               up = frs_quantile_correlate(
                   frs_quantile_draw(seed, client, FRS_RNG_UPLINK), down, network->correlation),
               late = frs_quantile_correlate(
                   frs_quantile_draw(seed, client, FRS_RNG_LATENCY), down, network->latency_correlation);
        links = (struct frs_client_link){
            .down_bytes_per_s = frs_distribution_quantile(&in->distributions[FRS_DISTRIBUTION_DOWN], down) *
                                rate_factor(network, FRS_DIRECTION_DOWN),
            .up_bytes_per_s = frs_distribution_quantile(&in->distributions[FRS_DISTRIBUTION_UP], up) *
                              rate_factor(network, FRS_DIRECTION_UP),
            .latency_s = frs_distribution_quantile(&in->distributions[FRS_DISTRIBUTION_LATENCY], late) *
                         network->latency_factor};
    }
    links.down_bytes_per_s *= in->rate_factor;
    links.up_bytes_per_s *= in->rate_factor;
    links.latency_s *= in->latency_factor;
    return links;
}

static struct frs_transfer_links transfer(const struct frs_network *network,
    const struct frs_link_in_state *in, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt) {
    static const enum frs_purpose
        rate_jitter[2] = {[FRS_DIRECTION_DOWN] = FRS_RNG_JITTER_DOWN, [FRS_DIRECTION_UP] = FRS_RNG_JITTER_UP},
        latency_jitter[2] = {
            [FRS_DIRECTION_DOWN] = FRS_RNG_LATENCY_DOWN, [FRS_DIRECTION_UP] = FRS_RNG_LATENCY_UP};
    struct place place = place_of(network, seed, client);
    struct frs_client_link alone = links_of(network, in, seed, client, &place);
    struct frs_transfer_links links;
    double rate_sigma = jitter_of(network, &place, FRS_JITTER_RATE),
           latency_sigma = jitter_of(network, &place, FRS_JITTER_LATENCY);
    for (enum frs_direction i = FRS_DIRECTION_DOWN; i <= FRS_DIRECTION_UP; i++) {
        double rate = i == FRS_DIRECTION_DOWN ? alone.down_bytes_per_s : alone.up_bytes_per_s;
        links.bytes_per_s[i] =
            whole(rate * jitter_factor(rate_sigma, seed, client, round, attempt, rate_jitter[i]));
        double jittered_s =
            alone.latency_s * jitter_factor(latency_sigma, seed, client, round, attempt, latency_jitter[i]);
        links.latency_s[i] = fmin(jittered_s, frs_units_most(FRS_TIME));
    }
    return links;
}

struct frs_transfer_links frs_network_transfer(
    const struct frs_network *network, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt) {
    return transfer(network, NULL, seed, client, round, attempt);
}

struct frs_transfer_links frs_network_transfer_in_state(const struct frs_network *network, bool wifi,
    uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt) {
    return transfer(network, &network->by_state.links[wifi], seed, client, round, attempt);
}

enum frs_radio frs_network_radio(const struct frs_network *network, uint64_t seed, uint32_t client) {
    return network->radio_by_class ? network->class_radios[frs_network_class_number(network, seed, client)]
                                   : network->radio;
}

enum frs_radio frs_network_radio_in_state(
    const struct frs_network *network, bool wifi, uint64_t seed, uint32_t client) {
    const struct frs_link_in_state *in = &network->by_state.links[wifi];
    return in->has_preset ? in->radio : frs_network_radio(network, seed, client);
}

double frs_network_factor(
    const struct frs_network *network, bool up, uint64_t seed, uint32_t client, double t_s, double *until_s) {
    return frs_client_trace_factor(
        &network->trace, up, seed, client, traced_number(network, seed, client), t_s, until_s);
}

double frs_network_scaled(double capacity_bytes_per_s, double factor) {
    return factor == 0 ? 0 : whole(capacity_bytes_per_s * factor);
}

static bool is_traced(const struct frs_network *network, enum frs_link_distribution which) {
    return which != FRS_DISTRIBUTION_LATENCY &&
           frs_client_trace_has_rate(&network->trace, which == FRS_DISTRIBUTION_UP);
}

static double marginal(const struct frs_network *network, enum frs_link_distribution which, double u) {
    const struct frs_distribution *distributions[FRS_MAX_CLASSES];
    if (is_traced(network, which))
        return frs_client_trace_rate_at(&network->trace, which == FRS_DISTRIBUTION_UP, u);
    if (frs_fleet_has(network->fleet, figures[which]))
        return frs_fleet_value_at(network->fleet, figures[which], u);
    if (!network->by_class[which])
        return frs_distribution_quantile(&network->distributions[which], u);
    for (size_t i = 0; i < network->classes.n; i++)
        distributions[i] = &network->class_distributions[i][which];
    return frs_distribution_mixed_quantile(distributions, network->classes.shares, network->classes.n, u);
}

struct frs_client_link frs_network_marginals(const struct frs_network *network, double u) {
    return (struct frs_client_link){
        .down_bytes_per_s =
            whole(marginal(network, FRS_DISTRIBUTION_DOWN, u) * rate_factor(network, FRS_DIRECTION_DOWN)),
        .up_bytes_per_s =
            whole(marginal(network, FRS_DISTRIBUTION_UP, u) * rate_factor(network, FRS_DIRECTION_UP)),
        .latency_s = marginal(network, FRS_DISTRIBUTION_LATENCY, u) * network->latency_factor,
    };
}

/* As marginal(), among the clients of one class. */
static double marginal_of_class(
    const struct frs_network *network, enum frs_link_distribution which, size_t class, double u) {
    return network->by_class[which] && !frs_fleet_has(network->fleet, figures[which]) &&
                   !is_traced(network, which)
               ? frs_distribution_quantile(&network->class_distributions[class][which], u)
               : marginal(network, which, u);
}

static double floored_of_class(const struct frs_network *network, size_t class, double sigma) {
    enum { CLIENTS = 1000 }; /* stand for all, evenly spaced */
    double sum = 0;
    for (size_t i = 0; i < CLIENTS && sigma > 0; i++)
        for (int up = 0; up < 2; up++) {
            enum frs_link_distribution which = up ? FRS_DISTRIBUTION_UP : FRS_DISTRIBUTION_DOWN;
            double u = ((double)i + 0.5) / CLIENTS;
            double factor = rate_factor(network, up ? FRS_DIRECTION_UP : FRS_DIRECTION_DOWN);
            double capacity = whole(marginal_of_class(network, which, class, u) * factor);
            sum += frs_normal_share(sigma / 2 - log(capacity) / sigma);
        }
    return sum / (2 * CLIENTS);
}

double frs_network_floored(const struct frs_network *network) {
    if (!network->by_class[FRS_DISTRIBUTION_DOWN] && !network->by_class[FRS_DISTRIBUTION_UP] &&
        !network->jitter_by_class[FRS_JITTER_RATE])
        return floored_of_class(network, 0, network->jitter[FRS_JITTER_RATE]);
    double sum = 0;
    for (size_t class = 0; class < network->classes.n; class ++)
        sum += network->classes.shares[class] * floored_of_class(network, class,
                                                    network->jitter_by_class[FRS_JITTER_RATE]
                                                        ? network->class_jitter[class][FRS_JITTER_RATE]
                                                        : network->jitter[FRS_JITTER_RATE]);
    return sum;
}
