#include "sim/closed_form/closed_form.h"
#include "analysis/statistics/order_statistics.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/closed_form/exchange_stages.h"
#include "sim/setup/memory_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_policy(const struct frs_setup *setup, const char *name) {
    return strcmp(setup->policy->plugin.name, name) == 0;
}

static bool asks_at_random(const struct frs_selection *selection) {
    return !selection->observes && !selection->uses_samples && !selection->uses_groups &&
           !selection->uses_devices && !selection->uses_loss;
}

const char *frs_closed_form_why_not(const struct frs_setup *setup) {
    if (setup->peers.neighbours)
        return "clients exchange models with each other";
    if (frs_training_exchanges_layers(&setup->training))
        return "clients exchange layers with each other";
    if (setup->platform.file)
        return "links are those of platform.file";
    if (setup->edges.n > 0)
        return "messages are stored and forwarded at edges";
    if (setup->network.model != FRS_EXACT && !frs_network_connects(&setup->network))
        return "it does not know network.model = \"lv08\"";
    if (frs_client_trace_varies(&setup->network.trace))
        return "bandwidth follows a trace";
    if (setup->server.trace.path)
        return "the server follows a trace";
    if (!frs_devices_deterministic(&setup->devices))
        return "computing is measured while it runs";
    if (setup->policy->asynchronous)
        return "an asynchronous server waits for nobody in particular";
    if (setup->policy->truncates)
        return "clients train until they are told to stop";
    if (setup->policy_settings.run_on)
        return "stragglers run on into other rounds";
    if (setup->selection->varies)
        return "cohorts differ in size";
    if (!asks_at_random(setup->selection))
        return "clients are not selected at random";
    if (setup->training.learner->rounds && setup->training.learner->rounds->course)
        return "rounds differ in their messages";
    return NULL;
}

size_t frs_closed_form_leaves_out(
    const struct frs_setup *setup, const char *omissions[FRS_CLOSED_FORM_OMISSIONS]) {
    const struct {
        bool happens;
        const char *name;
    } all[] = {
        {frs_failures_can_strike(&setup->failures) || setup->failures.n_server_restarts > 0, "failures"},
        {!frs_reachability_is_trivial(&setup->reachability), "availability"},
        {frs_memory_too_small(setup) > 0, "clients that are refused"},
        {frs_caps_limit(&setup->caps), "caps"},
        {setup->network.model == FRS_PACKETS, "queues and losses of packets"},
        {setup->network.keeps_windows, "slow start of first messages"},
        {frs_network_connects(&setup->network) && setup->network.connection == FRS_CONNECTION_KEPT &&
                !setup->network.keeps_windows,
            "what is left of idle windows"},
        {isfinite(setup->network.server_down_bytes_per_s) || isfinite(setup->network.server_up_bytes_per_s),
            "who waits for whom at the server's link"},
        {isfinite(setup->server.flop_per_s), "the server's computing"},
        {setup->adaptation && strcmp(setup->adaptation->plugin.name, "fixed") != 0, "adaptation of uploads"},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].happens)
            omissions[n++] = all[i].name;
    return n;
}

/* How many of the selected clients the round waits for. */
static size_t waits_for(const struct frs_setup *setup) {
    size_t requested = setup->policy_settings.n_selected;
    if (has_policy(setup, "over_select") || has_policy(setup, "quorum_then_wait"))
        return setup->policy_settings.n_needed;
    if (has_policy(setup, "quantile"))
        return (size_t)fmax(1, ceil(setup->policy_settings.share * (double)requested - 1e-9));
    return requested;
}

/* Both directions of the server's link, and the time that clients need beside it. */
struct sums {
    double bytes[2], fastest_s; /* bytes: of a participation, on average, down and up */
};

/* The messages of all clients cross the link one after the other, first all downloads, then all uploads.
 * The rest lasts as long as for the fastest client. */
static double link_s(
    const struct frs_setup *setup, size_t downloads, size_t uploads, const struct sums *sums) {
    double requested = (double)downloads, arriving = (double)uploads,
           down_s = requested * sums->bytes[0] / setup->network.server_down_bytes_per_s,
           up_s = arriving * sums->bytes[1] / setup->network.server_up_bytes_per_s;
    return down_s + up_s > 0 ? down_s + up_s + sums->fastest_s : 0;
}

