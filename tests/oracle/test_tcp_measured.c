/* The closed form of network.model = "tcp" against rounds of the kernel's TCP over emulated links (CUBIC, queues of
 * 0.2 s, medians of three repeats). Rates there are the line's: 1448 of 1526 bytes in a packet are payload. */
#include "actors/ramp.h"
#include "platforms/networks/connection.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 500, N_FIELDS = 21 };

/* One round of one configuration: when its slowest client ended, as measured and by the formula. */
struct round {
    char configuration[128], number[8];
    double measured_s, formula_s;
};

/* Columns of the file that matter here. */
enum { CONFIGURATION, FAMILY, SETUP = 6, SERVER_DOWN, SERVER_UP, ROUND, DOWN = 11, UP, LATENCY, COMPUTE };
enum { DOWN_BYTES = 15, UP_BYTES, UP_END = 19 };

static double payload_rate(const char *line_rate) {
    return atof(line_rate) * 1448 / 1526;
}

static double setup_s(char *const *fields) {
    bool tls = strcmp(fields[SETUP], "tls") == 0;
    double latency_s = atof(fields[LATENCY]);
    if (strcmp(fields[SETUP], "none") == 0)
        return 0;
    const struct frs_connecting connecting = frs_connecting(tls ? FRS_CONNECTION_TLS : FRS_CONNECTION_TCP);
    return (connecting.up_latencies + connecting.down_latencies) * latency_s +
           (double)connecting.up_bytes / payload_rate(fields[UP]) +
           (double)connecting.down_bytes / payload_rate(fields[DOWN]);
}

static double participation_s(char *const *fields) {
    double latency_s = atof(fields[LATENCY]);
    return setup_s(fields) + latency_s +
           frs_ramp_duration_s(atof(fields[DOWN_BYTES]), payload_rate(fields[DOWN]), 2 * latency_s) +
           atof(fields[COMPUTE]) + latency_s +
           frs_ramp_duration_s(atof(fields[UP_BYTES]), payload_rate(fields[UP]), 2 * latency_s);
}

static bool is_of(char *const *fields, const char *family) {
    return strcmp(fields[FAMILY], family) == 0 && atof(fields[SERVER_DOWN]) == 0 &&
           atof(fields[SERVER_UP]) == 0;
}

/* Rows of a round follow each other. */
static void add_row(struct round *rounds, size_t *n, char *const *fields) {
    struct round *last = *n ? &rounds[*n - 1] : NULL;
    if (!last || strcmp(last->configuration, fields[CONFIGURATION]) != 0 ||
        strcmp(last->number, fields[ROUND]) != 0) {
        ck_assert_uint_lt(*n, MOST_ROUNDS);
        last = &rounds[(*n)++];
        *last = (struct round){0};
        snprintf(last->configuration, sizeof last->configuration, "%s", fields[CONFIGURATION]);
        snprintf(last->number, sizeof last->number, "%s", fields[ROUND]);
    }
    last->measured_s = fmax(last->measured_s, atof(fields[UP_END]));
    last->formula_s = fmax(last->formula_s, participation_s(fields));
}

static size_t read_rounds(const char *path, const char *family, struct round *rounds) {
    FILE *file = fopen(path, "r");
    char line[1024], *fields[N_FIELDS], *rest;
    size_t n = 0;
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        size_t n_fields = 0;
        for (char *field = strtok_r(line, ",\n", &rest); field; field = strtok_r(NULL, ",\n", &rest))
            if (n_fields < N_FIELDS)
                fields[n_fields++] = field;
        if (n_fields == N_FIELDS && is_of(fields, family))
            add_row(rounds, &n, fields);
    }
    fclose(file);
    return n;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Errors of the round's time, without sign. */
static void check_family(const char *family, double median, double most_of_95) {
    static struct round rounds[MOST_ROUNDS];
    double errors[MOST_ROUNDS];
    char *path = frs_test_data_file("test_tcp_measured", "../reference/tcp/rounds.csv");
    if (!path)
        return;
    size_t n = read_rounds(path, family, rounds);
    free(path);
    ck_assert_uint_gt(n, 0);
    for (size_t i = 0; i < n; i++)
        errors[i] = fabs(rounds[i].formula_s / rounds[i].measured_s - 1);
    qsort(errors, n, sizeof *errors, by_value);
    size_t at_95 = (size_t)ceil(0.95 * (double)n) - 1;
    printf("%s: %zu rounds, median %.3f %%, 95 %% within %.3f %%, worst %.3f %%\n", family, n,
        100 * errors[n / 2], 100 * errors[at_95], 100 * errors[n - 1]);
    ck_assert_double_le(errors[n / 2], median);
    ck_assert_double_le(errors[at_95], most_of_95);
}

START_TEST(test_private_links) {
    check_family("private", 0.005, 0.025);
}
END_TEST

START_TEST(test_large_messages) {
    check_family("large", 0.005, 0.025);
}
END_TEST

START_TEST(test_new_connections) {
    check_family("setup", 0.005, 0.02);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tcp as measured");
    TCase *tests = tcase_create("round times");
    tcase_add_test(tests, test_private_links);
    tcase_add_test(tests, test_large_messages);
    tcase_add_test(tests, test_new_connections);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
