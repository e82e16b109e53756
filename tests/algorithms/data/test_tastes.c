/* Tastes: clusters of items that the same clients like, their order, and how usual a client's taste is. */
#include "algorithms/data/tastes.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

enum { ITEMS = 40, CLIENTS = 90, EACH = 8, MOST_GROUPS = 256 };

/* Two blocks of 20 items; 60 clients like items of the first, 30 of the second. */
struct blocks {
    uint32_t items[CLIENTS][EACH];
    struct frs_client_data clients[CLIENTS];
    struct frs_data data;
};

static void make(struct blocks *blocks) {
    for (uint32_t client = 0; client < CLIENTS; client++) {
        for (uint32_t i = 0; i < EACH; i++)
            blocks->items[client][i] =
                (client < 60 ? 0 : ITEMS / 2) + (i * (ITEMS / 2) / EACH + client) % (ITEMS / 2);
        blocks->clients[client] =
            (struct frs_client_data){.client = client, .items = blocks->items[client], .n = EACH};
    }
    blocks->data =
        (struct frs_data){.population = {.n_clients = CLIENTS, .n_items = ITEMS, .clients = blocks->clients}};
}

static struct frs_tastes tastes_of(const struct frs_data *data, const char *const *settings) {
    struct frs_values values = section("data", frs_data_params, settings);
    struct frs_tastes tastes = frs_tastes_of(data, &values, 1);
    frs_values_fini(&values);
    return tastes;
}

static void check_order(const struct frs_tastes *tastes, const struct frs_data *data) {
    size_t sizes[MOST_GROUPS] = {0};
    for (uint32_t client = 0; client < data->population.n_clients; client++) {
        const struct frs_client_data *of = &data->population.clients[client];
        double sum = 0;
        for (size_t i = 0; i < of->n; i++) {
            sizes[tastes->group[of->items[i]]]++;
            sum += tastes->group[of->items[i]];
        }
        ck_assert_double_eq_tol(tastes->usual[client], -sum / (double)of->n, 1e-12);
    }
    for (uint32_t g = 1; g < tastes->n_groups; g++)
        ck_assert_uint_le(sizes[g], sizes[g - 1]);
}

START_TEST(clusters_keep_blocks_apart) {
    static struct blocks blocks;
    make(&blocks);
    struct frs_tastes tastes = tastes_of(&blocks.data, SETTINGS("format", "csv"));
    ck_assert(!tastes.given && tastes.n_groups == FRS_TASTE_CLUSTERS);
    int block[FRS_TASTE_CLUSTERS] = {0};
    for (uint32_t item = 0; item < ITEMS; item++)
        block[tastes.group[item]] |= item < ITEMS / 2 ? 1 : 2;
    for (uint32_t g = 0; g < tastes.n_groups; g++)
        ck_assert_int_ne(block[g], 3);
    ck_assert_int_eq(block[0], 1); /* of the 480 and 240 interactions */
    check_order(&tastes, &blocks.data);
    frs_tastes_fini(&tastes);
}
END_TEST

/* Three items and five clients by hand: items in the order 2, 0, 1 of 4, 2 and 1 interactions. */
START_TEST(three_items_by_hand) {
    static const uint32_t items[][2] = {{0, 2}, {0, 2}, {2, 0}, {2, 0}, {1, 0}};
    static const size_t n[] = {2, 2, 1, 1, 1};
    static const double usual[] = {-.5, -.5, 0, 0, -2};
    struct frs_client_data clients[6] = {0};
    for (uint32_t client = 0; client < 5; client++)
        clients[client] = (struct frs_client_data){.client = client, .items = items[client], .n = n[client]};
    struct frs_data data = {.population = {.n_clients = 6, .n_items = 3, .clients = clients}};
    struct frs_tastes tastes = tastes_of(&data, SETTINGS("format", "csv"));
    ck_assert_uint_eq(tastes.n_groups, 3);
    ck_assert(tastes.group[2] == 0 && tastes.group[0] == 1 && tastes.group[1] == 2);
    for (uint32_t client = 0; client < 5; client++)
        ck_assert_double_eq(tastes.usual[client], usual[client]);
    ck_assert_double_eq(tastes.usual[5], -1); /* without interactions: the middle */
    ck_assert(frs_tastes_main_group(&tastes, &data, 0) == 0 && frs_tastes_main_group(&tastes, &data, 4) == 2);
    frs_tastes_fini(&tastes);
}
END_TEST

/* Built-in data bring their tastes: the items of one occur together more often than others do. */
START_TEST(planted_tastes_are_given) {
    struct frs_data *data = load(SETTINGS("synthetic", "small"), NO_SETTINGS, 3);
    struct frs_tastes tastes = tastes_of(data, SETTINGS("synthetic", "small"));
    ck_assert(tastes.given && tastes.n_groups == 6);
    check_order(&tastes, data);
    double together = 0, by_chance = 0;
    for (uint32_t client = 0; client < data->population.n_clients; client++) {
        const struct frs_client_data *of = &data->population.clients[client];
        double share[6] = {0};
        for (size_t i = 0; i < of->n; i++)
            share[tastes.group[of->items[i]]] += 1 / (double)of->n;
        together += share[frs_tastes_main_group(&tastes, data, client)] / data->population.n_clients;
    }
    size_t sizes[6] = {0};
    for (uint32_t client = 0; client < data->population.n_clients; client++)
        for (size_t i = 0; i < data->population.clients[client].n; i++)
            sizes[tastes.group[data->population.clients[client].items[i]]]++;
    for (int g = 0, n = 0; g < 6; g++, n = 0) {
        for (int k = 0; k < 6; k++)
            n += (int)sizes[k];
        by_chance = fmax(by_chance, (double)sizes[g] / n);
    }
    ck_assert_double_gt(together, 1.3 * by_chance);
    frs_tastes_fini(&tastes);
    frs_data_destroy(data);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tastes");
    TCase *tests = tcase_create("tastes");
    tcase_add_test(tests, clusters_keep_blocks_apart);
    tcase_add_test(tests, three_items_by_hand);
    tcase_add_test(tests, planted_tastes_are_given);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
