#include "sim/run/outputs.h"
#include "algorithms/kernels/library.h"
#include "sim/base/memory.h"
#include "sim/ledger/files.h"
#include "sim/run/groups.h"
#include "sim/run/parameter_space.h"
#include "sim/run/target.h"
#include "sim/run/version.h"
#include "sim/scenario/hash.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Enough digits for every figure we print elsewhere, few enough that 0.1 stays 0.1. */
#define JSON_FLAGS (JSON_INDENT(2) | JSON_REAL_PRECISION(15))

static void set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, json_string(text));
}

static void set_count(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* A figure that does not exist is left out rather than written as 0. */
static void set_real(json_t *object, const char *key, double value) {
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

static json_t *add_object(json_t *object, const char *key) {
    json_t *child = json_object();
    json_object_set_new(object, key, child);
    return child;
}

static const char *protocol_name(const struct frs_setup *setup) {
    static const char *const names[] = {
        [FRS_HONEST] = "honest", [FRS_LEAKY] = "leaky", [FRS_LOOKAHEAD] = "lookahead"};
    return names[setup->data->protocol];
}

static enum frs_status write_json(
    const struct frs_run_directory *directory, const char *name, json_t *root, struct frs_errors *errors) {
    FILE *file = frs_run_directory_file(directory, name, errors);
    enum frs_status status = FRS_ERR_RUN;
    if (file) {
        int failed = json_dumpf(root, file, JSON_FLAGS);
        fputc('\n', file);
        status = frs_run_directory_close_file(file, name, errors);
        if (failed && status == FRS_OK)
            status = frs_errors_add(errors, FRS_ERR_RUN, "%s could not be written", name);
    }
    json_decref(root);
    return status;
}

static void dump_key(void *context, const char *key, const char *text) {
    set_text(context, key, text);
}

enum frs_status frs_write_manifest(
    const struct frs_run_directory *directory, const struct frs_outputs *outputs, struct frs_errors *errors) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_data *data = setup->data;
    json_t *root = json_object();
    set_text(root, "program", "fedrecsim");
    set_text(root, "version", FRS_VERSION);
    set_count(root, "seed", setup->seed);
    char hash[FRS_DIGEST_TEXT];
    set_text(root, "scenario_hash", frs_scenario_hash(setup->scenario, hash));
    frs_scenario_each(setup->scenario, dump_key, add_object(root, "scenario"));
    json_t *about = add_object(root, "data");
    set_text(about, "description", data->description);
    set_text(about, "hash", data->hash);
    set_count(about, "clients", data->population.n_clients);
    set_count(about, "items", data->population.n_items);
    set_count(about, "interactions", data->n_interactions);
    set_text(about, "order", data->order);
    set_text(about, "ties", "interactions of one time: the later row of the file is the newer one");
    json_t *engine = add_object(root, "engine");
    set_text(engine, "network_model", frs_network_model_names[setup->network.model]);
    set_text(engine, "player", setup->player->name);
    set_text(engine, "solver",
        setup->player == &frs_player_simgrid ? "SimGrid" : "water-filling (exact max-min rates)");
    json_object_set_new(root, "deterministic", json_boolean(frs_devices_deterministic(&setup->devices)));
    json_t *kernels = add_object(root, "kernels");
    set_text(kernels, "vector_level", frs_library_vector_level());
    set_text(kernels, "blas_core", frs_library_core());
    json_t *libraries = add_object(root, "libraries");
    frs_version_each((void (*)(void *, const char *, const char *))set_text, libraries);
    return write_json(directory, "manifest.json", root, errors);
}

static void set_scores(json_t *object, const struct frs_scores *scores, size_t k, const char *prefix) {
    const struct {
        const char *name;
        bool at_k;
        double value;
    } figures[] = {{"hr", true, scores->hit}, {"ndcg", true, scores->ndcg}, {"mae", false, scores->mae},
        {"rmse", false, scores->rmse}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        char *name = figures[i].at_k ? frs_format("%s%s@%zu", prefix, figures[i].name, k)
                                     : frs_format("%s%s", prefix, figures[i].name);
        set_real(object, name, figures[i].value);
        free(name);
    }
}

static json_t *quality_object(const struct frs_quality *quality, size_t k, bool federated) {
    json_t *object = json_object();
    set_scores(object, &quality->test, k, "");
    set_scores(object, &quality->validation, k, "validation_");
    if (federated) {
        set_scores(object, &quality->participants, k, "participants_");
        set_real(object, "coverage", quality->coverage);
    }
    return object;
}

static void set_quality(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_setup *setup = outputs->setup;
    json_object_set_new(root, "metrics", quality_object(&result->last, setup->k, true));
    json_object_set_new(root, "initial_metrics", quality_object(&result->initial, setup->k, true));
    if (result->best_round > 0) {
        json_t *best = quality_object(&result->best, setup->k, true);
        set_count(best, "round", result->best_round);
        json_object_set_new(root, "best_by_validation", best);
    }
    json_t *references = add_object(root, "references");
    for (size_t i = 0; i < outputs->references->n; i++)
        json_object_set_new(references, outputs->references->results[i].name,
            quality_object(&outputs->references->results[i].quality, setup->k, false));
}

static void set_information_loss(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_quality *last = &outputs->result->last;
    if (!outputs->setup->information_loss)
        return;
    json_t *loss = add_object(root, "information_loss");
    set_real(loss, "client", last->client_loss);
    set_real(loss, "server", last->server_loss);
    set_real(loss, "total", last->client_loss + last->server_loss);
}

static void set_waste_of(json_t *object, const struct frs_waste *waste) {
    set_count(object, "participations", waste->participations);
    set_count(object, "down_bytes", waste->down_bytes);
    set_count(object, "up_bytes", waste->up_bytes);
    set_real(object, "flop", waste->flop);
}

/* By cause, and within it by the outcome, which names the phase that was lost; only what happened. */
static void set_waste(json_t *by_cause, const struct frs_totals *totals) {
    for (size_t i = FRS_CAUSE_NONE + 1; i < FRS_N_CAUSES; i++) {
        struct frs_waste sum = {0};
        json_t *by_outcome = json_object(), *cause = json_object();
        for (size_t j = 0; j < FRS_N_OUTCOMES; j++) {
            const struct frs_waste *waste = &totals->waste[i][j];
            frs_waste_add(&sum, waste);
            if (waste->participations > 0)
                set_waste_of(add_object(by_outcome, frs_outcome_names[j]), waste);
        }
        if (totals->post_waste[i].participations > 0) {
            frs_waste_add(&sum, &totals->post_waste[i]);
            set_waste_of(add_object(by_outcome, "post"), &totals->post_waste[i]);
        }
        set_waste_of(cause, &sum);
        json_object_set_new(cause, "by_outcome", by_outcome);
        if (sum.participations > 0)
            json_object_set(by_cause, frs_cause_names[i], cause);
        json_decref(cause);
    }
}

/* Where uploads can be older than the tables they are added to. */
static void set_staleness(json_t *root, const struct frs_setup *setup, const struct frs_totals *totals) {
    bool matters = setup->policy->asynchronous || setup->policy_settings.accepts_late;
    if (matters && totals->used > 0)
        set_real(root, "mean_staleness", (double)totals->staleness / (double)totals->used);
}

/* Work after the upload, by its own outcomes; only of methods that have any. */
static void set_posts(json_t *root, const struct frs_totals *totals) {
    uint64_t n = 0;
    for (size_t i = FRS_POST_ENDED; i < FRS_N_POST_OUTCOMES; i++)
        n += totals->posts[i];
    json_t *posts = n > 0 ? add_object(root, "post") : NULL;
    for (size_t i = FRS_POST_ENDED; posts && i < FRS_N_POST_OUTCOMES; i++)
        set_count(posts, frs_post_outcome_names[i], totals->posts[i]);
}

static void set_totals(json_t *root, const struct frs_totals *totals) {
    json_t *path = add_object(root, "critical_path");
    set_real(path, "down_s", totals->path.down_s);
    set_real(path, "compute_s", totals->path.compute_s);
    set_real(path, "up_s", totals->path.up_s);
    set_real(path, "latency_s", totals->path.latency_s);
    set_real(path, "server_s", totals->path.server_s);
    set_real(path, "wait_s", totals->path.wait_s);
    set_real(path, "server_link_s", totals->path.server_link_s); /* a part of down_s and up_s */
    json_t *bytes = add_object(root, "bytes");
    set_count(bytes, "down", totals->down_bytes);
    set_count(bytes, "up", totals->up_bytes);
    set_count(bytes, "wasted", totals->wasted_down_bytes + totals->wasted_up_bytes);
    json_t *nominal = add_object(root, "nominal_bytes");
    set_count(nominal, "down", totals->nominal_down_bytes);
    set_count(nominal, "up", totals->nominal_up_bytes);
    set_real(root, "flop", totals->flop);
    set_real(root, "wasted_flop", totals->wasted_flop);
    set_real(root, "server_flop", totals->server_flop);
    set_real(add_object(root, "modelled"), "energy_j", totals->energy_j);
    json_t *outcomes = add_object(root, "outcomes");
    for (size_t i = FRS_DELIVERED; i < FRS_N_OUTCOMES; i++)
        set_count(outcomes, frs_outcome_names[i], totals->outcomes[i]);
    set_waste(add_object(root, "waste_by_cause"), totals);
    set_posts(root, totals);
}

/* The rules by which the run could end early, which of them did, and in which round. */
static void set_stop(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_setup *setup = outputs->setup;
    if (!(setup->stop_change > 0) && !isfinite(setup->stop_s) && !setup->stop_at_target)
        return;
    json_t *stop = add_object(root, "stop");
    if (setup->stop_change > 0) {
        json_object_set_new(stop, "converged", json_boolean(result->converged));
        set_real(stop, "change", setup->stop_change);
    }
    if (isfinite(setup->stop_s)) {
        json_object_set_new(stop, "out_of_time", json_boolean(result->out_of_time));
        set_real(stop, "time_s", setup->stop_s);
    }
    if (setup->stop_at_target)
        json_object_set_new(stop, "reached_target", json_boolean(result->reached_target));
    set_count(stop, "round", frs_ledger_rounds(outputs->ledger));
}

/* How often messages crossed, one way for everybody (Liu et al. 2024, definition 3.8; without rounds there is
 * no such thing), why the run ended early, and what clients did without the server. */
static void set_course(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_setup *setup = outputs->setup;
    if (!setup->policy->asynchronous) {
        json_t *communications = add_object(root, "communications");
        set_count(communications, "in_rounds", result->communications);
        set_count(communications, "for_evaluation", result->extra_communications);
    }
    set_stop(root, outputs);
    if (setup->learner->steps_alone) {
        json_t *alone = add_object(root, "alone");
        set_count(alone, "steps", result->alone_steps);
        set_real(alone, "flop", result->alone_flop);
    }
}

/* Shares of whole tables that were saved: as the papers count, and on the wire, which down includes what
 * clients had missed. Of participations that ran their course, or the bytes would be those of cut messages.
 */
static void set_compression(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_totals *t = frs_ledger_totals(outputs->ledger);
    struct frs_part shapes[FRS_MAX_PARTS];
    double table = 0, n = (double)t->participations;
    size_t n_parts = setup->learner->parts(setup->model, FRS_STATE, shapes);
    for (size_t i = 0; i < n_parts; i++)
        table += (double)(shapes[i].n_rows * shapes[i].dim * sizeof(float));
    if (!setup->learner->sends_updates || t->outcomes[FRS_DELIVERED] != t->participations)
        return;
    json_t *rate = add_object(root, "compression_rate");
    set_real(rate, "paper_down", 1 - (double)t->nominal_down_bytes / (n * table));
    set_real(rate, "paper_up", 1 - (double)t->nominal_up_bytes / (n * table));
    set_real(rate, "down", 1 - (double)t->down_bytes / (n * table));
    set_real(rate, "up", 1 - (double)t->up_bytes / (n * table));
}

/* Who takes part, and who is served how well. */
static void set_groups(json_t *root, const struct frs_outputs *outputs) {
    struct frs_group groups[FRS_MAX_GROUPS];
    size_t n = frs_groups_collect(outputs->setup, outputs->ledger, outputs->evaluation, groups);
    json_t *all = add_object(root, "groups");
    for (size_t i = 0; i < n; i++) {
        const struct frs_group *g = &groups[i];
        json_t *family = json_object_get(all, g->by);
        json_t *group = add_object(family ? family : add_object(all, g->by), g->name);
        set_count(group, "clients", g->clients);
        set_count(group, "participations", g->participations);
        set_count(group, "delivered", g->delivered);
        set_real(group, "availability", g->availability);
        if (g->scores.n > 0)
            set_scores(group, &g->scores, outputs->setup->k, "");
    }
}

#define MAX_BUDGETS_LISTED 32u

/* Who was granted how much, and what it bought. */
static void set_adaptation(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_control_budgets *b = frs_control_budgets(outputs->control);
    if (!b)
        return;
    json_t *object = add_object(root, "adaptation"), *times = json_object();
    set_text(object, "name", outputs->setup->adaptation->plugin.name);
    set_count(object, "largest_possible", b->range_max);
    set_count(object, "min", b->min);
    set_count(object, "max", b->max);
    set_real(object, "mean", b->n ? b->sum / (double)b->n : NAN);
    for (uint32_t budget = 0; budget <= b->range_max; budget++) {
        char key[16];
        snprintf(key, sizeof key, "%" PRIu32, budget);
        if (b->times[budget] > 0)
            set_count(times, key, b->times[budget]);
    }
    if (json_object_size(times) <= MAX_BUDGETS_LISTED)
        json_object_set(object, "participations", times);
    json_decref(times);
    double n = b->delivered ? (double)b->delivered : NAN;
    set_real(object, "up_bytes_saved", b->saved_bytes);
    set_real(object, "mean_predicted_s", b->predicted_s / n);
    set_real(object, "mean_actual_s", b->actual_s / n);
    set_real(object, "mean_error_s", b->error_s / n);
}

static void set_parameter_space(json_t *root, const struct frs_setup *setup) {
    struct frs_parameter_space space = frs_parameter_space(setup);
    if (!isfinite(space.client_bytes))
        return;
    json_t *object = add_object(root, "parameter_space");
    set_real(object, "client_bytes", space.client_bytes);
    set_real(object, "server_bytes", space.server_bytes);
}

/* What an honest-but-curious server can read from the messages (algorithms.md, section 11). */
static void set_privacy(json_t *root, const struct frs_setup *setup) {
    set_text(add_object(root, "server_sees"), "uplink",
        setup->uplink_codec.codec->reveals_rows
            ? "which items each client trained on (the codec sends only those), and its values for them"
            : "every client's values; rows that differ from what it downloaded tell which items it trained "
              "on");
}

/* What the clients' data have gone through: of the one with the most releases, and of all on average. */
struct told {
    uint32_t most;
    uint64_t all;
    struct frs_privacy_loss one, worst;
    double mean_epsilon;
};

static struct told count_releases(const struct frs_guarantee *guarantee, const struct frs_outputs *outputs) {
    uint32_t n_clients = outputs->setup->data->population.n_clients;
    struct told told = {.one = frs_privacy_loss(guarantee, 1)};
    for (uint32_t client = 0; client < n_clients; client++) {
        const struct frs_client_row *row = frs_ledger_client(outputs->ledger, client);
        uint32_t releases = guarantee->local ? row->uploads : row->delivered;
        told.most = releases > told.most ? releases : told.most;
        told.all += releases;
        told.mean_epsilon += frs_privacy_loss(guarantee, releases).epsilon / n_clients;
    }
    told.worst = frs_privacy_loss(guarantee, told.most);
    return told;
}

static void set_guarantee(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_guarantee g = frs_learner_guarantee(setup->learner, setup->model);
    if (g.noise == FRS_NO_NOISE || !setup->training)
        return;
    struct told told = count_releases(&g, outputs);
    json_t *object = add_object(root, "privacy_guarantee");
    set_text(object, "noise", frs_noise_names[g.noise]);
    set_text(object, "added_by", g.local ? "client" : "server");
    set_text(object, "protects", g.protects);
    if (g.scale <= 0) {
        set_text(object, "none", "nothing bounds what the noise has to hide");
        return;
    }
    set_real(object, "delta", told.one.delta);
    if (g.noise == FRS_LAPLACE)
        set_real(object, "epsilon_per_value", 1 / g.scale);
    set_real(object, "epsilon_per_round", told.one.epsilon);
    set_count(object, "rounds_max", told.most);
    set_real(object, "epsilon_max", told.worst.epsilon);
    set_real(object, "rounds_mean", (double)told.all / setup->data->population.n_clients);
    set_real(object, "epsilon_mean", told.mean_epsilon);
}

static double peak_rss_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

static double updates_per_s(const struct frs_outputs *outputs) {
    return outputs->wall_s > 0 ? (double)outputs->result->updates / outputs->wall_s : NAN;
}

enum frs_status frs_write_summary(
    const struct frs_run_directory *directory, const struct frs_outputs *outputs, struct frs_errors *errors) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_totals *totals = frs_ledger_totals(outputs->ledger);
    json_t *root = json_object();
    set_text(root, "status",
        outputs->result->interrupted ? "interrupted"
        : outputs->result->stranded  ? "stranded"
                                     : "complete");
    set_text(root, "method", setup->learner->plugin.name);
    set_real(root, "simulated_s", frs_ledger_end_s(outputs->ledger));
    set_real(root, "idle_s", frs_ledger_idle_s(outputs->ledger));
    set_count(root, "rounds", frs_ledger_rounds(outputs->ledger));
    set_count(root, "participations", totals->participations);
    set_totals(root, totals);
    set_staleness(root, setup, totals);
    set_course(root, outputs);
    set_compression(root, outputs);
    set_text(root, "protocol", protocol_name(setup));
    set_text(root, "candidates", setup->data->n_negatives ? "sampled" : "full");
    set_text(root, "order", setup->data->order);
    json_object_set_new(root, "training", json_boolean(setup->training));
    char *rounds = frs_format("%s/rounds.csv", directory->temporary);
    json_t *target = frs_target_object(setup, rounds, outputs->references);
    if (target)
        json_object_set_new(root, "target", target);
    free(rounds);
    if (outputs->evaluation)
        set_quality(root, outputs);
    else
        add_object(root, "metrics");
    set_information_loss(root, outputs);
    set_groups(root, outputs);
    set_adaptation(root, outputs);
    set_parameter_space(root, setup);
    set_privacy(root, setup);
    set_guarantee(root, outputs);
    json_t *machine = add_object(root, "machine");
    set_real(machine, "wall_s", outputs->wall_s);
    if (outputs->result->recalled)
        json_object_set_new(machine, "recalled", json_true());
    else if (setup->training) {
        set_real(machine, "client_updates_per_s", updates_per_s(outputs));
        set_real(machine, "training_wall_s", outputs->result->training_s);
    }
    set_real(machine, "peak_rss_bytes", peak_rss_bytes());
    set_count(machine, "threads", outputs->threads);
    return write_json(directory, "summary.json", root, errors);
}

