#include "algorithms/data/summary.h"
#include "algorithms/data/load_internal.h"
#include "algorithms/data/preparation/unrated.h"
#include "algorithms/data/read_rows.h"
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

/* Keeps interactions with values from `from` on, then users with at least `min_user` and items with at least
 * `min_item` of them, repeated until both hold. */
static void prepare(const struct frs_interactions *interactions, double from, size_t min_user,
    size_t min_item, struct frs_summary_preparation *out) {
    uint32_t n_users = interactions->n_users, n_items = interactions->n_items;
    uint32_t *of_item = frs_alloc(n_items, sizeof *of_item);
    bool *user_left = frs_alloc(n_users, sizeof *user_left),
         *item_left = frs_alloc(n_items, sizeof *item_left), changed = true;
    memset(user_left, 1, n_users * sizeof *user_left);
    memset(item_left, 1, n_items * sizeof *item_left);
    while (changed) {
        changed = false;
        out->interactions = 0;
        out->users = out->items = 0;
        memset(of_item, 0, n_items * sizeof *of_item);
        for (uint32_t user = 0; user < n_users; user++) {
            size_t n = 0, begin = interactions->start[user], end = interactions->start[user + 1];
            for (size_t i = begin; user_left[user] && i < end; i++)
                n += interactions->values[i] >= (float)from && item_left[interactions->items[i]];
            if (user_left[user] && (n < min_user || n == 0)) {
                user_left[user] = false;
                changed = true;
            }
            for (size_t i = begin; user_left[user] && i < end; i++)
                if (interactions->values[i] >= (float)from && item_left[interactions->items[i]])
                    of_item[interactions->items[i]]++;
            out->users += user_left[user];
            out->interactions += user_left[user] ? n : 0;
        }
        for (uint32_t item = 0; item < n_items; item++) {
            if (item_left[item] && of_item[item] < min_item) {
                item_left[item] = false;
                changed = true;
            }
            out->items += of_item[item] > 0 && item_left[item];
        }
    }
    free(of_item);
    free(user_left);
    free(item_left);
}

/* The smallest positive number: what implicit feedback takes. */
#define POSITIVE 1e-45

static void add(const struct frs_interactions *interactions, double from, size_t min_user, size_t min_item,
    const char *settings, struct frs_data_summary *out) {
    struct frs_summary_preparation *preparation = &out->preparations[out->n_preparations++];
    snprintf(preparation->settings, sizeof preparation->settings, "%s", settings);
    prepare(interactions, from, min_user, min_item, preparation);
}

static void add_preparations(const struct frs_interactions *interactions, struct frs_data_summary *out) {
    char text[96];
    static const size_t least[] = {1, 5, 10, 20};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        snprintf(text, sizeof text, "min_interactions = %zu", least[i]);
        add(interactions, POSITIVE, least[i], 1, text, out);
    }
    add(interactions, POSITIVE, 5, 5, "5-core of users and items", out);
    add(interactions, POSITIVE, 10, 10, "10-core of users and items", out);
    if (out->rated && out->most_value == 5 && out->least_value < 4)
        add(interactions, 4, 10, 1, "values from 4 on, min_interactions = 10", out);
    if (out->rated) {
        snprintf(text, sizeof text, "feedback = \"explicit\", min_interactions = 10");
        add(interactions, -INFINITY, 10, 1, text, out);
    }
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
    out->notes = rows->notes ? frs_strdup(rows->notes) : NULL;
    count_values(rows, out);
    find_unrated(rows, frs_values_real(data, "unrated"), out);
    find_times(rows, out);
    rows->given_starts[0] = rows->given_starts[1] = 0; /* users of the test alone count, too */
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
    *summary = (struct frs_data_summary){0};
}
