/* Loading: data generated or read, arranged by client, and split, as the scenario says. */
#include "algorithms/data/data.h"
#include "sim/base/files/cache.h"
#include "sim/base/memory.h"
#include "algorithms/data/describe.h"
#include "algorithms/data/read_rows.h"
#include "algorithms/data/interactions.h"
#include "algorithms/data/load_internal.h"
#include "algorithms/data/candidates.h"
#include "algorithms/data/evaluation_protocol.h"
#include "algorithms/data/settings.h"
#include "algorithms/data/share.h"
#include "algorithms/data/split.h"
#include "algorithms/data/synthetic.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t setting(const struct frs_values *values, const char *key) {
    return (size_t)frs_values_int(values, key);
}

static struct frs_synthetic_distribution custom_distribution(const struct frs_values *data) {
    size_t items = setting(data, "items"), min = setting(data, "min_interactions");
    size_t max = (size_t)(frs_values_real(data, "activity_ceiling") * (double)items);
    return (struct frs_synthetic_distribution){
        .name = "custom",
        .users = (uint32_t)setting(data, "users"),
        .items = (uint32_t)items,
        .interactions = setting(data, "interactions"),
        .min_activity = min,
        .max_activity = max > min ? max : min,
        .activity_spread = frs_values_real(data, "activity_spread"),
        .popularity_exponent = frs_values_real(data, "popularity_exponent"),
        .popularity_offset = fmax(1, frs_values_real(data, "popularity_offset") * (double)items),
        .popularity_tail = frs_values_real(data, "popularity_tail"),
        .tastes = (uint32_t)setting(data, "tastes"),
        .taste_strength = frs_values_real(data, "taste_strength"),
        .taste_factors = (uint32_t)setting(data, "taste_factors"),
        .taste_decay = frs_values_real(data, "taste_decay"),
        .mainstream = frs_values_real(data, "mainstream"),
        .taste_focus = frs_values_real(data, "taste_focus"),
        .calendar_drift = frs_values_real(data, "calendar_drift"),
        .breadth = frs_values_real(data, "breadth"),
        .drift = frs_values_real(data, "drift"),
        .drift_growth = frs_values_real(data, "drift_growth"),
        .tied = frs_values_real(data, "tied"),
        .quality_spread = frs_values_real(data, "quality_spread"),
        .quality_growth = frs_values_real(data, "quality_growth"),
    };
}

/* What the distribution of custom data has to allow; the presets do. */
static enum frs_status check_distribution(
    const struct frs_load *load, const struct frs_synthetic_distribution *distribution) {
    size_t least = distribution->users * distribution->min_activity,
           most = distribution->users * distribution->max_activity;
    if (distribution->max_activity > distribution->items)
        return frs_values_error(load->data, "items", load->errors,
            "%u items are fewer than data.min_interactions", distribution->items);
    if (distribution->interactions < distribution->items)
        return frs_values_error(load->data, "interactions", load->errors,
            "%zu are fewer than the %u items; every item needs one", distribution->interactions,
            distribution->items);
    if (distribution->interactions < least || distribution->interactions > most)
        return frs_values_error(load->data, "interactions", load->errors,
            "%zu do not fit %u users with %zu (data.min_interactions) to %zu (data.activity_ceiling) each; "
            "allowed: %zu to %zu",
            distribution->interactions, distribution->users, distribution->min_activity,
            distribution->max_activity, least, most);
    return FRS_OK;
}

/* The same distribution for fewer users; not where a client has several users. */
static void sketch_distribution(struct frs_load *load, struct frs_synthetic_distribution *distribution) {
    double share = (double)load->most / (double)distribution->interactions;
    uint32_t users = (uint32_t)ceil(share * distribution->users);
    size_t interactions = distribution->interactions * users / distribution->users;
    if (interactions < distribution->items ||
        (load->out->explicit_feedback && setting(load->data, "clients") > 0))
        return;
    load->n_users = distribution->users;
    load->out->n_left_out = distribution->interactions - interactions;
    distribution->users = users;
    distribution->interactions = interactions;
}

