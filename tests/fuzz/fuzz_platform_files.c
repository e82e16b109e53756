/* Files of clients: fleets, sessions, states of devices, links over time, the server's, distributions, edges,
 * pairs of neighbours, the files of others that `fedrecsim import` reads, and platforms in XML. Each is
 * refused in lines, or has what its header promises.
 *
 *   a line "fleet", "sessions", "states", "links", "trace" (the server's), "values" (a distribution),
 * "edges", "neighbours", "platform", or the name of a kind of import · the file */
#include "platforms/availability/sessions.h"
#include "platforms/distributions/cdf.h"
#include "platforms/edges/edges.h"
#include "platforms/fleet/fleet.h"
#include "platforms/imports/import.h"
#include "platforms/networks/client_trace.h"
#include "platforms/networks/platform_file.h"
#include "platforms/networks/server_trace.h"
#include "platforms/peers/pairs_file.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *path;

static void check_fleet(struct frs_errors *errors) {
    static const struct frs_param params[] = {FRS_FLEET_PARAMS("..."), {0}};
    const char *const settings[] = {"fleet", path, "fleet_assignment", "sample", NULL};
    struct frs_values values = frs_values_of(params, settings);
    struct frs_fleet *fleet;
    bool read =
        frs_fleet_read(&values, FRS_FLEET_OF_LINKS | FRS_FLEET_OF_DEVICES, FRS_RNG_FLEET, &fleet, errors);
    FRS_INVARIANT(read == (errors->n == 0), "%d with %zu errors", read, errors->n);
    for (uint32_t client = 0; read && client < 20; client++) {
        const struct frs_fleet_row *row = frs_fleet_of(fleet, 1, client);
        for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++)
            FRS_INVARIANT(
                row->values[figure] >= 0 && (isfinite(row->values[figure]) || figure == FRS_FLEET_MEMORY),
                "figure %zu is %g", figure, row->values[figure]);
    }
    frs_fleet_destroy(fleet);
    frs_values_fini(&values);
}

static void check_sessions(bool with_states, struct frs_errors *errors) {
    struct frs_sessions sessions;
    struct frs_sessions_format format = {.with_states = with_states, .begin = "", .latest_s = INFINITY};
    bool read = frs_sessions_load(&sessions, path, &format, errors);
    FRS_INVARIANT(
        read == (errors->n == 0) && read == (sessions.n_clients > 0), "%d with %zu errors", read, errors->n);
    for (size_t i = 0; i < sessions.n_clients; i++)
        for (size_t k = sessions.first[i]; k < sessions.first[i + 1]; k++) {
            const struct frs_session *session = &sessions.list[k];
            FRS_INVARIANT(session->start_s >= 0 && session->end_s > session->start_s && session->end_s <= 1e9,
                "a session from %g to %g s", session->start_s, session->end_s);
        }
    frs_sessions_fini(&sessions);
}

static void check_links(enum frs_trace_end ends, struct frs_errors *errors) {
    struct frs_client_trace trace;
    bool read = frs_client_trace_read(path, ends, &trace, errors);
    FRS_INVARIANT(read == (errors->n == 0), "%d with %zu errors", read, errors->n);
    for (int up = 0; read && up < 2; up++)
        for (double t_s = 0; t_s < 100; t_s += 7) {
            double until_s, factor = frs_client_trace_factor(&trace, up, 1, 0, 0, t_s, &until_s);
            FRS_INVARIANT(factor >= 0 && isfinite(factor) && until_s > t_s, "factor %g until %g at %g s",
                factor, until_s, t_s);
        }
    frs_client_trace_fini(&trace);
}

static void check_server(struct frs_errors *errors) {
    struct frs_server_trace trace;
    bool read = frs_server_trace_read(path, &trace, errors);
    FRS_INVARIANT(read == (errors->n == 0), "%d with %zu errors", read, errors->n);
    for (enum frs_server_figure figure = 0; read && figure < FRS_SERVER_FIGURES; figure++)
        for (double t_s = 0; trace.has[figure] && t_s < 100; t_s += 7) {
            double until_s, share = frs_server_trace_factor(&trace, figure, t_s, &until_s);
            struct frs_trace_extent extent = frs_trace_extent(&trace.factors[figure]);
            FRS_INVARIANT(
                share >= 0 && share <= 1 && until_s > t_s, "%g until %g at %g s", share, until_s, t_s);
            FRS_INVARIANT(extent.least >= 0 && extent.mean >= extent.least * (1 - 1e-9) &&
                              extent.mean <= 1 + 1e-9 && extent.most == 1,
                "%g to %g, mean %g", extent.least, extent.most, extent.mean);
        }
    frs_server_trace_fini(&trace);
}