static double beside_link_s(const struct frs_setup *setup, const struct frs_closed_form_time *time) {
    double all_s = time->whole_s;
    all_s -= isfinite(setup->network.server_down_bytes_per_s) ? time->down_s : 0;
    all_s -= isfinite(setup->network.server_up_bytes_per_s) ? time->up_s : 0;
    return fmax(all_s, 0); /* where downloads are a stretch of their own */
}

/* A stretch of a round that ends when the clients it waits for have ended: an exchange, or the round's own
 * messages (`stage` NULL). */
struct stretch {
    const struct frs_usages *usages;
    enum { ALL, UPLOADS, DOWNLOADS } messages; /* of the round's own, which take place in it */
    const struct frs_exchange_stage *stage;
    bool connects;
    size_t waits_for;
    double limit_s;
    size_t at_least; /* it waits for so many beyond the limit */
    double then_s;   /* it goes on so long after the last of those it waits for, if not all are there */
};

static struct frs_closed_form_time course(const struct frs_setup *setup, const struct stretch *stretch,
    uint32_t client, uint32_t round, const struct frs_usage *usage) {
    if (stretch->stage)
        return frs_exchange_course(setup, stretch->stage, client, round);
    struct frs_closed_form_time time = frs_closed_form_time(setup, client, round, usage);
    if (stretch->messages == DOWNLOADS)
        time.whole_s = time.latency_s + time.down_s;
    else if (!stretch->connects)
        frs_exchange_connected(&time);
    if (stretch->messages == UPLOADS)
        time.whole_s -= time.latency_s + time.down_s;
    return time;
}

/* Clients at even places, [n], and the usage of each in the stretch: bytes of messages, operations. */
struct members {
    size_t n;
    uint32_t *clients;
    struct frs_usage *usages;
};

static struct members members_of(const struct frs_setup *setup, const struct stretch *stretch) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    struct members members = {.n = n_clients < FRS_CLOSED_FORM_MOST ? n_clients : FRS_CLOSED_FORM_MOST};
    members.clients = frs_alloc(members.n, sizeof *members.clients);
    members.usages = frs_alloc(members.n, sizeof *members.usages);
    for (size_t i = 0; i < members.n; i++) {
        members.clients[i] = (uint32_t)((uint64_t)i * n_clients / members.n);
        members.usages[i] = (struct frs_usage){0};
        if (stretch->stage)
            members.usages[i] = stretch->stage->usage;
        else
            stretch->usages->of(stretch->usages->context, members.clients[i], &members.usages[i]);
        if (stretch->messages == UPLOADS)
            members.usages[i].down_bytes = 0;
        if (stretch->messages == DOWNLOADS)
            members.usages[i].up_bytes = 0;
    }
    return members;
}

static void members_fini(struct members *members) {
    free(members->clients);
    free(members->usages);
}

static void add_bytes(const struct frs_setup *setup, const struct stretch *stretch,
    const struct members *members, struct sums *sums) {
    for (size_t i = 0; i < members->n; i++) {
        sums->bytes[0] += (double)members->usages[i].down_bytes / (double)members->n;
        sums->bytes[1] += (double)members->usages[i].up_bytes / (double)members->n;
    }
    if (stretch->connects && frs_network_connects(&setup->network)) {
        const struct frs_connecting connecting = frs_connecting(setup->network.connection);
        sums->bytes[0] += (double)connecting.down_bytes;
        sums->bytes[1] += (double)connecting.up_bytes;
    }
}

/* The k-th of those selected has ended, or the limit is over. */
static double order_s(const struct frs_setup *setup, const double *all, size_t n, size_t k, double limit_s) {
    double *limited = frs_alloc(n, sizeof *limited);
    for (size_t i = 0; i < n; i++)
        limited[i] = fmin(all[i], limit_s);
    double mean_s = frs_expected_order(
        limited, n, setup->training.data->population.n_clients, setup->policy_settings.n_selected, k);
    free(limited);
    return mean_s;
}

/* When the stretch ends if only its clients decide; `all` [n] are the durations of all clients, ascending.
 * For the earlier or later of two events, the result is the earlier or later of their means. */
static double closes_s(
    const struct frs_setup *setup, const struct stretch *stretch, const double *all, size_t n) {
    double ends_s = order_s(setup, all, n, stretch->waits_for, stretch->limit_s);
    if (stretch->then_s > 0)
        ends_s = fmin(
            ends_s + stretch->then_s, order_s(setup, all, n, setup->policy_settings.n_selected, INFINITY));
    if (stretch->at_least > 0)
        ends_s = fmax(ends_s, order_s(setup, all, n, stretch->at_least, INFINITY));
    return ends_s;
}

