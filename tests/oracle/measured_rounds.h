/* Rounds of the kernel's TCP over emulated links, where each client's times are the medians of three
 * repeats, and how to compare with them. Rates are those of the line: 1448 of 1526 bytes in a packet are
 * payload. */
#ifndef FRS_TESTS_ORACLE_MEASURED_ROUNDS_H
#define FRS_TESTS_ORACLE_MEASURED_ROUNDS_H

#include "actors/slow_start.h"
#include "platforms/networks/connection.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAYLOAD_SHARE (1448. / 1526)

enum { MOST_MEASURED_CLIENTS = 60 };

struct measured_client {
    double down_bytes_per_s, up_bytes_per_s; /* payload */
    double latency_s, compute_s, down_bytes, up_bytes;
    double up_end_s; /* since the round began */
};

struct measured_round {
    char configuration[128], family[32], number[8];
    enum frs_connection connection; /* that it opens anew */
    struct frs_connecting connecting;
    double queue_s, server_bytes_per_s[2];
    bool fair, cubic;
    size_t n;
    struct measured_client clients[MOST_MEASURED_CLIENTS];
};

/* Columns of the file. */
enum {
    M_CONFIGURATION,
    M_FAMILY,
    M_CC = 3,
    M_QUEUE,
    M_SERVER_QUEUE,
    M_SETUP,
    M_SERVER_DOWN,
    M_SERVER_UP,
    M_ROUND
};
enum {
    M_DOWN = 11,
    M_UP,
    M_LATENCY,
    M_COMPUTE,
    M_DOWN_BYTES,
    M_UP_BYTES,
    M_UP_END = 19,
    N_MEASURED_FIELDS = 21
};

static inline enum frs_connection measured_connection(const char *field) {
    return strcmp(field, "tls") == 0   ? FRS_CONNECTION_TLS
           : strcmp(field, "tcp") == 0 ? FRS_CONNECTION_TCP
                                       : FRS_CONNECTION_KEPT;
}

/* How a message is sent on a connection, where windows are not kept. */
static inline enum frs_slow_start_kind measured_slow_start(enum frs_connection connection, bool up) {
    return frs_connection_is_interactive(connection, !up) ? FRS_SLOW_START_PAIRED : FRS_SLOW_START_QUICK;
}

static inline double measured_server_rate(const char *field) {
    return atof(field) > 0 ? atof(field) * PAYLOAD_SHARE : INFINITY;
}

static inline void measured_begin(struct measured_round *round, char *const *fields) {
    *round = (struct measured_round){.queue_s = atof(fields[M_QUEUE]),
        .server_bytes_per_s = {measured_server_rate(fields[M_SERVER_DOWN]),
            measured_server_rate(fields[M_SERVER_UP])},
        .fair = strcmp(fields[M_SERVER_QUEUE], "fair") == 0,
        .cubic = strcmp(fields[M_CC], "cubic") == 0,
        .connection = measured_connection(fields[M_SETUP]),
        .connecting = frs_connecting(measured_connection(fields[M_SETUP]))};
    snprintf(round->configuration, sizeof round->configuration, "%s", fields[M_CONFIGURATION]);
    snprintf(round->family, sizeof round->family, "%s", fields[M_FAMILY]);
    snprintf(round->number, sizeof round->number, "%s", fields[M_ROUND]);
}

static inline void measured_add_client(struct measured_round *round, char *const *fields) {
    ck_assert_uint_lt(round->n, MOST_MEASURED_CLIENTS);
    round->clients[round->n++] =
        (struct measured_client){.down_bytes_per_s = atof(fields[M_DOWN]) * PAYLOAD_SHARE,
            .up_bytes_per_s = atof(fields[M_UP]) * PAYLOAD_SHARE,
            .latency_s = atof(fields[M_LATENCY]),
            .compute_s = atof(fields[M_COMPUTE]),
            .down_bytes = atof(fields[M_DOWN_BYTES]),
            .up_bytes = atof(fields[M_UP_BYTES]),
            .up_end_s = atof(fields[M_UP_END])};
}

/* All rounds of the file; rows of a round follow each other. NULL: it is not there, and the test is skipped.
 * The caller frees them. */
static inline struct measured_round *measured_rounds(const char *test, size_t *n) {
    char *path = frs_test_data_file(test, "../reference/tcp/rounds.csv");
    struct measured_round *rounds = NULL;
    char line[1024], *fields[N_MEASURED_FIELDS], *rest;
    size_t capacity = 0;
    *n = 0;
    if (!path)
        return NULL;
    FILE *file = fopen(path, "r");
    free(path);
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        size_t n_fields = 0;
        for (char *field = strtok_r(line, ",\n", &rest); field; field = strtok_r(NULL, ",\n", &rest))
            if (n_fields < N_MEASURED_FIELDS)
                fields[n_fields++] = field;
        ck_assert_uint_eq(n_fields, N_MEASURED_FIELDS);
        const struct measured_round *last = *n ? &rounds[*n - 1] : NULL;
        if (!last || strcmp(last->configuration, fields[M_CONFIGURATION]) != 0 ||
            strcmp(last->number, fields[M_ROUND]) != 0) {
            rounds = frs_grow(rounds, *n + 1, &capacity, sizeof *rounds);
            measured_begin(&rounds[(*n)++], fields);
        }
        measured_add_client(&rounds[*n - 1], fields);
    }
    fclose(file);
    return rounds;
}

/* Sorts the values. Straight lines between them. */
static inline double measured_quantile(double *values, size_t n, double share) {
    qsort(values, n, sizeof *values, frs_compare_doubles);
    double place = share * (double)(n - 1);
    size_t before = (size_t)place, after = before + 1 < n ? before + 1 : before;
    return values[before] + (values[after] - values[before]) * (place - (double)before);
}

/* Errors without sign, against what they may be: half of them, and 95 in 100. */
static inline void measured_check(
    const char *what, double *errors, size_t n, double median, double most_of_95) {
    ck_assert_uint_gt(n, 0);
    double middle = measured_quantile(errors, n, 0.5), high = measured_quantile(errors, n, 0.95);
    printf("%s: %zu, median %.3f %%, 95 %% within %.3f %%, worst %.3f %%\n", what, n, 100 * middle,
        100 * high, 100 * errors[n - 1]);
    ck_assert_double_le(middle, median);
    ck_assert_double_le(high, most_of_95);
}

#endif
