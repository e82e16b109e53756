#include "algorithms/data/split.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The interactions [begin, end) of a user, at least two of them. */
struct history {
    const struct frs_interactions *interactions;
    size_t begin, end;
    const uint32_t *drawn; /* [end − begin] places at random, under FRS_TIES_RANDOM */
};

static bool older_by_time(const struct history *history, enum frs_ties ties, size_t a, size_t b) {
    const struct frs_interactions *interactions = history->interactions;
    if (ties == FRS_TIES_LATER || interactions->times[a] != interactions->times[b])
        return frs_interactions_older(interactions, a, b);
    if (ties == FRS_TIES_EARLIER)
        return interactions->rows[a] > interactions->rows[b];
    return history->drawn[a - history->begin] < history->drawn[b - history->begin];
}

static bool older(const struct history *history, const struct frs_leave_one_out *rule, size_t a, size_t b) {
    switch (rule->order) {
    case FRS_ORDER_TIME:
        return older_by_time(history, rule->ties, a, b);
    case FRS_ORDER_FILE:
        return history->interactions->rows[a] < history->interactions->rows[b];
    default:
        return a < b; /* by item id: the arranged order */
    }
}

static void find_newest(
    const struct history *history, const struct frs_leave_one_out *rule, size_t newest[2]) {
    newest[0] = history->begin;
    newest[1] = SIZE_MAX;
    for (size_t i = history->begin + 1; i < history->end; i++) {
        if (older(history, rule, newest[0], i)) {
            newest[1] = newest[0];
            newest[0] = i;
        } else if (newest[1] == SIZE_MAX || older(history, rule, newest[1], i)) {
            newest[1] = i;
        }
    }
}

static void draw_newest(uint64_t seed, uint32_t user, size_t begin, size_t end, size_t newest[2]) {
    struct frs_rng rng = frs_rng_stream(seed, user, 0, 0, FRS_RNG_ORDER);
    uint32_t drawn[2];
    frs_rng_sample(&rng, (uint32_t)(end - begin), 2, drawn);
    newest[0] = begin + drawn[0];
    newest[1] = begin + drawn[1];
}

void frs_split_leave_one_out(const struct frs_interactions *interactions,
    const struct frs_leave_one_out *rule, uint64_t seed, uint8_t *parts) {
    bool draws_ties = rule->order == FRS_ORDER_TIME && rule->ties == FRS_TIES_RANDOM;
    uint32_t *drawn = NULL;
    size_t capacity = 0;
    for (uint32_t user = 0; user < interactions->n_users; user++) {
        size_t begin = interactions->start[user], end = interactions->start[user + 1], newest[2];
        FRS_INVARIANT(end - begin >= 2, "user %u has no two interactions to split", user);
        if (draws_ties) {
            struct frs_rng rng = frs_rng_stream(seed, user, 0, 0, FRS_RNG_ORDER);
            drawn = frs_grow(drawn, end - begin, &capacity, sizeof *drawn);
            frs_rng_sample(&rng, (uint32_t)(end - begin), (uint32_t)(end - begin), drawn);
        }
        if (rule->order == FRS_ORDER_RANDOM)
            draw_newest(seed, user, begin, end, newest);
        else
            find_newest(&(struct history){interactions, begin, end, drawn}, rule, newest);
        parts[newest[0]] = FRS_PART_TEST;
        if (rule->validation == FRS_VALIDATION_HOLD_OUT)
            parts[newest[1]] = FRS_PART_VALIDATION;
    }
    free(drawn);
}

struct frs_ties_met frs_split_ties(const struct frs_interactions *interactions) {
    struct frs_ties_met met = {0};
    for (uint32_t user = 0; interactions->times && user < interactions->n_users; user++) {
        double newest[] = {-INFINITY, -INFINITY, -INFINITY};
        for (size_t i = interactions->start[user]; i < interactions->start[user + 1]; i++) {
            double time = interactions->times[i];
            for (size_t place = 0; place < 3; place++) {
                if (time > newest[place]) {
                    double older_time = newest[place];
                    newest[place] = time;
                    time = older_time;
                }
            }
        }
        met.test += newest[0] == newest[1];
        met.validation += newest[0] == newest[1] || newest[1] == newest[2];
    }
    return met;
}

struct frs_split_counts frs_split_counts(size_t n, double test_ratio, double validation_ratio) {
    struct frs_split_counts counts = {.test = (size_t)llround(test_ratio * (double)n),
        .validation = (size_t)llround(validation_ratio * (double)n)};
    counts.test = counts.test < n ? counts.test : n - 1;
    counts.validation = counts.test + counts.validation < n ? counts.validation : n - 1 - counts.test;
    return counts;
}

