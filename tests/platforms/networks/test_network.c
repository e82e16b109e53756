/* Networks: links per client, classes, correlation, jitter, the server's link; what is refused. */
#include "tests/platforms/network_fixture.h"

#include <math.h>

enum { N = 20000 };

/* Spearman's rank correlation of two columns: ranks by sorting. */
static const double *sort_by;

static int by_value(const void *a, const void *b) {
    double x = sort_by[*(const uint32_t *)a], y = sort_by[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

static double spearman(const double *a, const double *b) {
    static double ranks[2][N];
    static uint32_t order[N];
    const double *columns[] = {a, b};
    double sum = 0;
    for (size_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < N; i++)
            order[i] = i;
        sort_by = columns[c];
        qsort(order, N, sizeof *order, by_value);
        for (uint32_t i = 0; i < N; i++)
            ranks[c][order[i]] = i;
    }
    for (uint32_t i = 0; i < N; i++)
        sum += (ranks[0][i] - ranks[1][i]) * (ranks[0][i] - ranks[1][i]);
    return 1 - 6 * sum / ((double)N * ((double)N * N - 1));
}

static double down[N], up[N];

static void draw_all(const struct frs_network *network, uint64_t seed) {
    for (uint32_t client = 0; client < N; client++) {
        struct frs_client_link link = frs_network_client(network, seed, client);
        down[client] = link.down_bytes_per_s;
        up[client] = link.up_bytes_per_s;
        ck_assert(link.down_bytes_per_s >= 1 && link.down_bytes_per_s == floor(link.down_bytes_per_s));
        ck_assert(link.up_bytes_per_s >= 1 && link.up_bytes_per_s == floor(link.up_bytes_per_s));
    }
}

START_TEST(plain_network_gives_its_constants) {
    struct frs_network network = network_of(NOTHING, plain_distributions);
    struct frs_client_link link = frs_network_client(&network, 1, 5);
    ck_assert_double_eq(link.down_bytes_per_s, 1e6);
    ck_assert_double_eq(link.up_bytes_per_s, 5e5);
    ck_assert_double_eq(link.latency_s, 0.02);
    ck_assert_str_eq(frs_network_class(&network, 1, 5), "none");
    ck_assert(isinf(network.server_down_bytes_per_s) && isinf(network.server_up_bytes_per_s));
    ck_assert_double_eq(frs_network_marginals(&network, 0.5).up_bytes_per_s, 5e5);
    double until_s;
    ck_assert_double_eq(frs_network_factor(&network, false, 1, 5, 100, &until_s), 1);
    ck_assert(isinf(until_s));
    ck_assert_double_eq(frs_network_transfer(&network, 1, 5, 2, 0).bytes_per_s[FRS_DIRECTION_UP], 5e5);
    ck_assert_double_eq(frs_network_transfer(&network, 1, 5, 2, 0).latency_s[FRS_DIRECTION_UP], 0.02);
    frs_network_fini(&network);
}
END_TEST

/* 2/3 of a byte per second becomes one; 1.5 kB/s and a bit are rounded. */
START_TEST(rates_are_whole_bytes) {
    const struct distribution_text distributions[3] = {{"constant", SETTINGS("value", "1500.4 B/s")},
        {"uniform", (const char *const[]){"low", "1 B/s", "high", "3 B/s", NULL}},
        {"constant", SETTINGS("value", "0 s")}};
    struct frs_network network = network_of(SETTINGS("server_downlink", "1000.4 B/s"), distributions);
    ck_assert_double_eq(frs_network_client(&network, 1, 0).down_bytes_per_s, 1500);
    draw_all(&network, 1);
    ck_assert_double_eq(network.server_down_bytes_per_s, 1000);
    ck_assert_double_eq(frs_network_scaled(1000, 0.0004), 1);
    ck_assert_double_eq(frs_network_scaled(1000, 0), 0);
    ck_assert_double_eq(frs_network_scaled(1001, 0.5), 501);
    frs_network_fini(&network);
}
END_TEST

START_TEST(server_links_are_read) {
    static const char *const settings[] = {
        "server_downlink", "1 Gbit/s", "server_uplink", "100 Mbit/s", NULL};
    struct frs_network network = network_of(settings, plain_distributions);
    ck_assert_double_eq(network.server_down_bytes_per_s, 125e6);
    ck_assert_double_eq(network.server_up_bytes_per_s, 12.5e6);
    frs_network_fini(&network);
    struct frs_values values = frs_values_of(frs_network_params, SETTINGS("server_uplink", "unlimited"));
    char *text = frs_value_format(frs_values_find(&values, "server_uplink"));
    ck_assert_str_eq(text, "unlimited");
    free(text);
    frs_values_fini(&values);
}
END_TEST

START_TEST(up_and_down_are_correlated) {
    static const struct {
        const char *text;
        double correlation;
    } cases[] = {{"0", 0}, {"0.8", 0.8}, {"-0.5", -0.5}};
    for (size_t i = 0; i < 3; i++) {
        struct frs_network network = network_of(SETTINGS("correlation", cases[i].text), spread_distributions);
        draw_all(&network, 4);
        ck_assert_double_eq_tol(spearman(down, up), 6 / M_PI * asin(cases[i].correlation / 2), 0.02);
        frs_network_fini(&network);
    }
    struct frs_network network = network_of(SETTINGS("correlation", "1"), spread_distributions);
    draw_all(&network, 4);
    for (uint32_t client = 0; client < N; client++)
        ck_assert_double_eq_tol(up[client], down[client] / 2, 1);
    frs_network_fini(&network);
}
END_TEST

/* 20 clients, 10, 40, 10 and 40 %: when dealt they are 2, 8, 2 and 8 with every seed; when drawn they are
 * not. No client is dealt a faster class than one with a higher drawn quantile. */
START_TEST(dealt_classes_have_exact_shares) {
    static const size_t expected[4] = {2, 8, 2, 8};
    bool differ = false;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        size_t counts[2][4] = {{0}};
        for (int deals = 0; deals < 2; deals++) {
            struct frs_network network =
                network_of(SETTINGS("classes", "3g 10 %, 4g 40 %, 5g 10 %, wifi 40 %", "class_shares",
                               deals ? "dealt" : "drawn"),
                    class_distributions);
            frs_network_deal(&network, 20, seed);
            for (uint32_t client = 0; client < 20; client++) {
                size_t class = frs_network_class_number(&network, seed, client);
                const char *name = frs_network_class(&network, seed, client);
                counts[deals][strcmp(name, "3g") == 0   ? 0
                              : strcmp(name, "4g") == 0 ? 1
                              : strcmp(name, "5g") == 0 ? 2
                                                        : 3]++;
                for (uint32_t other = 0; other < client; other++)
                    if (frs_network_quantile(NULL, seed, other) < frs_network_quantile(NULL, seed, client))
                        ck_assert_uint_le(frs_network_class_number(&network, seed, other), class);
            }
            frs_network_fini(&network);
        }
        ck_assert_mem_eq(counts[1], expected, sizeof expected);
        differ = differ || memcmp(counts[0], expected, sizeof expected) != 0;
    }
    ck_assert(differ);
}
END_TEST

