#include "algorithms/training/evaluation.h"
#include "algorithms/metrics/metrics.h"
#include "sim/base/arena.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USERS_PER_TASK 32u
#define ITEMS_PER_BLOCK 65536u /* of all users that are scored together: what they take is bounded */

/* What an evaluation says of one held-out interaction: */
struct found {
    float
        value; /* its rank with the ties that are left in its favour, or under explicit feedback its predicted
                  rating. Every rank below 2^24 is exact; a negative one marks a score that is not a number */
    float tied; /* candidates of the same score */
};

struct frs_evaluation {
    const struct frs_data *data;
    struct frs_list_rules ranking;
    struct frs_pool *pool;
    struct frs_arena *arenas;        /* [threads] */
    struct found *test, *validation; /* [held-out interactions], in the data's order */
    size_t most_held_out;            /* of one user, in one of the two parts */
    struct frs_list_place *places;   /* [most_held_out], for the sums */
    const struct frs_scorer *scorer; /* of the running batch */
};

static uint32_t n_users(const struct frs_data *data) {
    return data->population.n_clients * frs_users_per_client(&data->population);
}

static size_t n_held_out(const struct frs_data *data, const struct frs_held_out *held_out) {
    return held_out->start ? held_out->start[n_users(data)] : 0;
}

static size_t n_of(const struct frs_held_out *held_out, uint32_t user) {
    return held_out->start ? held_out->start[user + 1] - held_out->start[user] : 0;
}

static size_t most_held_out(const struct frs_data *data) {
    size_t most = 0;
    for (uint32_t user = 0; user < n_users(data); user++) {
        size_t test = n_of(&data->test, user), validation = n_of(&data->validation, user);
        most = test > most ? test : most;
        most = validation > most ? validation : most;
    }
    return most;
}

struct frs_evaluation *frs_evaluation_create(
    const struct frs_data *data, const struct frs_list_rules *ranking, struct frs_pool *pool) {
    struct frs_evaluation *evaluation = frs_alloc(1, sizeof *evaluation);
    *evaluation = (struct frs_evaluation){
        .data = data, .ranking = *ranking, .pool = pool, .most_held_out = most_held_out(data)};
    evaluation->places = frs_alloc(evaluation->most_held_out, sizeof *evaluation->places);
    evaluation->arenas = frs_alloc(frs_pool_threads(pool), sizeof *evaluation->arenas);
    evaluation->test = frs_alloc(n_held_out(data, &data->test), sizeof *evaluation->test);
    evaluation->validation = frs_alloc(n_held_out(data, &data->validation), sizeof *evaluation->validation);
    return evaluation;
}

void frs_evaluation_destroy(struct frs_evaluation *evaluation) {
    if (!evaluation)
        return;
    for (size_t i = 0; i < frs_pool_threads(evaluation->pool); i++)
        frs_arena_fini(&evaluation->arenas[i]);
    free(evaluation->arenas);
    free(evaluation->places);
    free(evaluation->test);
    free(evaluation->validation);
    free(evaluation);
}

static void mark_held_out(const struct frs_held_out *held_out, uint32_t client, bool *met) {
    for (size_t i = held_out->start[client]; i < held_out->start[client + 1]; i++)
        met[held_out->items[i]] = true;
}

/* Lists the items among which a held-out one is ranked: the client's sampled negatives, or all items with
 * which it never interacted. Leaves place 0 for the held-out item. Returns the number of candidates, place
 * 0 included. */
static size_t list_candidates(
    const struct frs_data *data, uint32_t client, uint32_t *candidates, struct frs_arena *arena) {
    if (data->n_negatives > 0) {
        memcpy(candidates + 1, data->negatives + client * data->n_negatives,
            data->n_negatives * sizeof *candidates);
        return 1 + data->n_negatives;
    }
    const struct frs_client_data *own = &data->population.clients[client];
    size_t n_items = data->population.n_items, n = 1;
    bool *met = frs_arena_take_zeroed(arena, n_items, sizeof *met);
    for (size_t i = 0; i < own->n; i++)
        met[own->items[i]] = true;
    mark_held_out(&data->test, client, met);
    mark_held_out(&data->validation, client, met);
    for (uint32_t item = 0; item < n_items; item++) { /* without branches; there is room for one more */
        candidates[n] = item;
        n += !met[item];
    }
    return n;
}

