/* Counting: how many interactions each client of generated data has, without making any. */
#include "sim/base/files/digest.h"
#include "sim/base/memory.h"
#include "algorithms/data/load_internal.h"
#include "algorithms/data/candidates.h"
#include "algorithms/data/evaluation_protocol.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

/* Which of a user's interactions are held out. */
struct rule {
    bool by_ratio;
    double test_ratio, validation_ratio;
    struct frs_leave_one_out leave_one_out;
};

static enum frs_status read_rule(struct frs_load *load, struct rule *rule) {
    *rule = (struct rule){.by_ratio = frs_values_choice(load->data, "split") == FRS_RATIO};
    if (!rule->by_ratio)
        return frs_load_rule(load, &rule->leave_one_out);
    rule->test_ratio = frs_values_real(load->data, "test_ratio");
    rule->validation_ratio = frs_values_real(load->data, "validation_ratio");
    load->out->order = "random split";
    return FRS_OK;
}

static struct frs_split_counts held_out_of(const struct rule *rule, size_t n) {
    if (rule->by_ratio)
        return frs_split_counts(n, rule->test_ratio, rule->validation_ratio);
    return (struct frs_split_counts){
        .test = 1, .validation = rule->leave_one_out.validation == FRS_VALIDATION_HOLD_OUT};
}

/* start: of the users' interactions, all of them. */
static void split(struct frs_load *load, const struct rule *rule, const size_t *start) {
    struct frs_data *data = load->out;
    struct frs_population *population = &data->population;
    uint32_t n_users = load->interactions.n_users;
    data->clients = frs_alloc(n_users, sizeof *data->clients);
    data->test.start = frs_alloc((size_t)n_users + 1, sizeof *data->test.start);
    data->validation.start = frs_alloc((size_t)n_users + 1, sizeof *data->validation.start);
    for (uint32_t user = 0; user < n_users; user++) {
        size_t n = start[user + 1] - start[user];
        struct frs_split_counts held_out = held_out_of(rule, n);
        data->clients[user] =
            (struct frs_client_data){.client = user, .n = n - held_out.test - held_out.validation};
        data->test.start[user + 1] = data->test.start[user] + held_out.test;
        data->validation.start[user + 1] = data->validation.start[user] + held_out.validation;
    }
    *population = (struct frs_population){.n_clients = n_users,
        .n_items = load->interactions.n_items,
        .clients = data->clients,
        .rating_min = 1,
        .rating_max = 1,
        .seed = load->seed};
}

static enum frs_status count_pools(struct frs_load *load, const size_t *start) {
    struct frs_data *data = load->out;
    struct frs_candidates_shortage shortage = {0};
    enum frs_status status = frs_load_protocol(load);
    for (uint32_t user = 0; status == FRS_OK && user < data->population.n_clients; user++) {
        if (frs_load_needs_negatives(load))
            frs_candidates_look_at(data, user, start[user + 1] - start[user], &shortage);
        data->clients[user].n_excluded = frs_protocol_excluded(data, user);
    }
    return status == FRS_OK ? frs_candidates_check(data, &shortage, load->evaluation, load->errors) : status;
}

/* As long as that of interactions, and never the same. */
static char *hash(const size_t *start, uint32_t n_users, uint32_t n_items) {
    struct frs_digester digester = frs_digester_init();
    char text[FRS_DIGEST_TEXT];
    frs_digester_add_text(&digester, "counts");
    frs_digester_add_u64(&digester, n_items);
    frs_digester_add(&digester, start, ((size_t)n_users + 1) * sizeof *start);
    struct frs_digest digest = frs_digester_finish(&digester);
    return frs_format("%.16s", frs_digest_text(&digest, text));
}

static enum frs_status count(
    struct frs_load *load, const struct frs_synthetic_distribution *distribution, uint64_t seed) {
    struct rule rule;
    struct frs_data *data = load->out;
    data->has_time = true;
    enum frs_status status = read_rule(load, &rule);
    if (status != FRS_OK)
        return status;
    size_t *start = frs_synthetic_starts(distribution, seed);
    load->interactions.n_users = distribution->users;
    load->interactions.n_items = distribution->items;
    load->interactions.n = data->n_interactions = distribution->interactions;
    data->hash = hash(start, distribution->users, distribution->items);
    split(load, &rule, start);
    if (rule.by_ratio)
        status = frs_load_check_ratio(load);
    if (status == FRS_OK)
        status = count_pools(load, start);
    free(start);
    return status;
}

bool frs_load_counts(struct frs_load *load, enum frs_status *status) {
    struct frs_synthetic_distribution distribution;
    uint64_t seed;
    if (load->out->explicit_feedback || frs_load_prepares(load))
        return false;
    *status = frs_load_distribution(load, &distribution, &seed);
    if (*status != FRS_OK)
        return true;
    if (distribution.min_activity <
        (size_t)frs_values_int(load->data, "min_interactions")) { /* users will be left out */
        free(load->source);
        load->source = NULL;
        return false;
    }
    *status = count(load, &distribution, seed);
    return true;
}