/* Keys that only some choice reads say which one, so that a path without its format gets a useful message. */
static void say_what_reads(const struct frs_values *data) {
    static const struct {
        const char *key, *selector, *choices;
    } readers[] = {
        {"path", "format", "auto, or a format of files"},
        {"test_path", "format", "auto, or a format of files"},
        {"validation_path", "format", "auto, or a format of files"},
        {"csv_separator", "format", "csv, or auto and the file is taken for csv"},
        {"csv_header", "format", "csv, or auto and the file is taken for csv"},
        {"csv_user", "format", "csv or json, or auto and the file is taken for one of them"},
        {"csv_item", "format", "csv or json, or auto and the file is taken for one of them"},
        {"csv_value", "format", "csv or json, or auto and the file is taken for one of them"},
        {"csv_where", "format", "csv or json, or auto and the file is taken for one of them"},
        {"csv_quotes", "format", "csv, or auto and the file is taken for csv"},
        {"empty_ids", "format", "auto and a file is named, or a format of files"},
        {"empty_ratings", "format", "auto and a file is named, or a format of files"},
        {"csv_time", "format", "csv or json, or auto and the file is taken for one of them"},
        {"synthetic", "format", "synthetic"},
        {"synthetic_seed", "format", "synthetic"},
        {"users", "synthetic", "custom"},
        {"items", "synthetic", "custom"},
        {"interactions", "synthetic", "custom"},
        {"activity_spread", "synthetic", "custom"},
        {"activity_ceiling", "synthetic", "custom"},
        {"popularity_exponent", "synthetic", "custom"},
        {"popularity_offset", "synthetic", "custom"},
        {"popularity_tail", "synthetic", "custom"},
        {"tastes", "synthetic", "custom"},
        {"taste_strength", "synthetic", "custom"},
        {"taste_factors", "synthetic", "custom"},
        {"taste_decay", "synthetic", "custom"},
        {"mainstream", "synthetic", "custom"},
        {"taste_focus", "synthetic", "custom"},
        {"calendar_drift", "synthetic", "custom"},
        {"breadth", "synthetic", "custom"},
        {"drift", "synthetic", "custom"},
        {"drift_growth", "synthetic", "custom"},
        {"tied", "synthetic", "custom"},
        {"quality_spread", "synthetic", "custom"},
        {"quality_growth", "synthetic", "custom"},
        {"positive_from", "feedback", "implicit"},
        {"test_from", "split", "date"},
        {"validation_from", "split", "date"},
    };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        frs_values_idle(data, readers[i].key, "has no effect here: it is read where data.%s is %s",
            readers[i].selector, readers[i].choices);
}

enum frs_status frs_load_distribution(
    struct frs_load *load, struct frs_synthetic_distribution *distribution, uint64_t *seed) {
    enum frs_synthetic which = frs_values_choice(load->data, "synthetic");
    *distribution =
        which == FRS_SYNTHETIC_CUSTOM ? custom_distribution(load->data) : *frs_synthetic_preset(which);
    enum frs_status status = check_distribution(load, distribution);
    if (status != FRS_OK)
        return status;
    *seed = setting(load->data, "synthetic_seed");
    load->source = frs_format("synthetic %s", distribution->name);
    load->made_with_ties = distribution->tied > 0;
    return FRS_OK;
}

static enum frs_status generate(struct frs_load *load) {
    struct frs_synthetic_distribution distribution;
    uint64_t seed;
    enum frs_status status = frs_load_distribution(load, &distribution, &seed);
    if (status != FRS_OK)
        return status;
    if (load->most > 0 && distribution.interactions > 2 * load->most)
        sketch_distribution(load, &distribution);
    frs_synthetic_generate(&distribution, seed, &load->rows);
    return FRS_OK;
}