/* Latencies follow downlinks as uplinks do and keep their distribution. Where nothing ties them, they are
 * unchanged. */
START_TEST(latency_follows_the_downlink_where_tied) {
    static const struct {
        const char *text;
        double correlation;
    } cases[] = {{"0", 0}, {"-0.6", -0.6}, {"0.8", 0.8}, {"-1", -1}};

    static double latency[N];
    struct frs_network plain = network_of(NOTHING, spread_distributions);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_network network =
            network_of(SETTINGS("latency_correlation", cases[i].text), spread_distributions);
        size_t below = 0;
        double middle_s = frs_network_marginals(&network, 0.5).latency_s;
        for (uint32_t client = 0; client < N; client++) {
            struct frs_client_link link = frs_network_client(&network, 7, client);
            down[client] = link.down_bytes_per_s;
            latency[client] = link.latency_s;
            below += link.latency_s < middle_s;
            if (i == 0)
                ck_assert(link.latency_s == frs_network_client(&plain, 7, client).latency_s);
        }
        ck_assert_double_eq_tol(spearman(down, latency), 6 / M_PI * asin(cases[i].correlation / 2), 0.02);
        ck_assert_double_eq_tol((double)below / N, 0.5, 0.015);
        frs_network_fini(&network);
    }
    frs_network_fini(&plain);
}
END_TEST