/* The place of the held-out item whose score is the first of n, those of the candidates behind it. */
static struct found place_of(const struct frs_evaluation *evaluation, const float *scores, size_t n) {
    float rank = (float)frs_metric_rank(scores, n, 0), tied = 0;
    if (evaluation->ranking.ties != FRS_SCORES_AGAINST)
        tied = (float)frs_metric_tied(scores, n, 0);
    return (struct found){.value = isfinite(scores[0]) ? rank - tied : -rank, .tied = tied};
}

/* The held-out items that are tied with the one at `first`, and with the same candidates, get places that are
 * drawn among those of all of them. */
static void draw_order(
    struct found *found, size_t n, size_t first, struct frs_rng *rng, struct frs_arena *arena) {
    struct found tie = found[first];
    size_t n_tied = 0;
    for (size_t i = first; i < n; i++)
        n_tied += found[i].value == tie.value && found[i].tied == tie.tied;
    uint32_t *places = frs_arena_take(arena, n_tied, sizeof *places);
    frs_rng_sample(rng, (uint32_t)tie.tied + (uint32_t)n_tied, (uint32_t)n_tied, places);
    qsort(places, n_tied, sizeof *places, frs_compare_uint32s);
    for (size_t i = first, drawn = 0; i < n; i++)
        if (found[i].value == tie.value && found[i].tied == tie.tied) {
            found[i] = (struct found){.value = tie.value + (float)(places[drawn] - drawn)};
            drawn++;
        }
}

/* Under `random`: an order of equal scores for the part of a user, the same in every evaluation. */
static void draw_orders(const struct frs_evaluation *evaluation, const struct frs_held_out *held_out,
    uint32_t user, struct found *found, struct frs_arena *arena) {
    uint32_t part = held_out == &evaluation->data->validation;
    struct frs_rng rng;
    bool draws = false;
    found += held_out->start[user];
    for (size_t i = 0, n = n_of(held_out, user); i < n; i++) {
        if (!(found[i].tied > 0))
            continue;
        if (!draws)
            rng = frs_rng_stream(evaluation->data->population.seed, user, part, 0, FRS_RNG_SCORE_TIES);
        draws = true;
        draw_order(found, n, i, &rng, arena);
    }
}

static void break_ties(const struct frs_evaluation *evaluation, uint32_t user, struct frs_arena *arena) {
    if (evaluation->ranking.ties != FRS_SCORES_RANDOM || evaluation->data->explicit_feedback)
        return;
    draw_orders(evaluation, &evaluation->data->test, user, evaluation->test, arena);
    draw_orders(evaluation, &evaluation->data->validation, user, evaluation->validation, arena);
}

static void rank_all(const struct frs_evaluation *evaluation, const struct frs_held_out *held_out,
    uint32_t client, uint32_t *candidates, size_t n, float *scores, bool *others_scored,
    struct found *found) {
    const struct frs_scorer *scorer = evaluation->scorer;
    for (size_t i = held_out->start[client]; i < held_out->start[client + 1]; i++) {
        candidates[0] = held_out->items[i];
        /* The other candidates are the same for every held-out item of the client. */
        scorer->score(scorer->context, client, candidates, *others_scored ? 1 : n, scores);
        *others_scored = true;
        found[i] = place_of(evaluation, scores, n);
    }
}

static void predict_all(const struct frs_evaluation *evaluation, const struct frs_held_out *held_out,
    uint32_t user, float *scores, struct found *ratings) {
    const struct frs_population *population = &evaluation->data->population;
    const struct frs_scorer *scorer = evaluation->scorer;
    size_t first = held_out->start[user], n = held_out->start[user + 1] - first;
    scorer->score(scorer->context, user, held_out->items + first, n, scores);
    for (size_t i = 0; i < n; i++)
        ratings[first + i] = (struct found){.value = frs_rating_clip(population, scores[i])};
}

