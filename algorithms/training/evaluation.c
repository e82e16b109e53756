#include "algorithms/training/evaluation.h"
#include "algorithms/metrics/metrics.h"
#include "sim/base/arena.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USERS_PER_TASK 32u
#define ITEMS_PER_BLOCK 65536u /* of all users that are scored together: what they take is bounded */

struct frs_evaluation {
    const struct frs_data *data;
    size_t k;
    struct frs_pool *pool;
    struct frs_arena *arenas; /* [threads] */
    /* For each held-out interaction, in the data's order: its rank, or under explicit feedback its
     * predicted rating. Every rank below 2^24 is exact. */
    float *test, *validation;
    const struct frs_scorer *scorer; /* of the running batch */
};

static uint32_t n_users(const struct frs_data *data) {
    return data->population.n_clients * frs_users_per_client(&data->population);
}

static size_t n_held_out(const struct frs_data *data, const struct frs_held_out *held_out) {
    return held_out->start ? held_out->start[n_users(data)] : 0;
}

struct frs_evaluation *frs_evaluation_create(const struct frs_data *data, size_t k, struct frs_pool *pool) {
    struct frs_evaluation *evaluation = frs_alloc(1, sizeof *evaluation);
    *evaluation = (struct frs_evaluation){.data = data, .k = k, .pool = pool};
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

static void rank_all(const struct frs_evaluation *evaluation, const struct frs_held_out *held_out,
    uint32_t client, uint32_t *candidates, size_t n, float *scores, bool *others_scored, float *ranks) {
    const struct frs_scorer *scorer = evaluation->scorer;
    for (size_t i = held_out->start[client]; i < held_out->start[client + 1]; i++) {
        candidates[0] = held_out->items[i];
        /* The other candidates are the same for every held-out item of the client. */
        scorer->score(scorer->context, client, candidates, *others_scored ? 1 : n, scores);
        *others_scored = true;
        float rank = (float)frs_metric_rank(scores, n, 0);
        ranks[i] = isfinite(scores[0]) ? rank : -rank; /* a mark */
    }
}

static void predict_all(const struct frs_evaluation *evaluation, const struct frs_held_out *held_out,
    uint32_t user, float *scores, float *ratings) {
    const struct frs_population *population = &evaluation->data->population;
    const struct frs_scorer *scorer = evaluation->scorer;
    size_t first = held_out->start[user], n = held_out->start[user + 1] - first;
    scorer->score(scorer->context, user, held_out->items + first, n, scores);
    for (size_t i = 0; i < n; i++)
        ratings[first + i] = frs_rating_clip(population, scores[i]);
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
}

/* ---- a block of users at once ---------------------------------------------------------------- */

static size_t n_of(const struct frs_held_out *held_out, uint32_t user) {
    return held_out->start[user + 1] - held_out->start[user];
}

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
    const struct frs_held_out *held_out, size_t from, float *found) {
    const struct frs_population *population = &evaluation->data->population;
    uint32_t user = scored->client;
    size_t n_held_out = n_of(&evaluation->data->test, user) + n_of(&evaluation->data->validation, user);
    for (size_t i = 0; i < n_of(held_out, user); i++) {
        float score = scored->scores[from + i], *to = &found[held_out->start[user] + i];
        if (evaluation->data->explicit_feedback) {
            *to = frs_rating_clip(population, score);
            continue;
        }
        float *ranked = scored->scores + n_held_out - 1, kept = *ranked;
        *ranked = score;
        float rank = (float)frs_metric_rank(ranked, scored->n - n_held_out + 1, 0);
        *ranked = kept;
        *to = isfinite(score) ? rank : -rank; /* a mark */
    }
}

static void score_block(const struct frs_evaluation *evaluation, const struct frs_scoring *block, size_t n) {
    const struct frs_data *data = evaluation->data;
    evaluation->scorer->score_block(evaluation->scorer->context, block, n);
    for (size_t i = 0; i < n; i++) {
        note(evaluation, &block[i], &data->test, 0, evaluation->test);
        note(evaluation, &block[i], &data->validation, n_of(&data->test, block[i].client),
            evaluation->validation);
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
            score_block(evaluation, block, n);
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
    size_t n, not_finite;
    double hit, ndcg, absolute, squared;
};

static void add_user(const struct frs_evaluation *evaluation, const struct frs_held_out *held_out,
    const float *found, uint32_t user, struct sums *sums) {
    for (size_t i = held_out->start[user]; i < held_out->start[user + 1]; i++) {
        sums->n++;
        if (evaluation->data->explicit_feedback) {
            double error = (double)found[i] - (double)held_out->ratings[i];
            sums->absolute += fabs(error);
            sums->squared += error * error;
        } else {
            size_t rank = (size_t)fabsf(found[i]);
            sums->not_finite += found[i] < 0;
            sums->hit += frs_metric_hit(rank, evaluation->k);
            sums->ndcg += frs_metric_ndcg(rank, evaluation->k);
        }
    }
}

static struct frs_scores mean(const struct frs_evaluation *evaluation, const struct sums *sums) {
    struct frs_scores scores = {
        .n = sums->n, .not_finite = sums->not_finite, .hit = NAN, .ndcg = NAN, .mae = NAN, .rmse = NAN};
    if (sums->n == 0)
        return scores;
    double n = (double)sums->n;
    if (evaluation->data->explicit_feedback) {
        scores.mae = sums->absolute / n;
        scores.rmse = sqrt(sums->squared / n);
    } else {
        scores.hit = sums->hit / n;
        scores.ndcg = sums->ndcg / n;
    }
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
    return fabs((double)evaluation->test[test->start[client]]);
}

void frs_evaluation_archive(struct frs_evaluation *evaluation, struct frs_archive *archive) {
    const struct frs_data *data = evaluation->data;
    frs_archive_bytes(archive, evaluation->test, n_held_out(data, &data->test) * sizeof *evaluation->test);
    frs_archive_bytes(archive, evaluation->validation,
        n_held_out(data, &data->validation) * sizeof *evaluation->validation);
}
