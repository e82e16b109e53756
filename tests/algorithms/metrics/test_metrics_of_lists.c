/* Figures of ranked lists: by hand, for one held-out item and for several, and with ties against all orders
 * of equal scores. */
#include "algorithms/metrics/ranking.h"
#include "tests/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define SAME(value, expected) ck_assert_double_eq_tol(value, expected, 1e-15)

/* One held-out item of rank r: HR and recall are [r <= K], precision 1/K of that, MRR and MAP 1/r, NDCG
 * 1/log2(r + 1). */
START_TEST(one_item) {
    for (size_t rank = 1; rank <= 12; rank++) {
        struct frs_list_place place = {.above = rank - 1};
        struct frs_at_k at = frs_ranking_at(&place, 1, 10);
        double hit = rank <= 10;
        ck_assert_double_eq(at.hit, hit);
        ck_assert_double_eq(at.recall, hit);
        ck_assert_double_eq(at.precision, hit / 10);
        ck_assert_double_eq(at.mrr, hit / (double)rank);
        ck_assert_double_eq(at.map, hit / (double)rank);
        ck_assert_double_eq(at.ndcg, hit / log2((double)rank + 1));
        ck_assert_double_eq(frs_ranking_auc(&place, 1, 20), (double)(21 - rank) / 20);
    }
}
END_TEST

/* Three held-out items at places 2, 3 and 6 of a list with five candidates: one candidate is ahead of the
 * first two, three are ahead of the last. */
START_TEST(several_items) {
    const struct frs_list_place places[] = {{.above = 1}, {.above = 1}, {.above = 3}};
    struct frs_at_k five = frs_ranking_at(places, 3, 5), two = frs_ranking_at(places, 3, 2),
                    ten = frs_ranking_at(places, 3, 10), one = frs_ranking_at(places, 3, 1);
    double gains = 1 / log2(3) + 1 / log2(4), ideal = 1 + 1 / log2(3) + 1 / log2(4);
    SAME(five.hit, 1);
    SAME(five.recall, 2.0 / 3);
    SAME(five.precision, 2.0 / 5);
    SAME(five.mrr, 1.0 / 2);
    SAME(five.map, (1.0 / 2 + 2.0 / 3) / 3);
    SAME(five.ndcg, gains / ideal);
    SAME(two.recall, 1.0 / 3);
    SAME(two.precision, 1.0 / 2);
    SAME(two.map, (1.0 / 2) / 2); /* of three items two fit */
    SAME(two.ndcg, 1 / log2(3) / (1 + 1 / log2(3)));
    SAME(ten.recall, 1);
    SAME(ten.map, (1.0 / 2 + 2.0 / 3 + 3.0 / 6) / 3);
    SAME(ten.ndcg, (gains + 1 / log2(7)) / ideal);
    SAME(one.hit + one.recall + one.precision + one.mrr + one.map + one.ndcg, 0);
    SAME(frs_ranking_auc(places, 3, 5), (4 + 4 + 2) / 15.0);
    ck_assert(isnan(frs_ranking_auc(places, 3, 0)));
    /* Of ten candidates two are ahead, and four are tied: half of these count as behind. */
    SAME(frs_ranking_auc(&(struct frs_list_place){.above = 2, .tied = 4}, 1, 10), 0.6);
}
END_TEST

/* A list in the order of its places: which are held-out items. */
static struct frs_at_k figures_of(const bool *held_out, size_t n, size_t m, size_t k) {
    struct frs_at_k figures = {0};
    double found = 0, ideal = 0;
    for (size_t p = 1; p <= n && p <= k; p++)
        if (held_out[p - 1]) {
            found++;
            figures.ndcg += 1 / log2((double)p + 1);
            figures.map += found / (double)p;
            figures.mrr += found > 1 ? 0 : 1 / (double)p;
        }
    for (size_t p = 1; p <= m && p <= k; p++)
        ideal += 1 / log2((double)p + 1);
    figures.hit = found > 0;
    figures.recall = found / (double)m;
    figures.precision = found / (double)k;
    figures.map /= (double)(m < k ? m : k);
    figures.ndcg /= ideal;
    return figures;
}

static void add(struct frs_at_k *sums, const struct frs_at_k *figures) {
    sums->hit += figures->hit;
    sums->ndcg += figures->ndcg;
    sums->recall += figures->recall;
    sums->precision += figures->precision;
    sums->mrr += figures->mrr;
    sums->map += figures->map;
}

/* Scores of items, the first m of which are held out, in all orders in which none is ahead of a larger one.
 */
static size_t add_orders(const int *scores, size_t n, size_t m, size_t k, bool *taken, bool *held_out,
    size_t placed, struct frs_at_k *sums) {
    size_t orders = 0;
    int best = -1;
    if (placed == n) {
        struct frs_at_k figures = figures_of(held_out, n, m, k);
        add(sums, &figures);
        return 1;
    }
    for (size_t i = 0; i < n; i++)
        best = !taken[i] && scores[i] > best ? scores[i] : best;
    for (size_t i = 0; i < n; i++) {
        if (taken[i] || scores[i] != best)
            continue;
        taken[i] = true;
        held_out[placed] = i < m;
        orders += add_orders(scores, n, m, k, taken, held_out, placed + 1, sums);
        taken[i] = false;
    }
    return orders;
}

static int compare(const void *a, const void *b) {
    const struct frs_list_place *x = a, *y = b;
    return x->above != y->above ? (int)x->above - (int)y->above : (int)x->tied - (int)y->tied;
}

/* Seven items of three scores, all 2,187 ways to give them, with one to four items held out. */
START_TEST(the_mean_over_all_orders_of_equal_scores) {
    enum { N = 7, WAYS = 2187 };
    size_t m = (size_t)_i;
    for (unsigned way = 0; way < WAYS; way += 5) {
        int scores[N];
        unsigned rest = way;
        for (size_t i = 0; i < N; i++, rest /= 3)
            scores[i] = (int)(rest % 3);
        struct frs_list_place places[N] = {{0}};
        for (size_t i = 0; i < m; i++)
            for (size_t c = m; c < N; c++) {
                places[i].above += scores[c] > scores[i];
                places[i].tied += scores[c] == scores[i];
            }
        qsort(places, m, sizeof *places, compare);
        for (size_t k = 1; k <= 5; k += 2) {
            bool taken[N] = {0}, held_out[N];
            struct frs_at_k sums = {0}, at = frs_ranking_at(places, m, k);
            double orders = (double)add_orders(scores, N, m, k, taken, held_out, 0, &sums);
            ck_assert_double_eq_tol(at.hit, sums.hit / orders, 1e-12);
            ck_assert_double_eq_tol(at.ndcg, sums.ndcg / orders, 1e-12);
            ck_assert_double_eq_tol(at.recall, sums.recall / orders, 1e-12);
            ck_assert_double_eq_tol(at.precision, sums.precision / orders, 1e-12);
            ck_assert_double_eq_tol(at.mrr, sums.mrr / orders, 1e-12);
            ck_assert_double_eq_tol(at.map, sums.map / orders, 1e-12);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("metrics of lists");
    TCase *tests = tcase_create("metrics of lists");
    tcase_add_test(tests, one_item);
    tcase_add_test(tests, several_items);
    tcase_add_loop_test(tests, the_mean_over_all_orders_of_equal_scores, 1, 5);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
