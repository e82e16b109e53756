#include "platforms/edges/edges.h"
#include "platforms/edges/edge_failures.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EDGES 1000000

static const char *const assignment_names[] = {[FRS_EDGES_RANDOM] = "random",
    [FRS_EDGES_IN_TURN] = "in_turn",
    [FRS_EDGES_CLASS] = "class",
    [FRS_EDGES_REGION] = "region",
    NULL};

#define CAPACITY(key_, help_)                                                                                \
    {                                                                                                        \
        .key = key_, .type = FRS_QUANTITY, .dimension = FRS_RATE, .initial = "unlimited", .unlimited = true, \
        .min = 1, .max = INFINITY, .help = help_                                                             \
    }

const struct frs_param frs_edges_params[] = {
    {.key = "count",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = MOST_EDGES,
        .help =
            "number of edges between the server and the clients, all alike; an edge stores a message as a "
            "whole and then forwards it (docs/topologies.md); 0: clients talk to the server itself, or to "
            "the edges of `file`"},
    {.key = "file",
        .is_path = true,
        .type = FRS_TEXT,
        .initial = "",
        .help =
            "CSV file with a line for each edge, relative to the scenario: any of name, down_Mbit_s, "
            "up_Mbit_s, latency_ms (of its backhaul), access_down_Mbit_s, access_up_Mbit_s, speed_Gflop_s, "
            "memory_MiB, share (weight where an edge is drawn), class, region (from 1); a column that is "
            "missing is what the keys below "
            "say; any unit"},
    CAPACITY("downlink",
        "capacity of an edge's backhaul from the server (unlimited, the default, flatters edges)"),
    CAPACITY(
        "uplink", "capacity of an edge's backhaul to the server (unlimited, the default, flatters edges)"),
    {.key = "latency",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = INFINITY,
        .help =
            "latency of an edge's backhaul, one way, which every message pays beside that of the client's "
            "own link (0 s, the default, flatters edges)"},
    {.key = "packet_loss",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 0.5,
        .help =
            "under packets, share of the packets that are lost at random behind a backhaul, besides those "
            "that queues drop; network.packet_loss is that of the clients' own hop"},
    {.key = "backhaul_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "multiplies the capacities of all backhauls, wherever they come from"},
    {.key = "latency_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e6,
        .help = "multiplies the latencies of all backhauls, wherever they come from"},
    CAPACITY("access_downlink",
        "capacity that all clients of an edge share while they download from it, beside their own links"),
    CAPACITY("access_uplink",
        "capacity that all clients of an edge share while they upload to it, beside their own links"),
    {.key = "partial_sums",
        .type = FRS_BOOL,
        .initial = "false",
        .help =
            "true: an edge waits until each of its clients of a round has uploaded or is known to be lost, "
            "adds the uploads and sends one sum, where the server only adds or averages them; adding takes "
            "no time; false: it forwards every upload"},
    {.key = "assignment",
        .type = FRS_CHOICE,
        .initial = "random",
        .choices = assignment_names,
        .help =
            "which edge a client belongs to, for the whole run: random: drawn; in_turn: client i to edge i "
            "mod count; class: drawn among the edges of its class of network (column class of `file`); "
            "region: "
            "drawn among those of its region of availability.outages or random_outages (column region of "
            "`file`; without it the n-th edge is of region n, and behind the last region comes the first "
            "again)"},
    {.key = "speed",
        .type = FRS_QUANTITY,
        .dimension = FRS_SPEED,
        .initial = "unlimited",
        .unlimited = true,
        .min = 1,
        .max = INFINITY,
        .help =
            "partial_sums: how fast an edge adds uploads, two operations for each of their values, once it "
            "has them all (unlimited, the default, flatters edges)"},
    {.key = "memory",
        .type = FRS_QUANTITY,
        .dimension = FRS_BYTES,
        .initial = "unlimited",
        .unlimited = true,
        .min = 1,
        .max = INFINITY,
        .help = "memory of an edge, which has to hold the server's message and an upload of each of its "
                "clients that a round can have (with partial_sums also the sum); a run with less is refused"},
    {.key = "fails",
        .type = FRS_TEXT,
        .initial = "",
        .help =
            "failures of edges, by their numbers from 0 on and their times: \"0 at 30 s, 2 at 5 min\"; what "
            "an edge held is lost, and so are the clients of the round behind it (cause edge_failure)"},
    {.key = "mtbf",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = INFINITY,
        .help = "mean time between failures of an edge that is up, besides those of `fails`, drawn for each; "
                "0 s: none"},
    {.key = "restart",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "1 min",
        .min = 0,
        .max = 1e9,
        .help = "how long an edge is away after it has failed, in which none of its clients is selected "
                "(assumed)"},
    {0},
};

static double whole(double bytes_per_s) {
    return isinf(bytes_per_s) ? bytes_per_s : fmax(1, floor(bytes_per_s + 0.5));
}

static struct frs_edge read_edge(const struct frs_values *values) {
    return (struct frs_edge){.backhaul_bytes_per_s = {whole(frs_values_real(values, "downlink")),
                                 whole(frs_values_real(values, "uplink"))},
        .latency_s = frs_values_real(values, "latency"),
        .access_bytes_per_s = {whole(frs_values_real(values, "access_downlink")),
            whole(frs_values_real(values, "access_uplink"))},
        .flop_per_s = frs_values_real(values, "speed"),
        .memory_bytes = frs_values_real(values, "memory"),
        .share = 1};
}

static void scale(struct frs_edges *edges, double capacity, double latency) {
    for (uint32_t i = 0; i < edges->n; i++) {
        edges->list[i].latency_s *= latency;
        for (int up = 0; up < 2 && capacity != 1; up++)
            edges->list[i].backhaul_bytes_per_s[up] =
                whole(edges->list[i].backhaul_bytes_per_s[up] * capacity);
    }
}

/* `class` needs the table's column: without it no edge has a class. */
static bool check_assignment(
    const struct frs_edges *edges, const struct frs_values *values, struct frs_errors *errors) {
    if (edges->assignment != FRS_EDGES_CLASS || (edges->path && edges->list[0].class))
        return true;
    frs_values_error(values, "assignment", errors,
        "\"class\" needs edges that have one; allowed: random | in_turn, or a network.edges.file with a "
        "column "
        "class");
    return false;
}

bool frs_edges_read(
    struct frs_edges *edges, const struct frs_values *values, uint64_t seed, struct frs_errors *errors) {
    int64_t count = frs_values_int(values, "count");
    const char *path = frs_values_file(values, "file", errors);
    *edges = (struct frs_edges){0};
    if (!path)
        return false;
    if (count > 0 && *path) {
        frs_values_error(values, "count", errors,
            "network.edges.file has a line for each edge already; allowed: one of the two");
        return false;
    }
    if (count == 0 && !*path)
        return true;
    struct frs_edge like = read_edge(values);
    edges->assignment = (enum frs_edge_assignment)frs_values_choice(values, "assignment");
    edges->path = *path ? path : NULL;
    edges->partial_sums = frs_values_bool(values, "partial_sums");
    bool good = true;
    if (*path) {
        good = frs_edges_read_table(edges, path, &like, errors);
    } else {
        edges->n = (uint32_t)count;
        edges->list = frs_alloc(edges->n, sizeof *edges->list);
        for (uint32_t i = 0; i < edges->n; i++)
            edges->list[i] = like;
    }
    scale(edges, frs_values_real(values, "backhaul_factor"), frs_values_real(values, "latency_factor"));
    good = good && check_assignment(edges, values, errors);
    if (good)
        edges->failures = frs_edge_failures_read(values, edges->n, seed, &good, errors);
    if (!good)
        frs_edges_fini(edges);
    return good;
}

/* What the edges that a client is drawn from have in common. */
struct wanted {
    const char *class; /* NULL: any */
    uint32_t region;   /* 0: any */
    uint32_t regions;
};

/* Without a column the edges have the regions in turn. */
static uint32_t region_of(const struct frs_edges *edges, uint32_t edge, uint32_t regions) {
    return edges->list[edge].region > 0 ? edges->list[edge].region : 1 + edge % regions;
}

static bool serves(const struct frs_edges *edges, uint32_t edge, const struct wanted *wanted) {
    return (!wanted->class || strcmp(edges->list[edge].class, wanted->class) == 0) &&
           (wanted->region == 0 || region_of(edges, edge, wanted->regions) == wanted->region);
}

/* The sum over all edges that serve such a client. */
static double weight_of(const struct frs_edges *edges, const struct wanted *wanted) {
    double sum = 0;
    for (uint32_t i = 0; i < edges->n; i++)
        sum += serves(edges, i, wanted) ? edges->list[i].share : 0;
    return sum;
}

/* The last edge with a weight stands for a sum that rounding has left a little short. */
static uint32_t draw(
    const struct frs_edges *edges, const struct wanted *wanted, double weight, struct frs_rng *rng) {
    double at = frs_rng_unit(rng) * weight;
    uint32_t edge = 0;
    for (uint32_t i = 0; i < edges->n; i++) {
        if (!serves(edges, i, wanted))
            continue;
        edge = i;
        if (at < edges->list[i].share)
            break;
        at -= edges->list[i].share;
    }
    return edge;
}

static bool are_alike(const struct frs_edges *edges) {
    for (uint32_t i = 1; i < edges->n; i++)
        if (edges->list[i].share != edges->list[0].share)
            return false;
    return true;
}

static bool without_edge(const struct frs_values *values, uint32_t client, const struct wanted *wanted,
    struct frs_errors *errors) {
    if (wanted->class)
        frs_values_error(values, "assignment", errors,
            "client %u is of class \"%s\", and no edge is; allowed: a line of that class in "
            "network.edges.file",
            client, wanted->class);
    else
        frs_values_error(values, "assignment", errors,
            "region %u of %u has no edge; allowed: at least as many edges as regions, or a line of that "
            "region "
            "in network.edges.file",
            wanted->region, wanted->regions);
    return false;
}

static bool check_regions(const struct frs_edges *edges, const struct frs_values *values, uint32_t regions,
    struct frs_errors *errors) {
    if (edges->assignment != FRS_EDGES_REGION || regions > 0)
        return true;
    frs_values_error(values, "assignment", errors,
        "\"region\" needs outages of regions, all of one number; allowed: random | in_turn, or "
        "availability.random_outages = \"4 regions every 2 d for 1 h\", or outages of regions");
    return false;
}

bool frs_edges_settle(struct frs_edges *edges, const struct frs_values *values,
    const struct frs_edge_clients *clients, struct frs_errors *errors) {
    bool by_class = edges->assignment == FRS_EDGES_CLASS, by_region = edges->assignment == FRS_EDGES_REGION,
         alike = !by_class && !by_region && are_alike(edges);
    double all = weight_of(edges, &(struct wanted){0});
    edges->of_client = frs_alloc(clients->n, sizeof *edges->of_client);
    if (!check_regions(edges, values, clients->regions, errors))
        return false;
    for (uint32_t client = 0; client < clients->n; client++) {
        struct frs_rng rng = frs_rng_stream(clients->seed, client, 0, 0, FRS_RNG_EDGE);
        const struct wanted wanted = {
            .class = by_class ? clients->class_of(clients->network, clients->seed, client) : NULL,
            .region = by_region ? 1 + client % clients->regions : 0,
            .regions = clients->regions};
        double weight = by_class || by_region ? weight_of(edges, &wanted) : all;
        if (!(weight > 0))
            return without_edge(values, client, &wanted, errors);
        edges->of_client[client] = edges->assignment == FRS_EDGES_IN_TURN ? client % edges->n
                                   : alike                                ? frs_rng_below(&rng, edges->n)
                                           : draw(edges, &wanted, weight, &rng);
    }
    return true;
}

void frs_edges_fini(struct frs_edges *edges) {
    for (uint32_t i = 0; i < edges->n; i++) {
        free(edges->list[i].name);
        free(edges->list[i].class);
    }
    free(edges->list);
    free(edges->of_client);
    frs_edge_failures_destroy(edges->failures);
    *edges = (struct frs_edges){0};
}
