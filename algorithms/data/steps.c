/* Steps: what each step of preparation left of the data, and what a user should know of it. */
#include "algorithms/data/load_internal.h"
#include "algorithms/data/preparation/unrated.h"
#include "algorithms/data/settings.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes ----------------------------------------------------------------------------------- */

/* Takes `text`, which may be NULL. */
static void add_note(struct frs_data *data, const char *topic, char *text) {
    if (text && data->n_notes < FRS_DATA_NOTES)
        data->notes[data->n_notes++] = (struct frs_data_note){.topic = topic, .text = text};
    else
        free(text);
}

static void find_range(struct frs_load *load, double unrated) {
    load->least_value = INFINITY;
    load->most_value = -INFINITY;
    for (size_t i = 0; i < load->rows.n; i++) {
        double value = (double)load->rows.values[i];
        if (value == unrated)
            continue;
        load->least_value = fmin(load->least_value, value);
        load->most_value = fmax(load->most_value, value);
    }
}

void frs_load_note_values(struct frs_load *load, const struct frs_preparation *preparation) {
    double from = !preparation->implicit              ? -INFINITY
                  : isnan(preparation->positive_from) ? nextafter(0, 1)
                                                      : preparation->positive_from;
    if (!isnan(preparation->unrated) || !isnan(preparation->positive_from))
        find_range(load, preparation->unrated);
    if (!load->rows.rated)
        return;
    struct frs_unrated found = frs_unrated_find(&load->rows, from, preparation->unrated);
    add_note(load->out, "no rating", frs_unrated_text(&found));
}

/* Settings that were to leave out rows and have left out none. */
static void note_no_effect(struct frs_load *load, const struct frs_preparation *preparation) {
    const struct frs_interactions *interactions = &load->interactions;
    char value[32], least[32], most[32];
    frs_text_number(load->least_value, least, sizeof least);
    frs_text_number(load->most_value, most, sizeof most);
    if (!isnan(preparation->unrated) && interactions->n_unrated == 0)
        add_note(load->out, "no effect",
            frs_format("data.unrated = %s leaves out nothing: no row has this value (%s to %s occur)",
                frs_text_number(preparation->unrated, value, sizeof value), least, most));
    if (!isnan(preparation->positive_from) && interactions->n_ignored == 0)
        add_note(load->out, "no effect",
            frs_format("data.positive_from = %s leaves out nothing: all rows have such a value (%s to %s)",
                frs_text_number(preparation->positive_from, value, sizeof value), least, most));
}

static void note_given_split(struct frs_load *load) {
    const struct frs_interactions *interactions = &load->interactions;
    const struct frs_left *before = &interactions->left[FRS_PREPARED_REPEATED],
                          *after = &interactions->left[FRS_PREPARED_TRAINED];
    if (interactions->n_given_twice > 0)
        add_note(load->out, "given split",
            frs_format(
                "%zu pairs of a user and an item are in more than one of the files; each counts for the last "
                "of them alone (test, then validation)",
                interactions->n_given_twice));
    if (after->users < before->users)
        add_note(load->out, "given split",
            frs_format("%u users have no training interaction and are left out, with %zu held-out ones",
                before->users - after->users, before->rows - after->rows));
}

/* Test interactions with an item that no training interaction has: no method can know it. */
static size_t count_unknown(const struct frs_data *data, size_t n_training, size_t n_test) {
    bool *trained = frs_alloc(data->population.n_items, sizeof *trained);
    size_t n = 0;
    for (size_t i = 0; i < n_training; i++)
        trained[data->training_items[i]] = true;
    for (size_t i = 0; i < n_test; i++)
        n += !trained[data->test.items[i]];
    free(trained);
    return n;
}

static void note_unknown(
    struct frs_data *data, const char *topic, size_t n_training, size_t n_test, double least_share) {
    size_t n_unknown = count_unknown(data, n_training, n_test);
    if (n_unknown > 0 && (double)n_unknown >= least_share * (double)n_test)
        add_note(data, topic,
            frs_format(
                "%zu of %zu test interactions have an item without a training interaction, which no method "
                "can know",
                n_unknown, n_test));
}

/* Of splits that do not go user by user. */
static void note_parts(struct frs_load *load, size_t n_training, uint32_t n_users) {
    const struct frs_data *data = load->out;
    const char *topic = load->given ? "given split" : "date split";
    size_t n_test = data->test.start[n_users];
    uint32_t n_untested = 0;
    for (uint32_t user = 0; user < n_users; user++)
        n_untested += data->test.start[user + 1] == data->test.start[user];
    if (n_untested > 0)
        add_note(load->out, topic,
            frs_format(
                "%u of %u users have no test item: they train, and are in no figure", n_untested, n_users));
    note_unknown(load->out, topic, n_training, n_test, 0);
}

/* A few such items are in any split that goes user by user: this share of the test items is worth a note. */
static const double MANY_UNKNOWN = 0.1;