enum frs_status frs_write_clients(
    const struct frs_run_directory *directory, const struct frs_outputs *outputs, struct frs_errors *errors) {
    const struct frs_setup *setup = outputs->setup;
    FILE *file = frs_run_directory_file(directory, "clients.csv", errors);
    if (!file)
        return FRS_ERR_RUN;
    frs_clients_csv_header(file);
    for (uint32_t client = 0; client < setup->data->population.n_clients; client++) {
        struct frs_client_link link = {NAN, NAN, NAN}; /* on a user's platform, the platform's */
        if (!setup->platform.file)
            link = frs_network_client(&setup->network, setup->seed, client);
        struct frs_client_facts facts = {.down_bytes_per_s = link.down_bytes_per_s,
            .up_bytes_per_s = link.up_bytes_per_s,
            .latency_s = link.latency_s,
            .flop_per_s = frs_devices_flop_per_s(&setup->devices, setup->seed, client),
            .train_items = setup->data->population.clients[client].n,
            .network_class =
                setup->platform.file ? "none" : frs_network_class(&setup->network, setup->seed, client),
            .device_class = frs_devices_class(&setup->devices, setup->seed, client),
            .budget = frs_control_mean_budget(outputs->control, client),
            .rank = outputs->evaluation ? frs_evaluation_rank(outputs->evaluation, client) : NAN};
        frs_clients_csv_row(file, client, frs_ledger_client(outputs->ledger, client), &facts);
    }
    return frs_run_directory_close_file(file, "clients.csv", errors);
}