/* What does not fill clients with the same number of users is left out. */
static enum frs_status keep_whole_clients(struct frs_load *load) {
    if (!load->out->explicit_feedback)
        return FRS_OK; /* the key stays unread */
    size_t n_clients = setting(load->data, "clients");
    uint32_t n_users = load->interactions.n_users;
    if (n_clients > n_users)
        return frs_values_error(load->data, "clients", load->errors,
            "%zu are more than the %u users; allowed: 0 to %u", n_clients, n_users, n_users);
    if (n_clients > 0)
        frs_interactions_keep_users(&load->interactions, (uint32_t)(n_users / n_clients * n_clients));
    if (n_clients > 0)
        frs_load_note_left(load, "clients", "clients");
    return FRS_OK;
}

static enum frs_status arrange(struct frs_load *load) {
    enum frs_status status = frs_load_prepare(load);
    if (status == FRS_OK)
        status = keep_whole_clients(load);
    if (status != FRS_OK)
        return status;
    load->out->has_time = load->interactions.times != NULL;
    load->out->hash = frs_alloc(17, 1);
    frs_interactions_hash(&load->interactions, load->out->hash);
    return FRS_OK;
}

static enum frs_status choose_order(const struct frs_load *load, enum frs_order *order) {
    *order = frs_values_choice(load->data, "order");
    if (*order == FRS_ORDER_AUTO)
        *order = load->out->has_time ? FRS_ORDER_TIME : FRS_ORDER_RANDOM;
    if (*order == FRS_ORDER_TIME && !load->out->has_time)
        return frs_values_error(load->data, "order", load->errors,
            "this data has no time; choose file, item_id or random (and state it: it decides the figures)");
    return FRS_OK;
}

/* Where nothing is ordered by time the key stays unread. */
static enum frs_ties choose_ties(struct frs_load *load, bool holds_out_second) {
    static const char *const names[] = {"later", "earlier", "random"};
    enum frs_ties ties = frs_values_choice(load->data, "ties");
    struct frs_ties_met met = frs_split_ties(&load->interactions);
    load->out->ties = names[ties];
    load->out->n_ties_test = met.test;
    load->out->n_ties_validation = holds_out_second ? met.validation : 0;
    return ties;
}

enum frs_status frs_load_rule(struct frs_load *load, struct frs_leave_one_out *rule) {
    static const char *const names[] = {"auto", "time", "file", "item_id", "random"};
    enum frs_validation validation = frs_values_choice(load->data, "validation");
    size_t min = setting(load->data, "min_interactions"), needed = validation == FRS_VALIDATION_TRAIN ? 2 : 3;
    *rule = (struct frs_leave_one_out){.validation = validation};
    if (min < needed)
        return frs_values_error(load->data, "min_interactions", load->errors,
            "%zu is too few for leave-one-out, which needs %zu interactions of every user", min, needed);
    enum frs_status status = choose_order(load, &rule->order);
    if (status != FRS_OK)
        return status;
    if (rule->order == FRS_ORDER_TIME)
        rule->ties = choose_ties(load, validation == FRS_VALIDATION_HOLD_OUT);
    load->out->order = names[rule->order];
    return FRS_OK;
}

static enum frs_status leave_one_out(struct frs_load *load, uint8_t *parts) {
    struct frs_leave_one_out rule;
    enum frs_status status = frs_load_rule(load, &rule);
    if (status == FRS_OK)
        frs_split_leave_one_out(&load->interactions, &rule, frs_load_split_seed(load), parts);
    return status;
}

/* A share of too few interactions rounds to none; what is measured on none would be no number. */
static enum frs_status check_held_out(const struct frs_load *load, const char *key, size_t n) {
    if (n > 0 || frs_values_real(load->data, key) <= 0)
        return FRS_OK;
    return frs_values_error(load->data, key, load->errors,
        "%g of a user's interactions is not a single one for anybody; allowed: a larger share, or users with "
        "more interactions (data.min_interactions)",
        frs_values_real(load->data, key));
}

