#include "sim/results/subgroups.h"
#include "algorithms/data/tastes.h"
#include "analysis/statistics/permutation_test.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times, evenly spread over the run, at which each client's availability is read. */
#define N_LOOKS 32u

enum quartiles { BY_AVAILABILITY, BY_ACTIVITY, BY_LOSS, BY_TASTE };

/* Data with more interactions are not clustered for the report alone. */
#define MOST_CLUSTERED 2000000u

struct collection {
    const struct frs_setup *setup;
    const struct frs_ledger *ledger;
    const struct frs_evaluation *evaluation;
    struct frs_group *groups;
    size_t n;
    struct frs_group_member *members; /* of the family that is being collected, with squared errors or hits */
    size_t n_members;
    const double *usual; /* [n_clients] how usual the taste of each is; NULL: not known */
};

static struct frs_group *find(struct collection *c, const char *by, const char *name) {
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->groups[i].by, by) == 0 && strcmp(c->groups[i].name, name) == 0)
            return &c->groups[i];
    FRS_INVARIANT(c->n < FRS_MAX_GROUPS, "more than %d groups of clients", FRS_MAX_GROUPS);
    c->groups[c->n] = (struct frs_group){.by = by,
        .name = name,
        .availability = NAN,
        .interactions = NAN,
        .loss = NAN,
        .low = NAN,
        .high = NAN,
        .chance = NAN};
    return &c->groups[c->n++];
}

/* sums += weight · figures. */
static void add_figures(struct frs_at_k *sums, const struct frs_at_k *figures, double weight) {
    sums->hit += weight * figures->hit;
    sums->ndcg += weight * figures->ndcg;
    sums->recall += weight * figures->recall;
    sums->precision += weight * figures->precision;
    sums->mrr += weight * figures->mrr;
    sums->map += weight * figures->map;
}

/* Sums in place of means, until all clients are in. */
static void add_scores(struct frs_group *group, const struct frs_scores *client) {
    struct frs_scores *sums = &group->scores;
    double n = (double)client->n;
    if (client->n == 0)
        return;
    sums->n += client->n;
    for (size_t i = 0; i < FRS_CUT_OFFS_MOST; i++)
        add_figures(&sums->at[i], &client->at[i], n);
    if (!isnan(client->auc)) {
        sums->auc += client->auc;
        group->n_auc++;
    }
    sums->mae += n * client->mae;
    sums->rmse += n * client->rmse * client->rmse;
}

static void finish_scores(struct frs_group *group) {
    struct frs_scores *sums = &group->scores, means = {.n = sums->n};
    double n = (double)sums->n;
    if (sums->n == 0)
        return;
    for (size_t i = 0; i < FRS_CUT_OFFS_MOST; i++) {
        const struct frs_at_k *at = &sums->at[i];
        means.at[i] = (struct frs_at_k){
            at->hit / n, at->ndcg / n, at->recall / n, at->precision / n, at->mrr / n, at->map / n};
    }
    means.auc = group->n_auc > 0 ? sums->auc / (double)group->n_auc : NAN;
    means.mae = sums->mae / n;
    means.rmse = sqrt(sums->rmse / n);
    *sums = means;
}

static void add_client(struct collection *c, struct frs_group *group, uint32_t client) {
    const struct frs_client_row *row = frs_ledger_client(c->ledger, client);
    group->clients++;
    group->participations += row->participations;
    group->delivered += row->delivered;
    if (!c->evaluation)
        return;
    struct frs_scores scores = frs_evaluation_client(c->evaluation, client);
    add_scores(group, &scores);
    double n = (double)scores.n, value = c->setup->training.data->explicit_feedback
                                             ? scores.rmse * scores.rmse
                                             : frs_scores_hit(&scores);
    if (scores.n > 0)
        c->members[c->n_members++] = (struct frs_group_member){n * value, n, (size_t)(group - c->groups)};
}

/* Intervals of the groups from number `first` on, which are a family, and whether they differ. */
static void compare_family(struct collection *c, size_t first) {
    bool ratings = c->setup->training.data->explicit_feedback;
    for (size_t i = 0; i < c->n_members; i++)
        c->members[i].group -= first;
    double chance = frs_group_chance(c->members, c->n_members, c->n - first, c->setup->training.seed);
    for (size_t i = first; i < c->n; i++) {
        struct frs_group *group = &c->groups[i];
        double n = (double)group->scores.n;
        if (group->scores.n == 0)
            continue;
        struct frs_group_interval interval =
            ratings ? frs_group_mean_interval(c->members, c->n_members, i - first)
                    : frs_group_share_interval(frs_scores_hit(&group->scores) / n, n);
        group->low = ratings ? sqrt(fmax(interval.low, 0)) : interval.low;
        group->high = ratings ? sqrt(interval.high) : interval.high;
        group->chance = chance;
    }
    c->n_members = 0;
}

