/* What the server remembers of its clients: averages, how often each was aborted, and predictions from
 * both. */
#include "budgets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a client comes in parts. */
enum part_of_pace { DOWNLOADS, COMPUTING, UPLINK, SIZE, N_PARTS };

enum figure { LATENCY, ROUND_TRIP, DOWN_BYTES, DOWN_PACE, COMPUTE_PACE, UP_PACE, SIZE_SHARE, N_FIGURES };

static const enum part_of_pace part_of[N_FIGURES] = {[LATENCY] = DOWNLOADS,
    [ROUND_TRIP] = DOWNLOADS,
    [DOWN_BYTES] = DOWNLOADS,
    [DOWN_PACE] = DOWNLOADS,
    [COMPUTE_PACE] = COMPUTING,
    [UP_PACE] = UPLINK,
    [SIZE_SHARE] = SIZE};

struct client {
    bool knows[N_PARTS];
    double of[N_FIGURES];
    size_t cuts;    /* since its last upload */
    double backoff; /* likewise */
    unsigned most;  /* likewise: the budget it may be assigned; 0: any */
    size_t measured;
    double duration_s, waited_s;
    /* For selections: */
    size_t ended, losses; /* losses and vain_s since the last upload */
    double asked_round, loss, spent_s, share, vain_s;
};

struct knowledge {
    const struct settings *settings;
    size_t n;
    struct client *clients;
};

struct knowledge *knowledge_new(const struct settings *settings, size_t n_clients) {
    struct knowledge *k = calloc(1, sizeof *k);
    if (!k || !(k->clients = calloc(n_clients + 1, sizeof *k->clients)))
        abort();
    k->settings = settings;
    k->n = n_clients;
    for (size_t i = 0; i < n_clients; i++)
        k->clients[i] = (struct client){.backoff = 1, .loss = NAN};
    return k;
}

void knowledge_free(struct knowledge *knowledge) {
    free(knowledge->clients);
    free(knowledge);
}

/* Over the clients of which it is known; before there is one, the prior. */
static double mean_of(const struct knowledge *k, enum figure figure) {
    const double prior[N_FIGURES] = {[DOWN_BYTES] = k->settings->state_bytes,
        [DOWN_PACE] = k->settings->prior[0],
        [UP_PACE] = k->settings->prior[1],
        [COMPUTE_PACE] = k->settings->prior[2],
        [SIZE_SHARE] = 1};
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < k->n; i++)
        if (k->clients[i].knows[part_of[figure]]) {
            sum += k->clients[i].of[figure];
            n++;
        }
    return n > 0 ? sum / (double)n : prior[figure];
}

static double figure_of(const struct knowledge *k, size_t client, enum figure figure) {
    const struct client *c = k->clients + client;
    return c->knows[part_of[figure]] ? c->of[figure] : mean_of(k, figure);
}

static double duration_s(const struct knowledge *k, size_t client, enum slow_start_kind down,
    enum slow_start_kind up, double work, double bytes) {
    double round_trip_s = figure_of(k, client, ROUND_TRIP);
    return figure_of(k, client, LATENCY) +
           slow_start_s(
               down, figure_of(k, client, DOWN_BYTES), figure_of(k, client, DOWN_PACE), round_trip_s) +
           work * figure_of(k, client, COMPUTE_PACE) +
           slow_start_s(
               up, bytes * figure_of(k, client, SIZE_SHARE), figure_of(k, client, UP_PACE), round_trip_s);
}

static void average(struct client *c, enum figure figure, double value, double weight) {
    c->of[figure] += (c->knows[part_of[figure]] ? weight : 1) * (value - c->of[figure]);
}

static void learn_pace(struct knowledge *k, struct client *c, const struct seen *s) {
    double weight = s->sight == UPLOAD && c->cuts > 0 ? 1 : k->settings->weight;
    if (s->sight >= RECEIPT) {
        average(c, LATENCY, s->latency_s, weight);
        average(c, ROUND_TRIP, s->round_trip_s, weight);
        average(c, DOWN_BYTES, s->down_bytes, weight);
        average(c, DOWN_PACE, slow_start_pace(s->down, s->down_bytes, s->down_s, s->round_trip_s), weight);
        c->knows[DOWNLOADS] = true;
    }
    if (s->sight >= PART) {
        average(c, COMPUTE_PACE, s->compute_s / s->work, weight);
        average(c, UP_PACE, slow_start_pace(s->up, s->up_bytes, s->up_s, s->round_trip_s), weight);
        c->knows[COMPUTING] = c->knows[UPLINK] = true;
    }
    if (s->sight == UPLOAD) {
        average(c, SIZE_SHARE, s->up_bytes / s->predicted_bytes, weight);
        c->knows[SIZE] = true;
    }
}

/* Time spent on participations and the share of them whose upload arrived: averages from the first upload on.
 */