/* Under implicit feedback a client ranks. Ratings are predicted for users, and a client may hold several
 * of them. */
static void evaluate_user(const struct frs_evaluation *evaluation, uint32_t user, struct frs_arena *arena) {
    const struct frs_data *data = evaluation->data;
    size_t n_items = data->population.n_items;
    frs_arena_reset(arena);
    float *scores = frs_arena_take(arena, n_items + 1, sizeof *scores);
    if (data->explicit_feedback) {
        predict_all(evaluation, &data->test, user, scores, evaluation->test);
        predict_all(evaluation, &data->validation, user, scores, evaluation->validation);
        return;
    }
    uint32_t *candidates = frs_arena_take(arena, n_items + 2, sizeof *candidates);
    size_t n = list_candidates(data, user, candidates, arena);
    bool others_scored = false;
    rank_all(evaluation, &data->test, user, candidates, n, scores, &others_scored, evaluation->test);
    rank_all(
        evaluation, &data->validation, user, candidates, n, scores, &others_scored, evaluation->validation);
    break_ties(evaluation, user, arena);
}

/* ---- a block of users at once ---------------------------------------------------------------- */

/* The user's held-out items, those of the test first, and behind them what they are ranked among. */
static struct frs_scoring list_items(
    const struct frs_evaluation *evaluation, uint32_t user, struct frs_arena *arena) {
    const struct frs_data *data = evaluation->data;
    size_t n_test = n_of(&data->test, user), n_validation = n_of(&data->validation, user);
    size_t n = n_test + n_validation,
           room = data->explicit_feedback ? 0 : data->n_negatives + data->population.n_items + 1;
    uint32_t *items = frs_arena_take(arena, n + room + 1, sizeof *items);
    for (size_t i = 0; i < n_test; i++)
        items[i] = data->test.items[data->test.start[user] + i];
    for (size_t i = 0; i < n_validation; i++)
        items[n_test + i] = data->validation.items[data->validation.start[user] + i];
    if (n > 0 && !data->explicit_feedback)
        n += list_candidates(data, user, items + n - 1, arena) - 1; /* leaves the last held-out item */
    return (struct frs_scoring){
        .client = user, .items = items, .n = n, .scores = frs_arena_take(arena, n + 1, sizeof(float))};
}

/* What scores of held-out items say, the scores of the other candidates lying behind the last of them. */
static void note(const struct frs_evaluation *evaluation, const struct frs_scoring *scored,
    const struct frs_held_out *held_out, size_t from, struct found *found) {
    const struct frs_population *population = &evaluation->data->population;
    uint32_t user = scored->client;
    size_t n_held_out = n_of(&evaluation->data->test, user) + n_of(&evaluation->data->validation, user);
    for (size_t i = 0; i < n_of(held_out, user); i++) {
        float score = scored->scores[from + i];
        struct found *to = &found[held_out->start[user] + i];
        if (evaluation->data->explicit_feedback) {
            *to = (struct found){.value = frs_rating_clip(population, score)};
            continue;
        }
        float *ranked = scored->scores + n_held_out - 1, kept = *ranked;
        *ranked = score;
        *to = place_of(evaluation, ranked, scored->n - n_held_out + 1);
        *ranked = kept;
    }
}

static void score_block(const struct frs_evaluation *evaluation, const struct frs_scoring *block, size_t n,
    struct frs_arena *arena) {
    const struct frs_data *data = evaluation->data;
    evaluation->scorer->score_block(evaluation->scorer->context, block, n);
    for (size_t i = 0; i < n; i++) {
        note(evaluation, &block[i], &data->test, 0, evaluation->test);
        note(evaluation, &block[i], &data->validation, n_of(&data->test, block[i].client),
            evaluation->validation);
        break_ties(evaluation, block[i].client, arena);
    }
}

