#include "algorithms/metrics/ranking.h"

#include <math.h>

/* Places of one score, `before + 1` to `before + size`, `held_out` of which are held-out items. */
struct group {
    size_t before, size, held_out;
    size_t found; /* held-out items in the places before it */
};

static double gain(size_t place) {
    return 1 / log2((double)place + 1);
}

static double ideal(size_t m, size_t k) {
    double sum = 0;
    for (size_t place = 1; place <= m && place <= k; place++)
        sum += gain(place);
    return sum;
}

/* How many places of the group are within the cut-off. */
static size_t n_within(const struct group *group, size_t k) {
    size_t left = k > group->before ? k - group->before : 0;
    return left < group->size ? left : group->size;
}

/* The first held-out item of the list is in this group: the mean of its inverse place within the cut-off, and
 * the chance that it is within. */
static void add_first(const struct group *group, size_t k, struct frs_at_k *sums) {
    double none = 1; /* chance that there is none in the places so far */
    for (size_t i = 1; i <= n_within(group, k) && none > 0; i++) {
        double left = (double)(group->size - i + 1), chance = none * (double)group->held_out / left;
        sums->mrr += chance / (double)(group->before + i);
        none *= (left - (double)group->held_out) / left;
    }
    sums->hit = 1 - none;
}

/* Each place of the group has a held-out item with the same chance, and each of the other places before it
 * one of those that are left. */
static void add_group(const struct group *group, size_t k, struct frs_at_k *sums) {
    double share = (double)group->held_out / (double)group->size,
           others = group->size > 1 ? (double)(group->held_out - 1) / (double)(group->size - 1) : 0;
    double gains = 0, precisions = 0;
    size_t n = n_within(group, k);
    for (size_t i = 1; i <= n; i++) {
        double found = (double)group->found + 1 + (double)(i - 1) * others;
        gains += gain(group->before + i);
        precisions += found / (double)(group->before + i);
    }
    sums->ndcg += share * gains;
    sums->map += share * precisions;
    sums->recall += share * (double)n;
    if (group->found == 0)
        add_first(group, k, sums);
}

struct frs_at_k frs_ranking_at(const struct frs_list_place *places, size_t m, size_t k) {
    struct frs_at_k figures = {0};
    for (size_t i = 0; i < m;) {
        const struct frs_list_place *first = &places[i];
        struct group group = {.before = first->above + i, .size = first->tied, .found = i};
        for (; i < m && places[i].above == first->above && places[i].tied == first->tied; i++) {
            group.held_out++;
            group.size++;
        }
        if (group.before >= k)
            break;
        add_group(&group, k, &figures);
    }
    figures.precision = figures.recall / (double)k;
    figures.recall /= (double)m;
    figures.map /= (double)(m < k ? m : k);
    figures.ndcg /= ideal(m, k);
    return figures;
}

double frs_ranking_auc(const struct frs_list_place *places, size_t m, size_t n_candidates) {
    double behind = 0;
    if (n_candidates == 0)
        return NAN;
    for (size_t i = 0; i < m; i++)
        behind += (double)(n_candidates - places[i].above) - (double)places[i].tied / 2;
    return behind / ((double)m * (double)n_candidates);
}