static void print_row(FILE *out, const char *name, const char *value) {
    fprintf(out, "  %-22s %s\n", name, value);
}

static void print_time(FILE *out, const char *name, double value_s, double of_s) {
    char text[64], line[128];
    frs_units_format(value_s, FRS_TIME, text, sizeof text);
    if (of_s > 0)
        snprintf(line, sizeof line, "%-14s %5.1f %%", text, 100 * value_s / of_s);
    else
        snprintf(line, sizeof line, "%s", text);
    print_row(out, name, line);
}

static void print_bytes(FILE *out, const char *name, uint64_t bytes, uint64_t nominal_bytes) {
    char text[64], nominal[64], line[160];
    frs_units_format((double)bytes, FRS_BYTES, text, sizeof text);
    frs_units_format((double)nominal_bytes, FRS_BYTES, nominal, sizeof nominal);
    snprintf(line, sizeof line, "%-14s (nominal, as the papers count: %s)", text, nominal);
    print_row(out, name, line);
}

static void print_quality_row(FILE *out, const char *name, const struct frs_scores *scores) {
    char line[128];
    if (isfinite(scores->hit))
        snprintf(line, sizeof line, "%.4f   %.4f", scores->hit, scores->ndcg);
    else
        snprintf(line, sizeof line, "%.4f   %.4f", scores->mae, scores->rmse);
    print_row(out, name, line);
}