enum frs_status frs_load_check_ratio(const struct frs_load *load) {
    const struct frs_data *data = load->out;
    uint32_t n_clients = data->population.n_clients;
    enum frs_status status = check_held_out(load, "test_ratio", data->test.start[n_clients]);
    return status != FRS_OK ? status
                            : check_held_out(load, "validation_ratio", data->validation.start[n_clients]);
}

static enum frs_status split(struct frs_load *load) {
    uint8_t *parts = frs_alloc(load->interactions.n, 1);
    enum frs_status status = FRS_OK;
    if (load->given) {
        status = frs_load_split_as_given(load, parts);
    } else if (frs_values_choice(load->data, "split") == FRS_LEAVE_ONE_OUT) {
        status = leave_one_out(load, parts);
    } else if (frs_values_choice(load->data, "split") == FRS_DATE) {
        status = frs_load_split_by_date(load, parts);
    } else {
        frs_split_ratio(&load->interactions, frs_values_real(load->data, "test_ratio"),
            frs_values_real(load->data, "validation_ratio"), frs_load_split_seed(load), parts);
        load->out->order = "random split";
    }
    if (status == FRS_OK) {
        load->out->population.seed = load->seed;
        frs_split_apply(&load->interactions, parts, load->out);
        if (!load->given && frs_values_choice(load->data, "split") == FRS_RATIO)
            status = frs_load_check_ratio(load);
    }
    free(parts);
    return status;
}

enum frs_status frs_load_protocol(struct frs_load *load) {
    load->out->protocol = (enum frs_protocol)frs_values_choice(load->evaluation, "protocol");
    if (frs_values_choice(load->evaluation, "candidates") == FRS_CANDIDATES_SAMPLED)
        load->out->n_negatives = frs_load_names_negatives(load) ? 0 : setting(load->evaluation, "negatives");
    else if (load->out->protocol == FRS_LOOKAHEAD)
        return frs_values_error(load->evaluation, "protocol", load->errors,
            "lookahead keeps the sampled negatives out of training; it needs evaluation.candidates = "
            "\"sampled\"");
    return FRS_OK;
}

/* Without an evaluation the negatives matter only under the one protocol that excludes them from the
 * training's negatives. */
bool frs_load_needs_negatives(const struct frs_load *load) {
    return !load->counts || load->out->protocol == FRS_LOOKAHEAD;
}

/* Explicit feedback is scored by prediction error. Nothing is ranked, so no candidates are drawn, and the
 * keys of ranking stay unread. */
static enum frs_status prepare_pools(struct frs_load *load) {
    enum frs_status status = load->out->explicit_feedback ? FRS_OK : frs_load_protocol(load);
    if (status == FRS_OK && frs_load_names_negatives(load))
        status = frs_load_read_negatives(load);
    else if (status == FRS_OK && load->out->n_negatives > 0 && frs_load_needs_negatives(load))
        status = frs_candidates_draw(load->out, load->evaluation, load->errors);
    if (status == FRS_OK)
        frs_protocol_exclude(load->out);
    return status;
}

/* Clients take turns in having what was generated, and the data state the number of clients asked for. */
static void take_turns(struct frs_load *load) {
    struct frs_data *data = load->out;
    uint32_t n = data->population.n_clients;
    struct frs_client_data *clients = frs_alloc(load->n_users, sizeof *clients);
    for (uint32_t client = 0; client < load->n_users; client++) {
        clients[client] = data->clients[client % n];
        clients[client].client = client;
    }
    free(data->clients);
    data->population.clients = data->clients = clients;
    data->population.n_clients = load->interactions.n_users = load->n_users;
    load->interactions.n += data->n_left_out;
    data->n_interactions += data->n_left_out;
}