/* Which users are scored together follows from their items alone, not from threads. */
static void evaluate_together(
    const struct frs_evaluation *evaluation, uint32_t first, uint32_t end, struct frs_arena *arena) {
    struct frs_scoring block[USERS_PER_TASK];
    size_t n = 0, n_items = 0;
    frs_arena_reset(arena);
    for (uint32_t user = first; user < end; user++) {
        block[n] = list_items(evaluation, user, arena);
        n_items += block[n].n;
        n += block[n].n > 0;
        if (n > 0 && (n_items >= ITEMS_PER_BLOCK || user + 1 == end)) {
            score_block(evaluation, block, n, arena);
            n = n_items = 0;
            frs_arena_reset(arena);
        }
    }
}

static void evaluate_users(
    const struct frs_evaluation *evaluation, uint32_t first, uint32_t end, struct frs_arena *arena) {
    if (evaluation->scorer->score_block)
        evaluate_together(evaluation, first, end, arena);
    else
        for (uint32_t user = first; user < end; user++)
            evaluate_user(evaluation, user, arena);
}

static void evaluate_task(void *context, size_t task, size_t thread) {
    struct frs_evaluation *evaluation = context;
    size_t n = n_users(evaluation->data), first = task * USERS_PER_TASK, end = first + USERS_PER_TASK;
    evaluate_users(evaluation, (uint32_t)first, (uint32_t)(end < n ? end : n), &evaluation->arenas[thread]);
}

void frs_evaluation_run(struct frs_evaluation *evaluation, const struct frs_scorer *scorer) {
    evaluation->scorer = scorer;
    size_t n_tasks = (n_users(evaluation->data) + USERS_PER_TASK - 1) / USERS_PER_TASK;
    frs_pool_start(evaluation->pool, evaluate_task, evaluation, n_tasks);
    frs_pool_finish(evaluation->pool);
    evaluation->scorer = NULL;
}

void frs_evaluation_run_client(
    struct frs_evaluation *evaluation, const struct frs_scorer *scorer, uint32_t client) {
    uint32_t each = frs_users_per_client(&evaluation->data->population);
    evaluation->scorer = scorer;
    for (uint32_t user = client * each; user < (client + 1) * each; user++)
        evaluate_users(evaluation, user, user + 1, &evaluation->arenas[0]);
    evaluation->scorer = NULL;
}

struct sums {
    size_t n, not_finite, n_with_candidates;
    struct frs_at_k at[FRS_CUT_OFFS_MOST];
    double auc, absolute, squared;
};

static void add_errors(
    const struct frs_held_out *held_out, const struct found *found, uint32_t user, struct sums *sums) {
    for (size_t i = held_out->start[user]; i < held_out->start[user + 1]; i++) {
        double error = (double)found[i].value - (double)held_out->ratings[i];
        sums->n++;
        sums->absolute += fabs(error);
        sums->squared += error * error;
    }
}

static int compare_places(const void *a, const void *b) {
    const struct frs_list_place *x = a, *y = b;
    return x->above != y->above ? (x->above > y->above) - (x->above < y->above)
                                : (x->tied > y->tied) - (x->tied < y->tied);
}

static size_t n_candidates(const struct frs_data *data, uint32_t user) {
    if (data->n_negatives > 0)
        return data->n_negatives;
    return data->population.n_items - data->population.clients[user].n - n_of(&data->test, user) -
           n_of(&data->validation, user);
}

static void add_places(const struct frs_evaluation *evaluation, size_t m, uint32_t user, struct sums *sums) {
    double auc = frs_ranking_auc(evaluation->places, m, n_candidates(evaluation->data, user));
    sums->n++;
    if (!isnan(auc)) {
        sums->auc += auc;
        sums->n_with_candidates++;
    }
    for (size_t i = 0; i < evaluation->ranking.n; i++) {
        struct frs_at_k at = frs_ranking_at(evaluation->places, m, evaluation->ranking.k[i]),
                        *to = &sums->at[i];
        to->hit += at.hit;
        to->ndcg += at.ndcg;
        to->recall += at.recall;
        to->precision += at.precision;
        to->mrr += at.mrr;
        to->map += at.map;
    }
}