static void print_quality(const struct frs_outputs *outputs, FILE *out) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_setup *setup = outputs->setup;
    char line[128];
    if (setup->data->explicit_feedback)
        snprintf(line, sizeof line, "MAE      RMSE");
    else
        snprintf(line, sizeof line, "HR@%-4zu  NDCG@%zu   (protocol %s, %s candidates, order %s)", setup->k,
            setup->k, protocol_name(setup), setup->data->n_negatives ? "sampled" : "all", setup->data->order);
    fputc('\n', out);
    print_row(out, "quality", line);
    print_quality_row(out, "before training", &result->initial.test);
    print_quality_row(out, "last round", &result->last.test);
    if (result->best_round > 0) {
        char *name = frs_format("round %u (validation)", result->best_round);
        print_quality_row(out, name, &result->best.test);
        free(name);
    }
    for (size_t i = 0; i < outputs->references->n; i++)
        print_quality_row(
            out, outputs->references->results[i].name, &outputs->references->results[i].quality.test);
}

/* "hr@10 ≥ popularity + 0.03: round 19, 8.83 s, 45.98 MiB" */
static void print_target(const struct frs_outputs *outputs, const char *directory, FILE *out) {
    char *rounds = frs_format("%s/rounds.csv", directory), time[64], bytes[64];
    json_t *target = frs_target_object(outputs->setup, rounds, outputs->references);
    const char *goal = json_string_value(json_object_get(target, "goal"));
    double time_s = json_number_value(json_object_get(target, "time_s"));
    double sent = json_number_value(json_object_get(target, "bytes"));
    char *line =
        json_is_true(json_object_get(target, "reached"))
            ? frs_format("%s: round %lld, %s, %s", goal, json_integer_value(json_object_get(target, "round")),
                  frs_units_format(time_s, FRS_TIME, time, sizeof time),
                  frs_units_format(sent, FRS_BYTES, bytes, sizeof bytes))
            : frs_format("%s: not reached", goal ? goal : "");
    if (target)
        print_row(out, "target", line);
    json_decref(target);
    free(line);
    free(rounds);
}