static void check_values(struct frs_errors *errors) {
    struct frs_cdf cdf;
    bool read = frs_cdf_read(path, FRS_RATE, 1, &cdf, errors);
    FRS_INVARIANT(read == (errors->n == 0), "%d with %zu errors", read, errors->n);
    for (int i = 0; read && i <= 10; i++) {
        double value = frs_cdf_quantile(&cdf, i / 10.0);
        FRS_INVARIANT(value >= 1 && isfinite(value), "quantile %d is %g", i, value);
    }
    frs_cdf_fini(&cdf);
}

static void check_edges(struct frs_errors *errors) {
    static const struct frs_edge like = {.backhaul_bytes_per_s = {1e6, 1e6},
        .access_bytes_per_s = {INFINITY, INFINITY},
        .share = 1,
        .flop_per_s = INFINITY,
        .memory_bytes = INFINITY};
    struct frs_edges edges = {0};
    bool read = frs_edges_read_table(&edges, path, &like, errors);
    FRS_INVARIANT(read == (errors->n == 0), "%d with %zu errors", read, errors->n);
    for (uint32_t i = 0; read && i < edges.n; i++) {
        const struct frs_edge *edge = &edges.list[i];
        FRS_INVARIANT(edge->latency_s >= 0 && isfinite(edge->latency_s) && edge->share > 0 &&
                          edge->flop_per_s > 0 && edge->memory_bytes >= 0,
            "edge %u: latency %g, share %g, %g flop/s, %g bytes", i, edge->latency_s, edge->share,
            edge->flop_per_s, edge->memory_bytes);
        for (int up = 0; up < 2; up++)
            FRS_INVARIANT(edge->backhaul_bytes_per_s[up] >= 1 && edge->access_bytes_per_s[up] >= 1,
                "edge %u: %g and %g bytes/s", i, edge->backhaul_bytes_per_s[up],
                edge->access_bytes_per_s[up]);
    }
    frs_edges_fini(&edges);
}

static void check_neighbours(struct frs_errors *errors) {
    uint32_t *pairs = NULL;
    size_t n = 0;
    bool read = frs_pairs_file_read(path, 20, &pairs, &n, errors);
    FRS_INVARIANT(read == (errors->n == 0), "%d with %zu errors", read, errors->n);
    for (size_t i = 0; read && i < n; i++)
        FRS_INVARIANT(pairs[2 * i] < 20 && pairs[2 * i + 1] < 20 && pairs[2 * i] != pairs[2 * i + 1],
            "pair %zu: %u and %u", i, pairs[2 * i], pairs[2 * i + 1]);
    free(pairs);
}

static void check_platform(struct frs_errors *errors) {
    enum frs_status status = frs_platform_file_check(path, errors);
    FRS_INVARIANT((status == FRS_OK) == (errors->n == 0), "%d with %zu errors", status, errors->n);
}

static void check_import(const struct frs_import_kind *kind, struct frs_errors *errors) {
    char *paths[] = {(char *)path}, *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    bool ok = frs_import_write(kind, paths, 1, false, 1, out, errors);
    fclose(out);
    FRS_INVARIANT(ok == (errors->n == 0), "%d with %zu errors", ok, errors->n);
    bool is_trace = kind->target == FRS_IMPORT_TRACE;
    FRS_INVARIANT(!ok || (n > 0 && strlen(text) == n), "%zu bytes are no text", n);
    FRS_INVARIANT(!ok || !is_trace || (!strstr(text, ",nan") && !strstr(text, ",inf") && !strstr(text, ",-")),
        "not finite: %s", text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct fuzz_file file;
    char name[32];
    struct frs_errors errors = {0};
    if (!fuzz_take_line(&data, &size, name, sizeof name))
        return 0;
    path = fuzz_file_write(&file, data, size);
    const struct frs_import_kind *kind = frs_import_kind_of(name);
    if (kind)
        check_import(kind, &errors);
    else if (*name == 'f')
        check_fleet(&errors);
    else if (*name == 's')
        check_sessions(strcmp(name, "states") == 0, &errors);
    else if (*name == 't')
        check_server(&errors);
    else if (*name == 'v')
        check_values(&errors);
    else if (*name == 'e')
        check_edges(&errors);
    else if (*name == 'n')
        check_neighbours(&errors);
    else if (*name == 'p')
        check_platform(&errors);
    else
        check_links((enum frs_trace_end)(size % 3), &errors);
    for (size_t i = 0; i < errors.n; i++)
        FRS_INVARIANT(*errors.lines[i], "an empty error");
    frs_errors_clear(&errors);
    return 0;
}
