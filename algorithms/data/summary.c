#include "algorithms/data/summary.h"
#include "algorithms/data/preparation/core.h"
#include "algorithms/data/load_internal.h"
#include "algorithms/data/preparation/unrated.h"
#include "algorithms/data/read_rows.h"
#include "algorithms/data/settings.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count_values(const struct frs_rows *rows, struct frs_data_summary *out) {
    out->least_value = INFINITY;
    out->most_value = -INFINITY;
    for (size_t row = 0; row < rows->n; row++) {
        double value = rows->values[row];
        size_t at = 0;
        out->least_value = fmin(out->least_value, value);
        out->most_value = fmax(out->most_value, value);
        out->n_not_positive += !(value > 0);
        if (out->n_values == SIZE_MAX)
            continue;
        while (at < out->n_values && out->values[at].value < value)
            at++;
        if (at < out->n_values && out->values[at].value == value) {
            out->values[at].n++;
            continue;
        }
        if (out->n_values == FRS_SUMMARY_VALUES) {
            out->n_values = SIZE_MAX;
            continue;
        }
        memmove(out->values + at + 1, out->values + at, (out->n_values - at) * sizeof *out->values);
        out->values[at].value = value;
        out->values[at].n = 1;
        out->n_values++;
    }
    for (size_t row = 0; row < rows->n; row++) {
        out->n_least_value += (double)rows->values[row] == out->least_value;
        out->n_most_value += (double)rows->values[row] == out->most_value;
    }
    for (size_t i = 1; out->n_values != SIZE_MAX && i < out->n_values; i++) {
        double step = out->values[i].value - out->values[i - 1].value;
        out->step = out->step > 0 ? fmin(out->step, step) : step;
    }
}

static void find_unrated(const struct frs_rows *rows, double unrated, struct frs_data_summary *out) {
    struct frs_unrated found = {0};
    if (rows->rated)
        found = frs_unrated_find(rows, -INFINITY, unrated);
    out->unrated = frs_unrated_text(&found);
}

static void find_times(const struct frs_rows *rows, struct frs_data_summary *out) {
    out->timed = rows->times != NULL;
    out->first_time = INFINITY;
    out->last_time = -INFINITY;
    for (size_t row = 0; out->timed && row < rows->n; row++) {
        out->first_time = fmin(out->first_time, rows->times[row]);
        out->last_time = fmax(out->last_time, rows->times[row]);
    }
}

static struct frs_summary_counts counts_of(uint32_t *counts, uint32_t n) {
    qsort(counts, n, sizeof *counts, frs_compare_uint32s);
    return (struct frs_summary_counts){
        .n = n, .least = counts[0], .median = counts[n / 2], .most = counts[n - 1]};
}

static void count_activity(const struct frs_interactions *interactions, struct frs_data_summary *out) {
    uint32_t *of_user = frs_alloc(interactions->n_users, sizeof *of_user),
             *of_item = frs_alloc(interactions->n_items, sizeof *of_item);
    for (uint32_t user = 0; user < interactions->n_users; user++)
        of_user[user] = (uint32_t)(interactions->start[user + 1] - interactions->start[user]);
    for (size_t i = 0; i < interactions->n; i++)
        of_item[interactions->items[i]]++;
    out->users = counts_of(of_user, interactions->n_users);
    out->items = counts_of(of_item, interactions->n_items);
    free(of_user);
    free(of_item);
}

/* [interactions->n]: the user of each. */
static uint32_t *users_of(const struct frs_interactions *interactions) {
    uint32_t *users = frs_alloc(interactions->n, sizeof *users);
    for (uint32_t user = 0; user < interactions->n_users; user++)
        for (size_t i = interactions->start[user]; i < interactions->start[user + 1]; i++)
            users[i] = user;
    return users;
}

/* Keeps interactions with values from `from` on, then the core of them. */
static void prepare(const struct frs_interactions *interactions, double from, const struct frs_core *core,
    struct frs_summary_preparation *out) {
    uint32_t *order = frs_alloc(interactions->n, sizeof *order), last = UINT32_MAX;
    bool *has_item = frs_alloc(interactions->n_items, sizeof *has_item);
    size_t n = 0;
    for (size_t i = 0; i < interactions->n; i++)
        if (interactions->values[i] >= (float)from)
            order[n++] = (uint32_t)i;
    out->interactions = n = frs_core_keep(core, order, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t user = core->users[order[i]], item = core->items[order[i]];
        out->users += user != last;
        out->items += !has_item[item];
        has_item[item] = true;
        last = user;
    }
    free(order);
    free(has_item);
}

/* The smallest positive number: what implicit feedback takes. */
#define POSITIVE 1e-45

static void add(const struct frs_interactions *interactions, struct frs_core core, double from,
    const char *settings, struct frs_data_summary *out) {
    struct frs_summary_preparation *preparation = &out->preparations[out->n_preparations++];
    snprintf(preparation->settings, sizeof preparation->settings, "%s", settings);
    prepare(interactions, from, &core, preparation);
}