/* "gaussian noise of the server: epsilon 4.38 a round, 28 after the 25 of a client at most (delta 1e-05)" */
static void print_guarantee(const struct frs_outputs *outputs, FILE *out) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_guarantee g = frs_learner_guarantee(setup->learner, setup->model);
    if (g.noise == FRS_NO_NOISE || !setup->training)
        return;
    struct told told = count_releases(&g, outputs);
    const char *noise = frs_noise_names[g.noise], *by = g.local ? "client" : "server";
    char *line =
        g.scale > 0
            ? frs_format("%s noise of the %s: epsilon %.4g a round, %.4g after the %u of a client at "
                         "most (delta %g; protects %s)",
                  noise, by, told.one.epsilon, told.worst.epsilon, told.most, told.one.delta, g.protects)
            : frs_format(
                  "%s noise of the %s guarantees nothing: what it has to hide is not bounded", noise, by);
    print_row(out, "privacy", line);
    free(line);
}

/* "delivered 200, dropped_up 12": only what happened. */
static void print_outcomes(const struct frs_totals *totals, FILE *out) {
    char line[256] = "";
    for (size_t i = FRS_DELIVERED; i < FRS_N_OUTCOMES; i++)
        if (totals->outcomes[i] > 0)
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s %" PRIu64, *line ? ", " : "",
                frs_outcome_names[i], totals->outcomes[i]);
    print_row(out, "outcomes", line);
    if (totals->posts[FRS_POST_NONE] == totals->participations)
        return;
    snprintf(line, sizeof line, "ended %" PRIu64 ", dropped %" PRIu64 ", cut %" PRIu64,
        totals->posts[FRS_POST_ENDED], totals->posts[FRS_POST_DROPPED], totals->posts[FRS_POST_CUT]);
    print_row(out, "work after the upload", line);
}