/* The distribution of the uplinks is what it was, and nothing of the downlinks moves. */
START_TEST(test_correlation_keeps_distributions) {
    static double before[N];
    struct frs_network apart = network_of(NOTHING, spread_distributions);
    struct frs_network tied = network_of(SETTINGS("correlation", "0.9"), spread_distributions);
    draw_all(&apart, 4);
    memcpy(before, down, sizeof down);
    draw_all(&tied, 4);
    ck_assert_mem_eq(before, down, sizeof down);
    double sum = 0, squares = 0;
    for (uint32_t client = 0; client < N; client++) {
        double z = log(up[client] / 5e6) / 0.8;
        sum += z;
        squares += z * z;
    }
    ck_assert_double_eq_tol(sum / N, 0, 4 / sqrt(N));
    ck_assert_double_eq_tol(squares / N, 1, 0.05);
    frs_network_fini(&apart);
    frs_network_fini(&tied);
}
END_TEST

/* It multiplies latencies, and leaves capacities alone; jitter comes on top. */
START_TEST(latency_factor_leaves_capacities_alone) {
    struct frs_network network =
        network_of(SETTINGS("latency_factor", "2.5", "latency_jitter", "0.3"), spread_distributions);
    struct frs_network plain = network_of(SETTINGS("latency_jitter", "0.3"), spread_distributions);
    for (uint32_t client = 0; client < 50; client++) {
        struct frs_client_link link = frs_network_client(&network, 3, client),
                               before = frs_network_client(&plain, 3, client);
        ck_assert_double_eq_tol(link.latency_s, 2.5 * before.latency_s, 1e-15);
        ck_assert_double_eq(link.down_bytes_per_s, before.down_bytes_per_s);
        ck_assert_double_eq_tol(frs_network_transfer(&network, 3, client, 1, 0).latency_s[FRS_DIRECTION_UP],
            2.5 * frs_network_transfer(&plain, 3, client, 1, 0).latency_s[FRS_DIRECTION_UP], 1e-15);
    }
    ck_assert_double_eq_tol(frs_network_marginals(&network, 0.5).latency_s, 0.05, 1e-15);
    frs_network_fini(&network);
    frs_network_fini(&plain);
}
END_TEST

/* The factor multiplies what was drawn, under jitter, classes and traces alike; the latency and the server
 * stay. */
START_TEST(bandwidth_factor_leaves_latency_alone) {
    write_file("trace.csv", "t_s,factor\n0,0.5\n5,2\n9,0.5\n");
    const char *const settings[][9] = {
        {"server_downlink", "1 MB/s", "trace", "trace.csv", "jitter", "0.5", NULL},
        {"server_downlink", "1 MB/s", "trace", "trace.csv", "jitter", "0.5", "bandwidth_factor", "0.8",
            NULL}};
    struct frs_network plain = network_of(settings[0], spread_distributions);
    struct frs_network slower = network_of(settings[1], spread_distributions);
    double until_s;
    for (uint32_t client = 0; client < 100; client++) {
        struct frs_client_link a = frs_network_client(&plain, 3, client);
        struct frs_client_link b = frs_network_client(&slower, 3, client);
        ck_assert_double_eq_tol(b.down_bytes_per_s, 0.8 * a.down_bytes_per_s, 1);
        ck_assert_double_eq_tol(b.up_bytes_per_s, 0.8 * a.up_bytes_per_s, 1);
        ck_assert_double_eq(b.latency_s, a.latency_s);
        double jittered = frs_network_transfer(&plain, 3, client, 7, 0).bytes_per_s[FRS_DIRECTION_UP];
        ck_assert_double_eq_tol(
            frs_network_transfer(&slower, 3, client, 7, 0).bytes_per_s[FRS_DIRECTION_UP], 0.8 * jittered, 1);
        ck_assert_double_eq(frs_network_factor(&slower, false, 3, client, 1, &until_s), 0.5);
    }
    ck_assert_double_eq(slower.server_down_bytes_per_s, 1e6);
    ck_assert_double_eq_tol(frs_network_marginals(&slower, 0.3).down_bytes_per_s,
        0.8 * frs_network_marginals(&plain, 0.3).down_bytes_per_s, 1);
    frs_network_fini(&plain);
    frs_network_fini(&slower);
    struct frs_network classes = network_of(
        SETTINGS("classes", "3g 50 %, fieldguide 50 %", "bandwidth_factor", "2"), class_distributions);
    for (uint32_t client = 0; client < 100; client++)
        if (strcmp(frs_network_class(&classes, 1, client), "fieldguide") == 0)
            ck_assert_double_eq(frs_network_client(&classes, 1, client).up_bytes_per_s, 2 * 262144);
    frs_network_fini(&classes);
}
END_TEST