static struct frs_core core_of(struct frs_core core, size_t min_interactions, size_t min_users_per_item) {
    core.min_interactions = min_interactions;
    core.min_users_per_item = min_users_per_item;
    return core;
}

static void add_preparations(const struct frs_interactions *interactions, struct frs_data_summary *out) {
    char text[96];
    /* Leave-one-out holds out two interactions of every user; a given split needs no more than one. */
    const size_t least[] = {out->n_given[1] > 0 ? 1 : 3, 5, 10, 20};
    uint32_t *users = users_of(interactions);
    const struct frs_core of = {
        .users = users, .items = interactions->items, .n_items = interactions->n_items};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        snprintf(text, sizeof text, "min_interactions = %zu", least[i]);
        add(interactions, core_of(of, least[i], 1), POSITIVE, text, out);
    }
    out->least_interactions = least[0];
    add(interactions, core_of(of, 5, 5), POSITIVE, "5-core of users and items", out);
    add(interactions, core_of(of, 10, 10), POSITIVE, "10-core of users and items", out);
    if (out->rated && out->most_value == 5 && out->least_value < 4)
        add(interactions, core_of(of, 10, 1), 4, "values from 4 on, min_interactions = 10", out);
    if (out->rated)
        add(interactions, core_of(of, 10, 1), -INFINITY, "feedback = \"explicit\", min_interactions = 10",
            out);
    free(users);
}

/* What the keys of the section leave, where one of them is given. */
static void add_as_set(
    const struct frs_values *data, const struct frs_rows *rows, struct frs_data_summary *out) {
    static const char *const keys[] = {
        "feedback", "unrated", "positive_from", "repeated", "min_interactions", "min_users_per_item"};
    struct frs_rows copy = {0};
    struct frs_interactions interactions;
    bool given = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        given |= frs_values_find(data, keys[i])->given;
    if (!given)
        return;
    frs_rows_reserve(&copy, rows->n, rows->times != NULL);
    copy.n = rows->n;
    copy.n_users = rows->n_users;
    copy.n_items = rows->n_items;
    memcpy(copy.users, rows->users, rows->n * sizeof *rows->users);
    memcpy(copy.items, rows->items, rows->n * sizeof *rows->items);
    memcpy(copy.values, rows->values, rows->n * sizeof *rows->values);
    if (rows->times)
        memcpy(copy.times, rows->times, rows->n * sizeof *rows->times);
    struct frs_preparation preparation =
        frs_load_preparation(data, frs_values_choice(data, "feedback") == FRS_IMPLICIT);
    frs_interactions_prepare(&copy, &preparation, &interactions);
    struct frs_summary_preparation *as_set = &out->preparations[out->n_preparations++];
    snprintf(as_set->settings, sizeof as_set->settings, "as set, other keys as they are by default");
    as_set->users = interactions.n_users;
    as_set->items = interactions.n_items;
    as_set->interactions = interactions.n;
    frs_interactions_fini(&interactions);
}

enum frs_status frs_data_summarise(
    const struct frs_values *data, struct frs_data_summary *out, struct frs_errors *errors) {
    struct frs_load load = {.data = data, .errors = errors};
    const char *paths[FRS_DATA_FILES];
    struct frs_digest digests[FRS_DATA_FILES];
    struct frs_interactions interactions;
    *out = (struct frs_data_summary){0};
    enum frs_status status = frs_load_find_files(&load, paths);
    if (status == FRS_OK)
        status = frs_read_rows(data, paths, &load.rows, NULL, digests, errors);
    if (status != FRS_OK)
        return status;
    struct frs_rows *rows = &load.rows;
    out->n_rows = rows->n;
    out->rated = rows->rated;
    if (rows->given_starts[1])
        out->n_given[1] = rows->n - rows->given_starts[1];
    if (rows->given_starts[0])
        out->n_given[0] = rows->given_starts[1] - rows->given_starts[0];
    out->layout = frs_strdup(rows->layout);
    out->settings = frs_strdup(rows->settings);
    out->first_user = frs_strdup(rows->first_user);
    out->first_item = frs_strdup(rows->first_item);
    out->first_value = rows->values[0];
    out->time_of_first = rows->times ? rows->times[0] : NAN;
    out->notes = rows->notes ? frs_strdup(rows->notes) : NULL;
    count_values(rows, out);
    find_unrated(rows, frs_values_real(data, "unrated"), out);
    find_times(rows, out);
    rows->given_starts[0] = rows->given_starts[1] = 0; /* users of the test alone count, too */
    add_as_set(data, rows, out);
    frs_interactions_arrange(rows, false, 1, &interactions);
    out->n_repeated = interactions.n_duplicates;
    out->n_tied_users = frs_split_ties(&interactions).test;
    count_activity(&interactions, out);
    add_preparations(&interactions, out);
    frs_interactions_fini(&interactions);
    return FRS_OK;
}

void frs_data_summary_fini(struct frs_data_summary *summary) {
    free(summary->layout);
    free(summary->settings);
    free(summary->notes);
    free(summary->unrated);
    free(summary->first_user);
    free(summary->first_item);
    *summary = (struct frs_data_summary){0};
}
