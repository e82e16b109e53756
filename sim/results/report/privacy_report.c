#include "sim/results/report/privacy_report.h"
#include "sim/base/memory.h"
#include "sim/results/json_file.h"
#include "sim/results/privacy_words.h"
#include "sim/setup/notes/schedule_note.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static uint32_t releases_of(
    const struct frs_guarantee *guarantee, const struct frs_outputs *outputs, uint32_t client) {
    const struct frs_client_row *row = frs_ledger_client(outputs->ledger, client);
    return guarantee->local ? row->uploads : row->delivered;
}

/* Over clients, each counted as the one with most releases is: what sampling says holds for all of them. */
static void count_clients(
    const struct frs_guarantee *guarantee, const struct frs_outputs *outputs, struct frs_releases *told) {
    uint32_t n_clients = outputs->setup->training.data->population.n_clients;
    uint32_t *clients = frs_alloc((size_t)told->most + 1, sizeof *clients); /* by their number of releases */
    struct frs_guarantee counted = *guarantee;
    counted.sampling = (struct frs_sampling){0};
    for (uint32_t client = 0; client < n_clients; client++)
        clients[releases_of(guarantee, outputs, client)]++;
    for (uint32_t releases = 1; releases <= told->most; releases++) {
        if (clients[releases] == 0)
            continue;
        struct frs_privacy_account account = frs_privacy_account(&counted, releases, 0);
        account.epsilon = fmin(account.epsilon, told->worst.sampled);
        told->mean_epsilon += account.epsilon * clients[releases] / n_clients;
        told->beyond += frs_privacy_misses(guarantee, &account) ? clients[releases] : 0;
    }
    free(clients);
}

struct frs_releases frs_privacy_releases(
    const struct frs_guarantee *guarantee, const struct frs_outputs *outputs) {
    uint32_t n_clients = outputs->setup->training.data->population.n_clients;
    struct frs_releases told = {.one = frs_privacy_loss(guarantee, 1)};
    for (uint32_t client = 0; client < n_clients; client++) {
        uint32_t releases = releases_of(guarantee, outputs, client);
        told.most = releases > told.most ? releases : told.most;
        told.all += releases;
    }
    told.worst = frs_privacy_account(guarantee, told.most, frs_ledger_rounds(outputs->ledger));
    count_clients(guarantee, outputs, &told);
    return told;
}

/* ---- what the server sees -------------------------------------------------------------------- */

static bool clients_add_noise(const struct frs_setup *setup) {
    struct frs_guarantee guarantee = frs_privacy_guarantee(&setup->training.mechanisms);
    return guarantee.noise != FRS_NO_NOISE && guarantee.local;
}

static const char *uplink_text(const struct frs_setup *setup) {
    bool places = setup->training.uplink_codec.codec->reveals_rows;
    if (setup->peers.neighbours)
        return "nothing, because there is none; neighbours read each other's models";
    if (setup->training.edge_of_client)
        return "the sum of the uploads of each edge's clients; the edges read every client's own";
    switch (frs_privacy_sight(&setup->training.mechanisms)) {
    case FRS_SEES_SUMS:
        return "the sum of a round's uploads, and no client's own";
    case FRS_SEES_CIPHERTEXTS:
        return places ? "which items each client trained on (the codec sends only those); their values are "
                        "ciphertexts (modelled)"
                      : "ciphertexts, which it adds and cannot read (modelled)";
    default:
        break;
    }
    if (clients_add_noise(setup))
        return "every client's values with the noise it has added to each of them";
    return places
               ? "which items each client trained on (the codec sends only those), and its values for them"
               : "every client's values; which rows differ from what it downloaded, how far and which way, "
                 "tells which items it has";
}

static void set_sight(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_quality *last = &outputs->result->last;
    json_t *object = frs_json_add_object(root, "server_sees");
    frs_json_set_text(object, "uplink", uplink_text(outputs->setup));
    if (!outputs->setup->training.trains || !outputs->evaluation)
        return;
    frs_json_set_real(object, "items_of_an_upload", last->items_read);
    frs_json_set_real(object, "interactions_found", last->interactions_found);
    frs_json_set_real(object, "sums_of_few", last->sums_of_few);
}

/* Exchanges of pairwise masks: of the bytes and operations of participations. */
static void set_exchanges(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_totals *totals = frs_ledger_totals(outputs->ledger);
    if (frs_privacy_masks(&outputs->setup->training.mechanisms).range == 0)
        return;
    json_t *object = frs_json_add_object(root, "exchanges");
    frs_json_set_count(object, "down_bytes", totals->aside_down_bytes);
    frs_json_set_count(object, "up_bytes", totals->aside_up_bytes);
    frs_json_set_real(object, "flop", totals->aside_flop);
    if (outputs->setup->training.trains)
        frs_json_set_real(object, "clipped", outputs->result->last.clipped);
}

char *frs_privacy_leakage_line(const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_quality *last = &outputs->result->last;
    if (!setup->training.trains || !outputs->evaluation || isnan(last->interactions_found))
        return NULL;
    if (!isnan(last->sums_of_few))
        return frs_format(
            "sums alone; %.3g %% of them of fewer than 5 clients each", 100 * last->sums_of_few);
    return frs_format(
        "%.1f items stand out in an upload; it finds at least %.1f %% of a client's interactions",
        last->items_read, 100 * last->interactions_found);
}

/* ---- privacy mechanisms ---------------------------------------------------------------------- */

static bool counts_masks(const struct frs_privacy_choice *one) {
    return one->mechanism->masks && one->mechanism->masks(one->settings).counted;
}