static void learn_speed(const struct knowledge *k, struct client *c, const struct seen *s) {
    double weight = k->settings->weight;
    c->ended++;
    if (s->sight == UPLOAD) {
        c->loss = s->loss;
        c->spent_s = c->measured == 0 ? s->waited_s : c->spent_s + weight * (s->waited_s - c->spent_s);
        c->share = c->measured == 0 ? 1 : c->share + weight * (1 - c->share);
        c->losses = 0;
        c->vain_s = 0;
        return;
    }
    c->losses += s->lost;
    c->vain_s += s->waited_s; /* 0 of a loss */
    if (c->measured > 0) {
        c->spent_s += s->lost ? 0 : weight * (s->waited_s - c->spent_s);
        c->share -= weight * c->share;
    }
}

void learn(struct knowledge *k, const struct seen *s) {
    struct client *c = k->clients + s->client;
    learn_speed(k, c, s);
    learn_pace(k, c, s);
    if (s->sight == UPLOAD) {
        double weight = c->measured == 0 || c->cuts > 0 ? 1 : k->settings->weight;
        c->duration_s += weight * (s->waited_s - c->duration_s);
        c->measured++;
        c->backoff = 1;
        c->cuts = 0;
        c->most = 0;
        c->waited_s = 0;
        return;
    }
    if (s->lost)
        return;
    double predicted = duration_s(k, s->client, s->down, s->up, s->work, s->predicted_bytes),
           left = fmax(s->predicted_bytes * figure_of(k, s->client, SIZE_SHARE) - s->kept_bytes, 0),
           pace = slow_start_pace(s->up, s->up_bytes, s->up_s, s->round_trip_s),
           least_s = s->sight == PART ? s->waited_s + left * pace : 2 * s->waited_s;
    if (c->cuts > 0 && s->reducible > 0) {
        c->backoff *= 2;
        c->most = s->reducible / 2;
    }
    c->cuts++;
    if (predicted > 0)
        c->backoff = fmax(c->backoff, least_s / predicted);
    if (c->measured == 0)
        c->waited_s = fmax(c->waited_s, s->waited_s);
}

static bool is_unmeasured(const struct client *c) {
    return c->measured == 0 && c->waited_s == 0;
}

static double factor_of(const struct knowledge *k, size_t client) {
    double waited_s = 0, durations_s = 0;
    if (strcmp(k->settings->unmeasured, "mean") != 0 || !is_unmeasured(k->clients + client))
        return k->clients[client].backoff;
    for (size_t i = 0; i < k->n; i++) {
        waited_s += k->clients[i].waited_s;
        durations_s += k->clients[i].measured > 0 ? k->clients[i].duration_s : 0;
    }
    return durations_s > 0 ? 1 + waited_s / durations_s : 1;
}

double known_duration_s(const struct knowledge *k, size_t client, unsigned budget) {
    enum slow_start_kind down, up;
    first_slow_start(k->settings, &down, &up);
    return duration_s(
        k, client, down, up, work_of(k->settings, budget), predicted_bytes(k->settings, budget));
}

double predicted_s(const struct knowledge *k, size_t client, unsigned budget) {
    return factor_of(k, client) * known_duration_s(k, client, budget);
}

/* No byte takes less than 1e-12 s. */
double relative_uplink(const struct knowledge *k, size_t client) {
    return fmax(mean_of(k, UP_PACE), 1e-12) /
           (factor_of(k, client) * fmax(figure_of(k, client, UP_PACE), 1e-12));
}

unsigned most_granted(const struct knowledge *k, size_t client) {
    const struct client *c = k->clients + client;
    if (strcmp(k->settings->unmeasured, "smallest") == 0 && is_unmeasured(c))
        return 1;
    return c->most > 0 ? c->most : k->settings->largest;
}

void ask(struct knowledge *k, size_t client, double round) {
    k->clients[client].asked_round = round;
}

double asked_last(const struct knowledge *k, size_t client) {
    return k->clients[client].asked_round;
}

bool is_explored(const struct knowledge *k, size_t client) {
    return k->clients[client].ended > 0;
}

double reported_loss(const struct knowledge *k, size_t client) {
    return k->clients[client].loss;
}

double delivery_s(const struct knowledge *k, size_t client) {
    const struct client *c = k->clients + client;
    double durations_s = 0;
    size_t n = 0;
    if (c->measured > 0 && c->losses == 0 && c->cuts == 0)
        return c->spent_s / c->share;
    if (c->measured > 0)
        return fmin(c->spent_s / c->share, c->duration_s * (double)(1 + c->losses) + c->vain_s);
    for (size_t i = 0; i < k->n; i++)
        if (k->clients[i].measured > 0) {
            durations_s += k->clients[i].duration_s;
            n++;
        }
    return (n > 0 ? durations_s / (double)n : 0) * (double)(1 + c->losses) + c->vain_s;
}