/* ---- steps ----------------------------------------------------------------------------------- */

/* `second` may be NULL. Values are formatted without counting as read. */
static void add_step(struct frs_load *load, const char *step, const char *key, const char *second,
    const struct frs_left *left) {
    struct frs_data *data = load->out;
    if (load->n_users > 0)
        return;
    FRS_INVARIANT(data->n_steps < FRS_DATA_STEPS, "step %s is one too many", step);
    const struct frs_value *first = frs_values_find(load->data, key),
                           *other = second ? frs_values_find(load->data, second) : NULL;
    bool is_given_split = load->given && strcmp(key, "split") == 0; /* a test file says so */
    char *value = is_given_split ? frs_strdup("given")
                  : first->said  ? frs_strdup(first->said)
                                 : frs_value_format(first),
         *more = other ? frs_value_format(other) : NULL;
    data->steps[data->n_steps++] = (struct frs_data_step){.step = step,
        .key = frs_format("data.%s%s%s", key, second ? ", data." : "", second ? second : ""),
        .value = frs_format("%s%s%s", value, more ? ", " : "", more ? more : ""),
        .given = first->given || (other && other->given),
        .rows = left->rows,
        .users = left->users,
        .items = left->items};
    free(value);
    free(more);
}

void frs_load_note_prepared(struct frs_load *load, const struct frs_preparation *preparation) {
    const struct frs_left *left = load->interactions.left;
    bool generated = !load->source || load->out->n_inputs == 0;
    add_step(load, generated ? "generated" : "read", generated ? "synthetic" : "path", NULL,
        &left[FRS_PREPARED_READ]);
    if (!isnan(preparation->unrated))
        add_step(load, "unrated", "unrated", NULL, &left[FRS_PREPARED_UNRATED]);
    if (preparation->implicit)
        add_step(load, "positive", "positive_from", NULL, &left[FRS_PREPARED_POSITIVE]);
    add_step(load, "repeated", "repeated", NULL, &left[FRS_PREPARED_REPEATED]);
    if (load->given)
        add_step(load, "trained", "test_path", NULL, &left[FRS_PREPARED_TRAINED]);
    add_step(load, "core", "min_interactions", load->out->has_core ? "min_users_per_item" : NULL,
        &left[FRS_PREPARED_CORE]);
    note_no_effect(load, preparation);
    if (load->given)
        note_given_split(load);
}

static uint32_t count_items(const uint32_t *items, size_t n, uint32_t n_items) {
    uint32_t counted = 0;
    bool *seen = frs_alloc(n_items, sizeof *seen);
    for (size_t i = 0; i < n; i++) {
        counted += !seen[items[i]];
        seen[items[i]] = true;
    }
    free(seen);
    return counted;
}

void frs_load_note_left(struct frs_load *load, const char *step, const char *key) {
    const struct frs_interactions *interactions = &load->interactions;
    struct frs_left left = {.rows = interactions->n,
        .users = interactions->n_users,
        .items = count_items(interactions->items, interactions->n, interactions->n_items)};
    add_step(load, step, key, NULL, &left);
}

/* The items of counted data are not known. */
static void add_part(
    struct frs_load *load, const char *part, const uint32_t *items, size_t n, uint32_t users) {
    const struct frs_data *data = load->out;
    struct frs_left left = {.rows = n,
        .users = users,
        .items = data->training_items ? count_items(items, n, data->population.n_items) : FRS_NOT_COUNTED};
    add_step(load, part, "split", NULL, &left);
}

static void add_held_out(
    struct frs_load *load, const char *part, const struct frs_held_out *held_out, uint32_t n) {
    uint32_t users = 0;
    for (uint32_t user = 0; user < n; user++)
        users += held_out->start[user + 1] > held_out->start[user];
    add_part(load, part, held_out->items, held_out->start[n], users);
}

void frs_load_note_parts(struct frs_load *load) {
    const struct frs_data *data = load->out;
    const struct frs_population users = frs_data_users(data);
    size_t n = 0;
    for (uint32_t user = 0; user < users.n_clients; user++)
        n += users.clients[user].n;
    bool counted = data->n_steps == 0; /* how many interactions there are is known, not which */
    if (counted) {
        struct frs_left made = {.rows = load->interactions.n,
            .users = load->interactions.n_users,
            .items = load->interactions.n_items};
        add_step(load, "generated", "synthetic", NULL, &made);
    }
    add_part(load, "training", data->training_items, n, users.n_clients);
    add_held_out(load, "validation", &data->validation, users.n_clients);
    add_held_out(load, "test", &data->test, users.n_clients);
    if (load->given || strcmp(data->order, "date split") == 0)
        note_parts(load, n, users.n_clients);
    else if (!counted)
        note_unknown(load->out, "split", n, data->test.start[users.n_clients], MANY_UNKNOWN);
}