static void set_mechanisms(json_t *root, const struct frs_privacy_mechanism_list *mechanisms) {
    if (mechanisms->n == 0)
        return;
    json_t *list = json_array();
    for (size_t i = 0; i < mechanisms->n; i++) {
        json_t *object = json_object();
        frs_json_set_text(object, "name", mechanisms->of[i].mechanism->plugin.name);
        json_object_set_new(object, "modelled",
            json_boolean(mechanisms->of[i].mechanism->modelled || counts_masks(&mechanisms->of[i])));
        json_array_append_new(list, object);
    }
    json_object_set_new(root, "privacy", list);
}

char *frs_privacy_modelled_line(const struct frs_outputs *outputs) {
    const struct frs_privacy_choice *seal =
        frs_privacy_in(&outputs->setup->training.mechanisms, FRS_PRIVACY_MESSAGE);
    if (!seal || !seal->mechanism->modelled)
        return NULL;
    return frs_format("%s is modelled: its bytes and times are published or measured elsewhere, nothing is "
                      "encrypted",
        seal->mechanism->plugin.name);
}

/* ---- the guarantee --------------------------------------------------------------------------- */

static void set_composed(json_t *object, const struct frs_privacy_account *account) {
    const struct {
        const char *name;
        double epsilon;
    } ways[] = {{"sum", account->sum}, {"advanced", account->advanced}, {"renyi", account->renyi},
        {"exact", account->exact}, {"sampled", account->sampled}};
    json_t *composed = frs_json_add_object(object, "composed");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (isfinite(ways[i].epsilon))
            frs_json_set_real(composed, ways[i].name, ways[i].epsilon);
}

static const char *noise_name(enum frs_noise noise) {
    return frs_noise_names[noise];
}

static void set_guarantee(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_guarantee g = frs_privacy_guarantee(&setup->training.mechanisms);
    if (g.noise == FRS_NO_NOISE || !setup->training.trains)
        return;
    struct frs_releases told = frs_privacy_releases(&g, outputs);
    json_t *object = frs_json_add_object(root, "privacy_guarantee");
    frs_json_set_text(object, "noise", noise_name(g.noise));
    frs_json_set_text(object, "added_by", g.local ? "client" : "server");
    frs_json_set_text(object, "protects", g.protects);
    if (frs_schedule_follows_data(setup))
        frs_json_set_text(object, "schedule_follows", frs_schedule_follows_data(setup));
    if (g.scale <= 0) {
        frs_json_set_text(object, "none", "nothing bounds what the noise has to hide");
        return;
    }
    frs_json_set_real(object, "noise_scale", g.scale);
    frs_json_set_real(object, "delta", g.delta);
    if (g.noise == FRS_LAPLACE)
        frs_json_set_real(object, "epsilon_per_value", 1 / g.scale);
    frs_json_set_real(object, "epsilon_per_round", told.one.epsilon);
    frs_json_set_count(object, "rounds_max", told.most);
    frs_json_set_real(object, "epsilon_max", told.worst.epsilon);
    set_composed(object, &told.worst);
    frs_json_set_real(object, "rounds_mean", (double)told.all / setup->training.data->population.n_clients);
    frs_json_set_real(object, "epsilon_mean", told.mean_epsilon);
    if (g.aim.epsilon > 0) {
        frs_json_set_real(object, "epsilon_requested", g.aim.epsilon);
        frs_json_set_count(object, "rounds_requested", g.aim.releases);
        frs_json_set_count(object, "clients_beyond", told.beyond);
    }
    if (g.sampling.kind != FRS_NOT_SAMPLED)
        frs_json_set_real(object, "sampling_rate", g.sampling.rate);
    else if (!g.local && setup->not_sampled)
        frs_json_set_text(object, "not_amplified", setup->not_sampled);
}

char *frs_privacy_guarantee_line(const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_guarantee g = frs_privacy_guarantee(&setup->training.mechanisms);
    if (g.noise == FRS_NO_NOISE || !setup->training.trains)
        return NULL;
    if (g.scale <= 0)
        return frs_privacy_nothing(&g);
    struct frs_releases told = frs_privacy_releases(&g, outputs);
    return frs_privacy_words(setup, &g,
        frs_format("%.4g after the %u of a client at most", told.worst.epsilon, told.most), &told.worst);
}

/* "epsilon 8 was to be kept over 5 participations: 312 of 943 clients took part more often, and lost up
 * to 18.49" */
char *frs_privacy_missed_line(const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_guarantee g = frs_privacy_guarantee(&setup->training.mechanisms);
    if (g.noise == FRS_NO_NOISE || !setup->training.trains || !(g.aim.epsilon > 0))
        return NULL;
    struct frs_releases told = frs_privacy_releases(&g, outputs);
    if (told.beyond == 0)
        return NULL;
    return frs_format("epsilon %.4g was to be kept over %" PRIu64 " participation%s: %u of %u clients took "
                      "part more often, and lost up to %.4g",
        g.aim.epsilon, g.aim.releases, g.aim.releases == 1 ? "" : "s", told.beyond,
        setup->training.data->population.n_clients, told.worst.epsilon);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The page of a run shows the lines of the terminal. */
static void set_line(json_t *root, const char *key, char *line) {
    json_t *object = json_object_get(root, "privacy_guarantee");
    if (line && object)
        frs_json_set_text(object, key, line);
    free(line);
}

void frs_privacy_set(json_t *root, const struct frs_outputs *outputs) {
    set_mechanisms(root, &outputs->setup->training.mechanisms);
    if (!outputs->setup->declared)
        set_sight(root, outputs);
    set_exchanges(root, outputs);
    set_guarantee(root, outputs);
    set_line(root, "text", frs_privacy_guarantee_line(outputs));
    set_line(root, "missed", frs_privacy_missed_line(outputs));
}