void frs_split_ratio(const struct frs_interactions *interactions, double test_ratio, double validation_ratio,
    uint64_t seed, uint8_t *parts) {
    uint32_t *drawn = NULL;
    size_t capacity = 0;
    for (uint32_t user = 0; user < interactions->n_users; user++) {
        size_t begin = interactions->start[user], n = interactions->start[user + 1] - begin;
        struct frs_split_counts counts = frs_split_counts(n, test_ratio, validation_ratio);
        size_t n_test = counts.test, n_validation = counts.validation;
        drawn = frs_grow(drawn, n, &capacity, sizeof *drawn);
        struct frs_rng rng = frs_rng_stream(seed, user, 0, 0, FRS_RNG_SPLIT);
        frs_rng_sample(&rng, (uint32_t)n, (uint32_t)(n_test + n_validation), drawn);
        for (size_t i = 0; i < n_test + n_validation; i++)
            parts[begin + drawn[i]] = i < n_test ? FRS_PART_TEST : FRS_PART_VALIDATION;
    }
    free(drawn);
}

static struct frs_held_out allocate_held_out(
    const struct frs_interactions *interactions, const uint8_t *parts, enum frs_part part) {
    struct frs_held_out held_out = {.start = frs_alloc((size_t)interactions->n_users + 1, sizeof(size_t))};
    size_t n = 0;
    for (uint32_t user = 0; user < interactions->n_users; user++) {
        for (size_t i = interactions->start[user]; i < interactions->start[user + 1]; i++)
            n += parts[i] == part;
        held_out.start[user + 1] = n;
    }
    held_out.items = frs_alloc(n, sizeof *held_out.items);
    held_out.ratings = frs_alloc(n, sizeof *held_out.ratings);
    return held_out;
}

static void copy_user(const struct frs_interactions *interactions, const uint8_t *parts, uint32_t user,
    struct frs_data *data, size_t *n_training) {
    struct frs_held_out *held_out[] = {
        [FRS_PART_VALIDATION] = &data->validation, [FRS_PART_TEST] = &data->test};
    size_t at[] = {*n_training, data->validation.start[user], data->test.start[user]};
    for (size_t i = interactions->start[user]; i < interactions->start[user + 1]; i++) {
        bool training = parts[i] == FRS_PART_TRAINING;
        uint32_t *items = training ? data->training_items : held_out[parts[i]]->items;
        float *ratings = training ? data->training_ratings : held_out[parts[i]]->ratings;
        items[at[parts[i]]] = interactions->items[i];
        ratings[at[parts[i]]++] = data->explicit_feedback ? interactions->values[i] : 1;
    }
    data->clients[user] = (struct frs_client_data){
        .client = user,
        .items = data->training_items + *n_training,
        .ratings = data->training_ratings + *n_training,
        .n = at[FRS_PART_TRAINING] - *n_training,
    };
    *n_training = at[FRS_PART_TRAINING];
}

static void find_scale(const struct frs_interactions *interactions, struct frs_data *data) {
    struct frs_population *population = &data->population;
    population->rating_min = population->rating_max = data->explicit_feedback ? interactions->values[0] : 1;
    for (size_t i = 1; data->explicit_feedback && i < interactions->n; i++) {
        population->rating_min = fminf(population->rating_min, interactions->values[i]);
        population->rating_max = fmaxf(population->rating_max, interactions->values[i]);
    }
}

void frs_split_apply(
    const struct frs_interactions *interactions, const uint8_t *parts, struct frs_data *data) {
    data->validation = allocate_held_out(interactions, parts, FRS_PART_VALIDATION);
    data->test = allocate_held_out(interactions, parts, FRS_PART_TEST);
    size_t n_held_out =
        data->validation.start[interactions->n_users] + data->test.start[interactions->n_users];
    data->training_items = frs_alloc(interactions->n - n_held_out, sizeof *data->training_items);
    data->training_ratings = frs_alloc(interactions->n - n_held_out, sizeof *data->training_ratings);
    data->clients = frs_alloc(interactions->n_users, sizeof *data->clients);
    size_t n_training = 0;
    for (uint32_t user = 0; user < interactions->n_users; user++)
        copy_user(interactions, parts, user, data, &n_training);
    data->n_interactions = interactions->n;
    data->population.n_clients = interactions->n_users;
    data->population.n_items = interactions->n_items;
    data->population.clients = data->clients;
    find_scale(interactions, data);
}

static size_t append_held_out(
    const struct frs_held_out *held_out, uint32_t client, uint32_t *items, size_t n) {
    size_t added = held_out->start[client + 1] - held_out->start[client];
    memcpy(items + n, held_out->items + held_out->start[client], added * sizeof *items);
    return n + added;
}

size_t frs_split_held_out(const struct frs_data *data, uint32_t client) {
    return data->validation.start[client + 1] - data->validation.start[client] +
           data->test.start[client + 1] - data->test.start[client];
}

size_t frs_split_all_items(const struct frs_data *data, uint32_t client, uint32_t *items) {
    const struct frs_client_data *own = &data->clients[client];
    memcpy(items, own->items, own->n * sizeof *items);
    size_t n = append_held_out(&data->validation, client, items, own->n);
    n = append_held_out(&data->test, client, items, n);
    qsort(items, n, sizeof *items, frs_compare_uint32s);
    return n;
}