static enum frs_status load_data(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, size_t most, bool counts, struct frs_data **out, struct frs_errors *errors) {
    struct frs_load load = {
        .data = data,
        .evaluation = evaluation,
        .seed = seed,
        .most = most,
        .counts = counts,
        .errors = errors,
        .out = frs_alloc(1, sizeof *load.out),
    };
    load.out->explicit_feedback = frs_values_choice(data, "feedback") == FRS_EXPLICIT;
    say_what_reads(data);
    bool synthetic = frs_data_is_generated(data);
    enum frs_status status = frs_cache_check(errors);
    if (status == FRS_OK)
        status = frs_load_check_given(&load, synthetic);
    if (status == FRS_OK && (!counts || !synthetic || !frs_load_counts(&load, &status))) {
        if (status == FRS_OK)
            status = synthetic ? generate(&load) : frs_load_read_files(&load);
        if (status == FRS_OK)
            status = arrange(&load);
        if (status == FRS_OK)
            status = split(&load);
        if (status == FRS_OK)
            status = prepare_pools(&load);
    }
    if (status == FRS_OK && load.out->explicit_feedback && setting(data, "clients") > 0)
        frs_share_clients(load.out, (uint32_t)setting(data, "clients"));
    if (status == FRS_OK && load.n_users > 0)
        take_turns(&load);
    else if (status == FRS_OK)
        frs_load_note_parts(&load);
    struct frs_interactions told = load.interactions;
    if (load.n_users > 0)
        told.values = NULL; /* those of a sketch are fewer than it stands for */
    if (status == FRS_OK)
        load.out->description = frs_describe(load.source, load.notes, load.made_with_ties, &told, load.out);
    free(load.source);
    free(load.notes);
    frs_read_ids_fini(&load.ids);
    frs_rows_fini(&load.rows);
    frs_interactions_fini(&load.interactions);
    if (status != FRS_OK) {
        frs_data_destroy(load.out);
        load.out = NULL;
    }
    *out = load.out;
    return status;
}

enum frs_status frs_data_load(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, struct frs_data **out, struct frs_errors *errors) {
    return load_data(data, evaluation, seed, 0, false, out, errors);
}

enum frs_status frs_data_sketch(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, size_t most, struct frs_data **out, struct frs_errors *errors) {
    return load_data(data, evaluation, seed, most, false, out, errors);
}

enum frs_status frs_data_count(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, size_t most, struct frs_data **out, struct frs_errors *errors) {
    return load_data(data, evaluation, seed, most, true, out, errors);
}

static void held_out_fini(struct frs_held_out *held_out) {
    free(held_out->start);
    free(held_out->items);
    free(held_out->ratings);
}

void frs_data_destroy(struct frs_data *data) {
    if (!data)
        return;
    held_out_fini(&data->validation);
    held_out_fini(&data->test);
    free(data->negatives);
    free(data->description);
    free(data->hash);
    for (size_t i = 0; i < data->n_steps; i++) {
        free(data->steps[i].key);
        free(data->steps[i].value);
    }
    for (size_t i = 0; i < data->n_notes; i++)
        free(data->notes[i].text);
    for (size_t i = 0; i < data->n_inputs; i++)
        free(data->inputs[i].path);
    free(data->clients);
    free(data->users);
    free(data->training_items);
    free(data->training_ratings);
    free(data->excluded);
    free(data);
}

size_t frs_data_bytes(const struct frs_data *data) {
    struct frs_population users = frs_data_users(data);
    size_t n = data->training_items ? data->n_interactions - data->n_left_out : 0; /* held out or not */
    size_t each = sizeof(uint32_t) + sizeof(float) + (data->excluded ? sizeof(uint32_t) : 0);
    size_t drawn = data->negatives ? data->n_negatives * sizeof(uint32_t) : 0;
    if (data->protocol == FRS_LOOKAHEAD)
        drawn *= 2; /* they are excluded, too */
    return n * each + users.n_clients * (drawn + sizeof *data->clients + 2 * sizeof(size_t));
}
