/* Who is whose neighbour: every kind of graph by hand or by what defines it, drawn once or in every round. */
#include "platforms/peers/pairs_file.h"
#include "platforms/peers/peer_graph.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct frs_neighbourhood *named(const char *name) {
    return (const struct frs_neighbourhood *)frs_registry_find(frs_neighbours_plugins, name);
}

static struct frs_peer_graph graph_of_all(struct frs_peer_settings settings, uint32_t n, uint32_t round) {
    uint32_t *clients = frs_alloc(n, sizeof *clients);
    for (uint32_t i = 0; i < n; i++)
        clients[i] = i;
    settings.n_clients = n;
    struct frs_peer_graph graph = frs_peer_graph_of_round(&settings, clients, n, round, 0);
    free(clients);
    return graph;
}

/* Compares with "1 4 | 0 2 | …", a part for each member. */
static void is(const struct frs_peer_graph *graph, const char *expected) {
    char text[512] = "";
    for (uint32_t i = 0; i < graph->n; i++) {
        for (size_t k = graph->start[i]; k < graph->start[i + 1]; k++)
            sprintf(text + strlen(text), k > graph->start[i] ? " %u" : "%u", graph->peers[k]);
        strcat(text, i + 1 < graph->n ? "|" : "");
    }
    ck_assert_str_eq(text, expected);
}

static void gives(const char *name, uint32_t degree, uint32_t n, const char *expected) {
    struct frs_peer_settings settings = {.neighbours = named(name), .settings = {.degree = degree}};
    struct frs_peer_graph graph = graph_of_all(settings, n, 0);
    is(&graph, expected);
    frs_peer_graph_fini(&graph);
}

START_TEST(by_hand) {
    gives("ring", 0, 5, "1 4|0 2|1 3|2 4|0 3");
    gives("ring", 0, 2, "1|0");
    gives("ring", 0, 1, "");
    gives("complete", 0, 4, "1 2 3|0 2 3|0 1 3|0 1 2");
    gives("group", 2, 8, "1 2|0 2|0 1|4 5|3 5|3 4|7|6");
    gives("group", 2, 7, "1 2|0 2|0 1|4 5 6|3 5 6|3 4 6|3 4 5");
    gives("group", 2, 1, "");
    gives("random_regular", 4, 3, "1 2|0 2|0 1");
    gives("random_regular", 3, 1, "");
}
END_TEST

/* In a ring of six of which 1, 2 and 5 take part, 1 and 2 are neighbours, and 5 has none. */
START_TEST(those_of_a_round) {
    const uint32_t clients[] = {1, 2, 5};
    struct frs_peer_settings settings = {.neighbours = named("ring"), .n_clients = 6};
    struct frs_peer_graph graph = frs_peer_graph_of_round(&settings, clients, 3, 0, 0);
    is(&graph, "1|0|");
    frs_peer_graph_fini(&graph);
    settings.drawn_anew = true;
    graph = frs_peer_graph_of_round(&settings, clients, 3, 0, 0);
    is(&graph, "1 2|0 2|0 1");
    frs_peer_graph_fini(&graph);
}
END_TEST

static uint32_t n_reached(const struct frs_peer_graph *graph) {
    uint32_t stack[256], n_stack = 1, n = 1;
    bool seen[256] = {true};
    stack[0] = 0;
    while (n_stack > 0) {
        uint32_t i = stack[--n_stack];
        for (size_t k = graph->start[i]; k < graph->start[i + 1]; k++)
            if (!seen[graph->peers[k]]) {
                seen[graph->peers[k]] = true;
                stack[n_stack++] = graph->peers[k];
                n++;
            }
    }
    return n;
}

/* As many neighbours for all (one less for one, where their number has to be even), connected, and others for
 * another seed or, drawn anew, in another round. */