/* The stretch of one round. `all` [n] gets the durations of all its members, ascending. */
static void add_round(const struct frs_setup *setup, const struct stretch *stretch,
    const struct members *members, uint32_t round, double weight, double *all, struct frs_closed_form *form) {
    size_t n = members->n;
    struct sums sums = {.fastest_s = INFINITY};
    add_bytes(setup, stretch, members, &sums);
    for (size_t i = 0; i < n; i++) {
        struct frs_closed_form_time time =
            course(setup, stretch, members->clients[i], round, &members->usages[i]);
        sums.fastest_s = fmin(sums.fastest_s, beside_link_s(setup, &time));
        form->participation_s += weight * time.whole_s / (double)n;
        all[i] = time.whole_s;
    }
    qsort(all, n, sizeof *all, frs_compare_doubles);
    double slowest_s = closes_s(setup, stretch, all, n),
           by_link_s = link_s(setup,
               stretch->messages == DOWNLOADS ? stretch->waits_for : setup->policy_settings.n_selected,
               stretch->waits_for, &sums);
    form->slowest_s += weight * slowest_s;
    form->server_link_s += weight * by_link_s;
    form->round_s += weight * fmax(slowest_s, fmin(by_link_s, stretch->limit_s));
}

static bool varies(const struct frs_setup *setup) {
    return frs_network_jitter(&setup->network, FRS_JITTER_RATE) > 0 ||
           frs_network_jitter(&setup->network, FRS_JITTER_LATENCY) > 0 || setup->devices.jitter > 0;
}

static uint32_t rounds_told(size_t n) {
    size_t rounds = FRS_CLOSED_FORM_DRAWS / n;
    return (uint32_t)(rounds < FRS_CLOSED_FORM_ROUNDS_LEAST  ? FRS_CLOSED_FORM_ROUNDS_LEAST
                      : rounds > FRS_CLOSED_FORM_ROUNDS_MOST ? FRS_CLOSED_FORM_ROUNDS_MOST
                                                             : rounds);
}

static void add_stretch(
    const struct frs_setup *setup, const struct stretch *stretch, struct frs_closed_form *form) {
    struct members members = members_of(setup, stretch);
    double *all = frs_alloc(members.n, sizeof *all);
    uint32_t n_rounds = varies(setup) ? rounds_told(members.n) : 1;
    for (uint32_t i = 0; i < n_rounds; i++)
        add_round(setup, stretch, &members, varies(setup) ? i : FRS_NO_ROUND, 1.0 / n_rounds, all, form);
    free(all);
    members_fini(&members);
}

struct frs_closed_form frs_closed_form(const struct frs_setup *setup, const struct frs_usages *usages) {
    struct frs_closed_form form = {.why_not = frs_closed_form_why_not(setup)};
    if (form.why_not)
        return form;
    struct frs_exchange_stage stages[FRS_EXCHANGE_STAGES];
    size_t n_stages = frs_exchange_stages(setup, stages);
    bool downloads_last = frs_training_own_models(&setup->training);
    add_stretch(setup,
        &(struct stretch){.usages = usages,
            .messages = downloads_last ? UPLOADS : ALL,
            .connects = n_stages == 0,
            .waits_for = waits_for(setup),
            .limit_s = has_policy(setup, "deadline") ? setup->policy_settings.after_s : INFINITY,
            .at_least = setup->policy_settings.min_uploads,
            .then_s = setup->policy_settings.then_s},
        &form);
    for (size_t i = 0; i < n_stages; i++)
        add_stretch(setup,
            &(struct stretch){.stage = &stages[i],
                .connects = stages[i].connects,
                .waits_for = stages[i].of_survivors ? waits_for(setup) : setup->policy_settings.n_selected,
                .limit_s = frs_privacy_masks(&setup->training.mechanisms).patience_s},
            &form);
    if (downloads_last)
        add_stretch(setup,
            &(struct stretch){
                .usages = usages, .messages = DOWNLOADS, .waits_for = waits_for(setup), .limit_s = INFINITY},
            &form);
    form.round_s += setup->server.overhead_s;
    return form;
}