/* Each multiplies its own direction, on top of the factor for both, and nothing else. */
START_TEST(direction_factors_multiply_their_own) {
    struct frs_network plain =
        network_of(SETTINGS("bandwidth_factor", "0.5", "jitter", "0.5"), spread_distributions);
    struct frs_network other = network_of(
        SETTINGS("bandwidth_factor", "0.5", "jitter", "0.5", "downlink_factor", "4", "uplink_factor", "3"),
        spread_distributions);
    for (uint32_t client = 0; client < 100; client++) {
        struct frs_client_link a = frs_network_client(&plain, 3, client),
                               b = frs_network_client(&other, 3, client);
        ck_assert_double_eq_tol(b.down_bytes_per_s, 4 * a.down_bytes_per_s, 4);
        ck_assert_double_eq_tol(b.up_bytes_per_s, 3 * a.up_bytes_per_s, 3);
        ck_assert_double_eq(b.latency_s, a.latency_s);
    }
    struct frs_client_link a = frs_network_marginals(&plain, 0.3), b = frs_network_marginals(&other, 0.3);
    ck_assert_double_eq_tol(b.down_bytes_per_s, 4 * a.down_bytes_per_s, 4);
    ck_assert_double_eq_tol(b.up_bytes_per_s, 3 * a.up_bytes_per_s, 3);
    frs_network_fini(&plain);
    frs_network_fini(&other);
}
END_TEST

/* Shares of the classes, ordered by their medians whatever the order in the text, and the three
 * distributions of one class. */
START_TEST(classes_have_their_shares) {
    struct frs_network network =
        network_of(SETTINGS("classes", "fibre 20 %, 4g 50.5%, fieldguide 29.5 %"), class_distributions);
    size_t n[3] = {0};
    ck_assert_str_eq(network.classes.presets[0]->plugin.name, "fieldguide");
    ck_assert_str_eq(network.classes.presets[1]->plugin.name, "4g");
    ck_assert_str_eq(network.classes.presets[2]->plugin.name, "fibre");
    double slowest_class = 0;
    for (uint32_t client = 0; client < N; client++) {
        const char *class = frs_network_class(&network, 9, client);
        struct frs_client_link link = frs_network_client(&network, 9, client);
        size_t c = strcmp(class, "fieldguide") == 0 ? 0 : strcmp(class, "4g") == 0 ? 1 : 2;
        n[c]++;
        if (c == 0) {
            ck_assert_double_eq(link.down_bytes_per_s, 786432);
            ck_assert_double_eq(link.up_bytes_per_s, 262144);
            ck_assert_double_eq(link.latency_s, 0);
            slowest_class = fmax(slowest_class, frs_network_quantile(NULL, 9, client));
        } else {
            ck_assert(link.latency_s > 0);
        }
        if (c == 2)
            ck_assert(link.down_bytes_per_s > 216e6 / 8 / 20);
    }
    ck_assert(slowest_class < 0.295);
    ck_assert_double_eq_tol((double)n[0] / N, 0.295, 4 * sqrt(0.295 * 0.705 / N));
    ck_assert_double_eq_tol((double)n[1] / N, 0.505, 4 * sqrt(0.25 / N));
    ck_assert_double_eq_tol((double)n[2] / N, 0.2, 4 * sqrt(0.16 / N));
    frs_network_fini(&network);
}
END_TEST

/* Medians as a mixture says, and as drawn. */
START_TEST(mixtures_have_their_medians) {
    struct frs_network network = network_of(SETTINGS("classes", "3g 50 %, fibre 50 %"), class_distributions);
    static const double quantiles[] = {0.1, 0.5, 0.9};
    draw_all(&network, 2);
    for (size_t i = 0; i < 3; i++) {
        struct frs_client_link link = frs_network_marginals(&network, quantiles[i]);
        size_t below_down = 0, below_up = 0;
        for (uint32_t client = 0; client < N; client++) {
            below_down += down[client] <= link.down_bytes_per_s;
            below_up += up[client] <= link.up_bytes_per_s;
        }
        ck_assert_double_eq_tol((double)below_down / N, quantiles[i], 0.015);
        ck_assert_double_eq_tol((double)below_up / N, quantiles[i], 0.015);
    }
    frs_network_fini(&network);
}
END_TEST