START_TEST(random_regular_graphs) {
    size_t n_same = 0, n_cases = 0;
    for (uint32_t i = 0; i < FRS_TEST_CASES(150); i++) {
        uint32_t n = 3 + i, degree = 2 + i % 5, expected = degree < n ? degree : n - 1, n_less = 0;
        struct frs_peer_settings settings = {
            .neighbours = named("random_regular"), .settings = {.degree = degree}, .seed = i};
        struct frs_peer_graph graph = graph_of_all(settings, n, 0), again = graph_of_all(settings, n, 7);
        for (uint32_t k = 0; k < n; k++)
            n_less += frs_peer_graph_degree(&graph, k) != expected;
        ck_assert_uint_eq(n_less, n * expected % 2);
        ck_assert_uint_eq(n_reached(&graph), n);
        ck_assert(memcmp(graph.peers, again.peers, graph.start[n] * sizeof *graph.peers) == 0);
        frs_peer_graph_fini(&again);
        settings.drawn_anew = true;
        again = graph_of_all(settings, n, 7);
        ck_assert_uint_eq(again.start[n], graph.start[n]);
        n_same += memcmp(graph.peers, again.peers, graph.start[n] * sizeof *graph.peers) == 0;
        n_cases++;
        frs_peer_graph_fini(&again);
        frs_peer_graph_fini(&graph);
    }
    ck_assert_uint_lt(n_same, n_cases / 5);
}
END_TEST

/* Drawn anew, the graphs of two rounds differ, and those of two attempts; that of one attempt is always the
 * same. */
START_TEST(every_attempt_has_a_graph_of_its_own) {
    enum { N = 40 };
    static const uint32_t rounds[] = {0, 7, 7, 7}, attempts[] = {0, 0, 1, 1};
    const struct frs_peer_settings settings = {
        .neighbours = named("random_regular"), .settings = {.degree = 4}, .n_clients = N, .drawn_anew = true};
    uint32_t clients[N];
    struct frs_peer_graph graphs[4];
    for (uint32_t i = 0; i < N; i++)
        clients[i] = i;
    for (int i = 0; i < 4; i++)
        graphs[i] = frs_peer_graph_of_round(&settings, clients, N, rounds[i], attempts[i]);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) {
            int differ =
                memcmp(graphs[i].peers, graphs[k].peers, graphs[i].start[N] * sizeof *graphs[i].peers);
            ck_assert_msg((differ != 0) == (k < 2), "graphs %d and %d", k, i);
        }
    for (int i = 0; i < 4; i++)
        frs_peer_graph_fini(&graphs[i]);
}
END_TEST

static void write_file(char *path, const char *text) {
    FILE *file = fdopen(mkstemps(path, 4), "w");
    fputs(text, file);
    fclose(file);
}

static void refuses(const char *text, const char *expected) {
    char path[] = "/tmp/fedrecsim-test-XXXXXX.csv";
    struct frs_errors errors = {0};
    uint32_t *pairs;
    size_t n;
    write_file(path, text);
    ck_assert(!frs_pairs_file_read(path, 3, &pairs, &n, &errors));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_msg(strstr(errors.lines[0], expected), "%s", errors.lines[0]);
    frs_errors_clear(&errors);
    unlink(path);
}

START_TEST(a_file_of_pairs) {
    char path[] = "/tmp/fedrecsim-test-XXXXXX.csv";
    struct frs_errors errors = {0};
    struct frs_peer_settings settings = {.neighbours = named("file")};
    uint32_t *pairs;
    write_file(path, "client,neighbour\n0,2\n2,1\n1,2\n");
    ck_assert(frs_pairs_file_read(path, 3, &pairs, &settings.settings.n_pairs, &errors));
    settings.settings.pairs = pairs;
    struct frs_peer_graph graph = graph_of_all(settings, 3, 0);
    is(&graph, "2|2|0 1");
    frs_peer_graph_fini(&graph);
    free(pairs);
    unlink(path);
    refuses("client,neighbour\n0,3\n",
        "csv:2: neighbour 3 is none of the data's; allowed: a whole number from 0 to 2");
    refuses("client,neighbour\n0,1\n1,1\n", "csv:3: client 1 is its own neighbour");
    refuses("client,neighbour\n", "has no pair of neighbours");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("peer graphs");
    TCase *tests = tcase_create("peer graphs");
    tcase_add_test(tests, by_hand);
    tcase_add_test(tests, those_of_a_round);
    tcase_add_test(tests, random_regular_graphs);
    tcase_add_test(tests, every_attempt_has_a_graph_of_its_own);
    tcase_add_test(tests, a_file_of_pairs);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