struct standing {
    uint32_t client;
    double value; /* by which clients are put in order: smaller, worse off; */
    double tie;   /* by which those are that are alike in it */
    double told;  /* of which the group has the mean */
};

static int by_value(const void *a, const void *b) {
    const struct standing *x = a, *y = b;
    if (x->value != y->value)
        return (x->value > y->value) - (x->value < y->value);
    if (x->tie != y->tie)
        return (x->tie > y->tie) - (x->tie < y->tie);
    return (x->client > y->client) - (x->client < y->client);
}

static uint32_t count_looks(const struct frs_setup *setup, uint32_t client, double end_s) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < N_LOOKS; i++) {
        double until_s, t_s = end_s * (i + 0.5) / N_LOOKS;
        seen += frs_reachable(&setup->reachability, client, i, 0, t_s, &until_s);
    }
    return seen;
}

double frs_groups_online(const struct frs_setup *setup, uint32_t client, double end_s) {
    return (double)count_looks(setup, client, end_s) / N_LOOKS;
}

/* A client's standing: its availability, its number of interactions, and how seldom it is lost. */
static struct standing standing_of(
    const struct collection *c, enum quartiles by, uint32_t client, double end_s) {
    const struct frs_setup *setup = c->setup;
    double value = 0, sign = 1, tie = 0;
    if (by == BY_AVAILABILITY)
        value = frs_groups_online(setup, client, end_s);
    if (by == BY_ACTIVITY)
        value = (double)setup->training.data->population.clients[client].n;
    if (by == BY_TASTE)
        value = c->usual[client];
    if (by == BY_LOSS) {
        value = frs_failures_loss(&setup->failures, client, NULL);
        sign = -1;
        tie = -(double)frs_failures_place(&setup->failures, client);
    }
    return (struct standing){.client = client, .value = sign * value, .tie = tie, .told = value};
}

static double *told_of(struct frs_group *group, enum quartiles by) {
    double *const told[] = {[BY_AVAILABILITY] = &group->availability,
        [BY_ACTIVITY] = &group->interactions,
        [BY_LOSS] = &group->loss,
        [BY_TASTE] = NULL};
    return told[by];
}

/* Four groups of equal size; clients that are alike in everything are ordered by id. */
static void add_quartiles(struct collection *c, enum quartiles by) {
    static const char *const families[] = {[BY_AVAILABILITY] = "availability_quartile",
        [BY_ACTIVITY] = "activity_quartile",
        [BY_LOSS] = "loss_quartile",
        [BY_TASTE] = "taste_quartile"};
    static const char *const names[] = {"1", "2", "3", "4"};
    uint32_t n = c->setup->training.data->population.n_clients;
    struct standing *clients = frs_alloc(n, sizeof *clients);
    double end_s = frs_ledger_end_s(c->ledger);
    size_t first = c->n;
    for (uint32_t u = 0; u < n; u++)
        clients[u] = standing_of(c, by, u, end_s);
    qsort(clients, n, sizeof *clients, by_value);
    for (uint32_t i = 0; i < n; i++) {
        struct frs_group *group = find(c, families[by], names[(uint64_t)i * 4 / n]);
        double *told = told_of(group, by);
        add_client(c, group, clients[i].client);
        if (told)
            *told = (isnan(*told) ? 0 : *told) + clients[i].told;
    }
    for (size_t i = first; i < c->n; i++)
        if (told_of(&c->groups[i], by))
            *told_of(&c->groups[i], by) /= (double)c->groups[i].clients;
    compare_family(c, first);
    free(clients);
}