static void add_user(const struct frs_evaluation *evaluation, const struct frs_held_out *held_out,
    const struct found *found, uint32_t user, struct sums *sums) {
    if (evaluation->data->explicit_feedback) {
        add_errors(held_out, found, user, sums);
        return;
    }
    size_t m = n_of(held_out, user);
    found += m > 0 ? held_out->start[user] : 0;
    for (size_t i = 0; i < m; i++) {
        sums->not_finite += found[i].value < 0;
        evaluation->places[i] = (struct frs_list_place){
            .above = (size_t)fabsf(found[i].value) - 1, .tied = (size_t)found[i].tied};
    }
    if (m > 1)
        qsort(evaluation->places, m, sizeof *evaluation->places, compare_places);
    if (m > 0)
        add_places(evaluation, m, user, sums);
}

static struct frs_scores mean(const struct frs_evaluation *evaluation, const struct sums *sums) {
    struct frs_scores scores = frs_no_scores();
    double n = (double)sums->n;
    scores.n = sums->n;
    scores.not_finite = sums->not_finite;
    if (sums->n == 0)
        return scores;
    if (evaluation->data->explicit_feedback) {
        scores.mae = sums->absolute / n;
        scores.rmse = sqrt(sums->squared / n);
        return scores;
    }
    for (size_t i = 0; i < evaluation->ranking.n; i++) {
        const struct frs_at_k *at = &sums->at[i];
        scores.at[i] = (struct frs_at_k){
            at->hit / n, at->ndcg / n, at->recall / n, at->precision / n, at->mrr / n, at->map / n};
    }
    if (sums->n_with_candidates > 0)
        scores.auc = sums->auc / (double)sums->n_with_candidates;
    return scores;
}

struct frs_quality frs_evaluation_quality(const struct frs_evaluation *evaluation, const bool *trained) {
    const struct frs_data *data = evaluation->data;
    struct sums test = {0}, validation = {0}, participants = {0};
    uint32_t n_clients = data->population.n_clients, each = frs_users_per_client(&data->population),
             n_trained = 0;
    for (uint32_t user = 0; user < n_clients * each; user++) {
        add_user(evaluation, &data->test, evaluation->test, user, &test);
        add_user(evaluation, &data->validation, evaluation->validation, user, &validation);
        if (!trained || trained[user / each])
            add_user(evaluation, &data->test, evaluation->test, user, &participants);
    }
    for (uint32_t client = 0; client < n_clients; client++)
        n_trained += !trained || trained[client];
    return (struct frs_quality){.test = mean(evaluation, &test),
        .validation = mean(evaluation, &validation),
        .participants = mean(evaluation, &participants),
        .participants_share = (double)n_trained / n_clients};
}

struct frs_scores frs_evaluation_client(const struct frs_evaluation *evaluation, uint32_t client) {
    struct sums sums = {0};
    uint32_t each = frs_users_per_client(&evaluation->data->population);
    for (uint32_t user = client * each; user < (client + 1) * each; user++)
        add_user(evaluation, &evaluation->data->test, evaluation->test, user, &sums);
    return mean(evaluation, &sums);
}

double frs_evaluation_rank(const struct frs_evaluation *evaluation, uint32_t client) {
    const struct frs_held_out *test = &evaluation->data->test;
    if (evaluation->data->explicit_feedback || test->start[client] == test->start[client + 1])
        return NAN;
    const struct found *first = &evaluation->test[test->start[client]];
    return fabs((double)first->value) + (double)first->tied / 2;
}

void frs_evaluation_archive(struct frs_evaluation *evaluation, struct frs_archive *archive) {
    const struct frs_data *data = evaluation->data;
    frs_archive_bytes(archive, evaluation->test, n_held_out(data, &data->test) * sizeof *evaluation->test);
    frs_archive_bytes(archive, evaluation->validation,
        n_held_out(data, &data->validation) * sizeof *evaluation->validation);
}