/* An explicit downlink holds for every class; the class keeps the rest. */
START_TEST(test_explicit_keys_beat_classes) {
    const struct distribution_text distributions[3] = {plain_distributions[0], {0}, {0}};
    struct frs_network network = network_of(SETTINGS("classes", "3g 50 %, fieldguide 50 %"), distributions);
    for (uint32_t client = 0; client < 200; client++) {
        struct frs_client_link link = frs_network_client(&network, 1, client);
        bool fieldguide = strcmp(frs_network_class(&network, 1, client), "fieldguide") == 0;
        ck_assert_double_eq(link.down_bytes_per_s, 1e6);
        ck_assert_int_eq(fieldguide, link.up_bytes_per_s == 262144);
    }
    frs_network_fini(&network);
}
END_TEST

START_TEST(wrong_classes_are_refused) {
#define PRESETS                                                                                              \
    "ideal | fieldguide | fedscale | flash-wifi | lumos-4g | lumos-wifi | 3g | 4g | 5g | wifi | fibre | "    \
    "mixed-mobile"
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"4g", "network.classes: \"4g\" is not a class with its share; allowed: such as \"a 40 %, b 60 %\""},
        {"4g 40",
            "network.classes: \"4g 40\" is not a class with its share; allowed: such as \"a 40 %, b 60 %\""},
        {"4g 100 %,",
            "network.classes: \"\" is not a class with its share; allowed: such as \"a 40 %, b 60 %\""},
        {"4g -5 %", "network.classes: \"4g -5 %\" is not a class with its share; allowed: such as \"a 40 %, "
                    "b 60 %\""},
        {"4g 0 %", "network.classes: the shares add up to 0 %; allowed: 100 %"},
        {"4g 0 %, 4g 100 %", "network.classes: \"4g\" is there twice"},
        {"fiber 0 %, 4g 100 %",
            "network.classes: \"fiber\" is not a class; did you mean \"fibre\"?; allowed: " PRESETS},
        {"4g 101 %", "network.classes: \"4g 101 %\" is not a class with its share; allowed: such as \"a 40 "
                     "%, b 60 %\""},
        {"4g 50 % x", "network.classes: \"4g 50 % x\" is not a class with its share; allowed: such as \"a 40 "
                      "%, b 60 %\""},
        {"4g 40 %, fibre 50 %", "network.classes: the shares add up to 90 %; allowed: 100 %"},
        {"4g 60 %, 4g 40 %", "network.classes: \"4g\" is there twice"},
        {"fiber 100 %",
            "network.classes: \"fiber\" is not a class; did you mean \"fibre\"?; allowed: " PRESETS},
        {"satellite 100 %", "network.classes: \"satellite\" is not a class; allowed: " PRESETS},
        {"mixed-mobile 100 %", "network.classes: \"mixed-mobile\" is itself a mix of classes"},
    };
    struct frs_network network;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(!network_read(&network, SETTINGS("classes", cases[i].text), class_distributions), "%s",
            cases[i].text);
        expect_error(cases[i].error);
    }
    ck_assert(!network_read(&network, SETTINGS("classes", "4g 100 %"), plain_distributions));
    expect_error(
        "network.classes: has no effect here, because downlink, uplink and latency are all given themselves");
}
END_TEST