/* Deciles of the clients whose uploads were used, by how often, and those of whom none was. */
static void add_heard(struct collection *c) {
    static const char *const names[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    uint32_t n = c->setup->training.data->population.n_clients, n_heard = 0, n_before = 0;
    struct standing *clients = frs_alloc(n, sizeof *clients);
    size_t first = c->n;
    for (uint32_t u = 0; u < n; u++) {
        double delivered = (double)frs_ledger_client(c->ledger, u)->delivered;
        clients[u] = (struct standing){.client = u, .value = delivered};
        n_heard += delivered > 0;
    }
    qsort(clients, n, sizeof *clients, by_value);
    bool differ = n > 0 && clients[0].value != clients[n - 1].value;
    for (uint32_t i = 0; i < n && differ; i++) {
        bool heard = clients[i].value > 0;
        add_client(c, find(c, "heard_decile", heard ? names[(uint64_t)n_before * 10 / n_heard] : "never"),
            clients[i].client);
        n_before += heard;
    }
    compare_family(c, first);
    free(clients);
}

/* Who is missing: only where the availability or the losses of clients can keep them away. */
static void add_missing(struct collection *c) {
    const struct frs_setup *setup = c->setup;
    const struct frs_data *data = setup->training.data;
    bool follows =
        setup->reachability.follows.by == FRS_HEARD_BY_TASTE || setup->failures.follows == FRS_FOLLOWS_TASTE;
    if (frs_reachability_is_trivial(&setup->reachability) && !frs_failures_can_strike(&setup->failures))
        return;
    add_heard(c);
    if (!data->training_items || (data->n_interactions > MOST_CLUSTERED && !follows))
        return;
    struct frs_tastes tastes =
        frs_tastes_of(data, frs_scenario_section(setup->scenario, "data"), setup->training.seed);
    c->usual = tastes.usual;
    add_quartiles(c, BY_TASTE);
    c->usual = NULL;
    frs_tastes_fini(&tastes);
}

size_t frs_groups_collect(const struct frs_setup *setup, const struct frs_ledger *ledger,
    const struct frs_evaluation *evaluation, struct frs_group *groups) {
    uint32_t n = setup->training.data->population.n_clients;
    struct collection c = {.setup = setup,
        .ledger = ledger,
        .evaluation = evaluation,
        .groups = groups,
        .members = frs_alloc(n + 1, sizeof *c.members)};
    for (uint32_t u = 0; u < n; u++) {
        const char *device = frs_devices_class(&setup->devices, setup->training.seed, u);
        if (strcmp(device, "none") != 0)
            add_client(&c, find(&c, "device_class", device), u);
    }
    compare_family(&c, 0);
    size_t first = c.n;
    for (uint32_t u = 0; u < n; u++) {
        const char *network =
            setup->platform.file ? "none" : frs_network_class(&setup->network, setup->training.seed, u);
        if (strcmp(network, "none") != 0)
            add_client(&c, find(&c, "network_class", network), u);
    }
    compare_family(&c, first);
    if (!frs_reachability_is_trivial(&setup->reachability))
        add_quartiles(&c, BY_AVAILABILITY);
    if (frs_failures_differ(&setup->failures)) {
        add_quartiles(&c, BY_ACTIVITY);
        add_quartiles(&c, BY_LOSS);
    }
    add_missing(&c);
    for (size_t i = 0; i < c.n; i++)
        finish_scores(&groups[i]);
    free(c.members);
    return c.n;
}

static double quality_of(const struct frs_group *group, bool ratings) {
    return ratings ? group->scores.rmse : frs_scores_hit(&group->scores);
}

bool frs_groups_gap(const struct frs_group *family, size_t n, bool ratings, struct frs_group_gap *gap) {
    const struct frs_group *least = NULL, *most = NULL;
    double interactions = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < n && strcmp(family[i].by, family->by) == 0; i++) {
        double value = quality_of(&family[i], ratings), weight = (double)family[i].scores.n;
        if (family[i].scores.n == 0)
            continue;
        least = !least || value < quality_of(least, ratings) ? &family[i] : least;
        most = !most || value > quality_of(most, ratings) ? &family[i] : most;
        interactions += weight;
        sum += weight * value;
        squares += weight * value * value;
    }
    if (!least || least == most)
        return false;
    const struct frs_group *worst = ratings ? most : least;
    double low = quality_of(least, ratings), high = quality_of(most, ratings), mean = sum / interactions;
    *gap = (struct frs_group_gap){.worst = worst->name,
        .best = worst == most ? least->name : most->name,
        .worst_quality = quality_of(worst, ratings),
        .gap = high - low,
        .low = high - low - hypot(high - most->low, least->high - low),
        .high = high - low + hypot(most->high - high, low - least->low),
        .spread = sqrt(fmax(squares / interactions - mean * mean, 0))};
    return true;
}

size_t frs_groups_count_compared(const struct frs_group *groups, size_t n) {
    size_t compared = 0;
    for (size_t i = 0; i < n; i++)
        compared += isfinite(groups[i].chance) && (i == 0 || strcmp(groups[i - 1].by, groups[i].by) != 0);
    return compared;
}
