/* The server of PTF-FedRec: what it trains on, and what it sends each client. */
#include "algorithms/learners/ptf_fedrec.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- what clients are sent ------------------------------------------------------------------- */

static void archive(void *store, struct frs_archive *archive) {
    struct frs_ptf *model = store;
    for (size_t u = 0; u < model->graph.n_users; u++) {
        bool any = model->knowledge[u];
        frs_archive_bools(archive, &any, 1);
        if (frs_archive_loads(archive)) {
            free(model->knowledge[u]);
            model->knowledge[u] = any ? frs_alloc(2 * model->sent, sizeof(float)) : NULL;
        }
        if (model->knowledge[u])
            frs_archive_bytes(archive, model->knowledge[u], 2 * model->sent * sizeof(float));
    }
}

static void destroy(void *store) {
    struct frs_ptf *model = store;
    for (size_t u = 0; u < model->graph.n_users; u++)
        free(model->knowledge[u]);
    free(model->knowledge);
}

static const struct frs_store_type sent_type = {.archive = archive, .destroy = destroy};

void frs_ptf_declare_sent(struct frs_ptf *model) {
    model->knowledge = frs_alloc(model->graph.n_users, sizeof *model->knowledge);
    frs_model_table(&model->base, (struct frs_table){.name = "knowledge",
                                      .owner = FRS_OF_RECEIVER,
                                      .rows = model->sent,
                                      .dim = 2,
                                      .of_client = model->knowledge,
                                      .lasting = true});
    frs_model_store(&model->base, (struct frs_store){.type = &sent_type, .self = model});
}

struct ranked {
    uint32_t item;
    float key;
};

static int by_key(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key) - (x->key > y->key)
                            : (x->item > y->item) - (x->item < y->item);
}

/* The items by falling key. */
static struct ranked *rank(const float *keys, size_t n, struct frs_arena *arena) {
    struct ranked *all = frs_arena_take(arena, n, sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (struct ranked){i, keys[i]};
    qsort(all, n, sizeof *all, by_key);
    return all;
}

/* Memory of one client after the other. */
struct sending {
    const struct ranked *by_number; /* of scores that have arrived */
    uint32_t *items;                /* [n_items]: all of them */
    float *scores;                  /* [n_items] */
    struct ranked *highest;         /* [sent + 1] */
    bool *taken;                    /* [n_items] scored by the client, or on the list */
};

/* The `sent` items with the highest scores, by falling score. */
static size_t find_highest(const struct frs_ptf *model, const struct sending *s) {
    size_t n = 0;
    for (uint32_t i = 0; i < model->graph.n_items; i++) {
        size_t at = n;
        while (at > 0 && s->highest[at - 1].key < s->scores[i])
            at--;
        if (at == model->sent)
            continue;
        memmove(s->highest + at + 1, s->highest + at, (n - at) * sizeof *s->highest);
        s->highest[at] = (struct ranked){i, s->scores[i]};
        n = n < model->sent ? n + 1 : n;
    }
    return n;
}

/* Half of the list by the number of scores, the rest from the items with the highest ones, as far as the
 * client has not scored them. It ends at the number of the client's items. */
static void fill(struct frs_ptf *model, const struct frs_contribution *contribution, struct sending *s) {
    const struct frs_rows *rows = &contribution->parts[0];
    size_t n_items = model->graph.n_items, n = 0;
    size_t most = contribution->samples < model->sent ? contribution->samples : model->sent;
    float **knowledge = &model->knowledge[contribution->client];
    if (!*knowledge)
        *knowledge = frs_alloc(2 * model->sent, sizeof **knowledge);
    memset(s->taken, 0, n_items * sizeof *s->taken);
    for (size_t i = 0; i < rows->n; i++)
        s->taken[rows->ids ? rows->ids[i] : i] = true;
    frs_score_graph_predict(&model->graph, contribution->client, s->items, n_items, s->scores);
    size_t n_highest = find_highest(model, s);
    const struct ranked *lists[] = {s->by_number, s->highest};
    for (size_t list = 0; list < 2; list++)
        for (size_t i = 0, half = 0; i < (list ? n_highest : n_items) && half < (model->sent + 1 - list) / 2;
             i++) {
            uint32_t item = lists[list][i].item;
            if (s->taken[item])
                continue;
            s->taken[item] = true;
            half++;
            if (n < most) {
                (*knowledge)[2 * n] = (float)item;
                (*knowledge)[2 * n++ + 1] = s->scores[item];
            }
        }
    for (; n < model->sent; n++) {
        (*knowledge)[2 * n] = -1;
        (*knowledge)[2 * n + 1] = 0;
    }
}

static void fill_all(
    struct frs_ptf *model, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    size_t n_items = model->graph.n_items;
    struct sending s = {.by_number = rank(model->arrived, n_items, arena),
        .items = frs_arena_take(arena, n_items, sizeof *s.items),
        .scores = frs_arena_take(arena, n_items, sizeof *s.scores),
        .highest = frs_arena_take(arena, model->sent + 1, sizeof *s.highest),
        .taken = frs_arena_take(arena, n_items, sizeof *s.taken)};
    for (uint32_t i = 0; i < n_items; i++)
        s.items[i] = i;
    for (size_t c = 0; c < n; c++)
        if (contributions[c].parts[0].n > 0)
            fill(model, &contributions[c], &s);
}

/* ---- a round --------------------------------------------------------------------------------- */

/* Lossy codecs may leave a score outside of 0 … 1. */
static float clip(float score) {
    return score < 0 ? 0 : score > 1 ? 1 : score;
}

static struct frs_scores take_scores(
    struct frs_ptf *model, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    size_t most = 0;
    for (size_t c = 0; c < n; c++)
        most += contributions[c].parts[0].n;
    struct frs_scores scores = {.users = frs_arena_take(arena, most, sizeof *scores.users),
        .items = frs_arena_take(arena, most, sizeof *scores.items),
        .values = frs_arena_take(arena, most, sizeof *scores.values)};
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < contributions[c].parts[0].n; i++) {
            const struct frs_rows *rows = &contributions[c].parts[0];
            scores.users[scores.n] = contributions[c].client;
            scores.items[scores.n] = rows->ids ? rows->ids[i] : (uint32_t)i;
            scores.values[scores.n] = clip(rows->values[i]);
            model->arrived[scores.items[scores.n++]]++;
        }
    return scores;
}

void frs_ptf_aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct frs_ptf *model = context;
    (void)update;
    struct frs_scores scores = take_scores(model, contributions, n, arena);
    struct frs_rng rng = frs_rng_stream(
        model->base.setup.population->seed, FRS_RNG_SERVER, model->trainings, 0, FRS_RNG_SHUFFLE);
    if (scores.n == 0)
        return;
    model->trainings++;
    frs_score_graph_train(&model->graph, &scores, &rng, arena);
    fill_all(model, contributions, n, arena);
}

/* For each client scores of all items, and a comparison of each with those on its list. */
double frs_ptf_aggregate_flop(const void *context, size_t n, double values) {
    const struct frs_ptf *model = context;
    return values + frs_score_graph_flop(&model->graph, values) +
           (double)n * (double)model->graph.n_items * (2 * (double)model->graph.dim + 5);
}