START_TEST(jitter_has_its_spread) {
    static const char *const settings[] = {"jitter", "0.5", "latency_jitter", "0.3", NULL};
    struct frs_network network = network_of(settings, plain_distributions);
    double sums[4] = {0}, products = 0;
    for (uint32_t round = 0; round < N; round++) {
        double d = frs_network_transfer(&network, 3, 11, round, 0).bytes_per_s[FRS_DIRECTION_DOWN] / 1e6;
        double u = frs_network_transfer(&network, 3, 11, round, 0).bytes_per_s[FRS_DIRECTION_UP] / 5e5;
        sums[0] += d;
        sums[1] += u;
        sums[2] += frs_network_transfer(&network, 3, 11, round, 0).latency_s[FRS_DIRECTION_DOWN] / 0.02;
        sums[3] += frs_network_transfer(&network, 3, 11, round, 0).latency_s[FRS_DIRECTION_UP] / 0.02;
        products += (d - 1) * (u - 1);
    }
    /* Variance of the factor: exp(sigma²) − 1. */
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(sums[i] / N, 1, 4 * sqrt((exp(i < 2 ? 0.25 : 0.09) - 1) / N));
    ck_assert_double_eq_tol(products / N, 0, 4 * (exp(0.25) - 1) / sqrt(N));
    /* The link itself does not move; an attempt and a client have their own;
     * the same call answers the same. */
    ck_assert_double_eq(frs_network_client(&network, 3, 11).down_bytes_per_s, 1e6);
    double a = frs_network_transfer(&network, 3, 11, 7, 0).bytes_per_s[FRS_DIRECTION_DOWN];
    ck_assert_double_eq(a, frs_network_transfer(&network, 3, 11, 7, 0).bytes_per_s[FRS_DIRECTION_DOWN]);
    ck_assert_double_ne(a, frs_network_transfer(&network, 3, 11, 7, 1).bytes_per_s[FRS_DIRECTION_DOWN]);
    ck_assert_double_ne(a, frs_network_transfer(&network, 3, 12, 7, 0).bytes_per_s[FRS_DIRECTION_DOWN]);
    ck_assert_double_eq(a, floor(a));
    frs_network_fini(&network);
}
END_TEST

/* Of 1 MB/s and 500 kB/s under sigma 5: ln 1e6 = 13.816 and ln 5e5 = 13.122, so that the normal scores below
 * 2.5 − 2.763 and 2.5 − 2.624 make less than 1 byte/s of them: 39.6 % and 45.1 % of the transfers. */
START_TEST(no_link_is_below_a_byte_a_second) {
    struct frs_network wide = network_of(SETTINGS("jitter", "5"), plain_distributions);
    ck_assert_double_eq_tol(frs_network_floored(&wide), (0.3962 + 0.4506) / 2, 1e-3);
    double n_floored = 0;
    for (uint32_t round = 0; round < N; round++)
        for (size_t way = 0; way < 2; way++)
            n_floored += frs_network_transfer(&wide, 3, 11, round, 0).bytes_per_s[way] == 1;
    /* Capacities are whole, so that those below 1.5 are 1 as well: scores up to 0.081 higher. */
    ck_assert_double_eq_tol(n_floored / (2 * N), (0.4279 + 0.4831) / 2, 0.01);
    struct frs_network usual = network_of(SETTINGS("jitter", "0.5"), plain_distributions),
                       none = network_of(NOTHING, plain_distributions);
    ck_assert_double_lt(frs_network_floored(&usual), 1e-12);
    ck_assert_double_eq(frs_network_floored(&none), 0);
    frs_network_fini(&wide);
    frs_network_fini(&usual);
    frs_network_fini(&none);
}
END_TEST

START_TEST(test_draws_are_a_function_of_seed_and_client) {
    struct frs_network network = network_of(SETTINGS("classes", "4g 50 %, wifi 50 %"), class_distributions);
    for (uint32_t client = 0; client < 100; client++) {
        struct frs_client_link a = frs_network_client(&network, 1, client),
                               b = frs_network_client(&network, 1, client),
                               other = frs_network_client(&network, 2, client);
        ck_assert_mem_eq(&a, &b, sizeof a);
        ck_assert_double_ne(a.down_bytes_per_s, other.down_bytes_per_s);
    }
    frs_network_fini(&network);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("network");
    TCase *tests = tcase_create("network");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, plain_network_gives_its_constants);
    tcase_add_test(tests, rates_are_whole_bytes);
    tcase_add_test(tests, server_links_are_read);
    tcase_add_test(tests, bandwidth_factor_leaves_latency_alone);
    tcase_add_test(tests, direction_factors_multiply_their_own);
    tcase_add_test(tests, up_and_down_are_correlated);
    tcase_add_test(tests, latency_follows_the_downlink_where_tied);
    tcase_add_test(tests, dealt_classes_have_exact_shares);
    tcase_add_test(tests, test_correlation_keeps_distributions);
    tcase_add_test(tests, classes_have_their_shares);
    tcase_add_test(tests, mixtures_have_their_medians);
    tcase_add_test(tests, test_explicit_keys_beat_classes);
    tcase_add_test(tests, wrong_classes_are_refused);
    tcase_add_test(tests, latency_factor_leaves_capacities_alone);
    tcase_add_test(tests, jitter_has_its_spread);
    tcase_add_test(tests, no_link_is_below_a_byte_a_second);
    tcase_add_test(tests, test_draws_are_a_function_of_seed_and_client);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