static void print_course(const struct frs_outputs *outputs, FILE *out) {
    const struct frs_simulation_result *result = outputs->result;
    char line[128];
    if (result->converged) {
        snprintf(line, sizeof line, "in round %zu (change at most %g)", frs_ledger_rounds(outputs->ledger),
            outputs->setup->stop_change);
        print_row(out, "converged", line);
    }
    if (result->out_of_time || result->reached_target) {
        snprintf(line, sizeof line, "after round %zu: %s", frs_ledger_rounds(outputs->ledger),
            result->reached_target ? "the target is reached" : "the time is over (rounds.stop_time)");
        print_row(out, "stopped", line);
    }
    if (outputs->setup->learner->course) {
        snprintf(line, sizeof line, "%" PRIu64 ", and %" PRIu64 " for the evaluation", result->communications,
            result->extra_communications);
        print_row(out, "communications", line);
    }
    if (result->alone_steps > 0) {
        snprintf(line, sizeof line, "%" PRIu64, result->alone_steps);
        print_row(out, "steps alone", line);
    }
}

void frs_print_summary(const struct frs_outputs *outputs, const char *directory, FILE *out) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_totals *t = frs_ledger_totals(outputs->ledger);
    double total_s = frs_ledger_end_s(outputs->ledger);
    char line[256], text[64];
    fprintf(out, "\n%s: %s on %s\n", frs_scenario_name(setup->scenario), setup->learner->plugin.name,
        setup->data->description);
    snprintf(line, sizeof line, "%zu rounds of up to %u clients, %" PRIu64 " participations",
        frs_ledger_rounds(outputs->ledger), setup->policy_settings.n_selected, t->participations);
    print_row(out, "simulated", line);
    print_course(outputs, out);
    print_outcomes(t, out);
    print_time(out, "simulated time", total_s, 0);
    print_time(out, "  downloads", t->path.down_s, total_s);
    print_time(out, "  computing", t->path.compute_s, total_s);
    print_time(out, "  uploads", t->path.up_s, total_s);
    if (t->path.server_link_s > 0)
        print_time(out, "  (server link)", t->path.server_link_s, total_s);
    print_time(out, "  latency", t->path.latency_s, total_s);
    print_time(out, "  server", t->path.server_s, total_s);
    print_time(out, "  waiting", t->path.wait_s, total_s);
    print_time(out, "  idle", frs_ledger_idle_s(outputs->ledger), total_s);
    print_bytes(out, "down", t->down_bytes, t->nominal_down_bytes);
    print_bytes(out, "up", t->up_bytes, t->nominal_up_bytes);
    print_row(out, "wasted",
        frs_units_format((double)(t->wasted_down_bytes + t->wasted_up_bytes), FRS_BYTES, text, sizeof text));
    if (outputs->evaluation)
        print_quality(outputs, out);
    print_target(outputs, directory, out);
    print_guarantee(outputs, out);
    fputc('\n', out);
    snprintf(line, sizeof line, "%.1f s of real time", outputs->wall_s);
    if (outputs->result->recalled)
        snprintf(line + strlen(line), sizeof line - strlen(line), ", all training recalled");
    else if (setup->training)
        snprintf(line + strlen(line), sizeof line - strlen(line), ", %.0f client updates/s on %zu thread%s",
            updates_per_s(outputs), outputs->threads, outputs->threads == 1 ? "" : "s");
    print_row(out, "took", line);
    print_row(out, "results in", directory);
}
