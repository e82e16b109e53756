/* Prints a forecast for programs, as `fedrecsim check --json` shows it (docs/schemas). */
#include "sim/base/memory.h"
#include "sim/forecast/caps_forecast.h"
#include "sim/forecast/forecast.h"
#include "sim/results/parameter_space.h"
#include "sim/setup/notes/correction_note.h"
#include "sim/setup/notes/data_note.h"
#include "sim/setup/notes/backend_note.h"
#include "sim/setup/notes/candidates_note.h"
#include "sim/setup/notes/default_notes.h"
#include "sim/setup/notes/draw_note.h"
#include "sim/setup/notes/groups_note.h"
#include "sim/setup/notes/network_note.h"
#include "sim/setup/notes/platform_note.h"
#include "sim/setup/notes/opening_note.h"
#include "sim/setup/notes/sessions_note.h"
#include "sim/setup/notes/staleness_note.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, json_string(text));
}

static void set_count(json_t *object, const char *key, size_t count) {
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

static json_t *add_object(json_t *object, const char *key) {
    json_t *child = json_object();
    json_object_set_new(object, key, child);
    return child;
}

/* null: not known. */
static void set_real(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_range(json_t *object, const char *key, double low, double middle, double high) {
    json_t *range = add_object(object, key);
    set_real(range, "low", low);
    set_real(range, "expected", middle);
    set_real(range, "high", high);
}

/* Takes `text`, which may be NULL. */
static void add_note(json_t *notes, const char *topic, char *text) {
    if (text) {
        json_t *note = json_object();
        set_text(note, "topic", topic);
        set_text(note, "text", text);
        json_array_append_new(notes, note);
    }
    free(text);
}

static void add_replaced(json_t *notes, const struct frs_setup *setup) {
    char *all = frs_scenario_replaced(setup->scenario), *rest = all;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        add_note(notes, "replaced", frs_strdup(line));
    free(all);
    char *inactive_keys = frs_scenario_inactive_keys(setup->scenario);
    add_note(notes, "rests", *inactive_keys ? frs_strdup(inactive_keys) : NULL);
    free(inactive_keys);
}

static json_t *notes_of(const struct frs_setup *setup, const struct frs_forecast *forecast) {
    double n = fmax(forecast->participations, 1);
    json_t *notes = json_array();
    const struct frs_data *data = setup->training.data;
    for (size_t i = 0; i < data->n_notes; i++)
        add_note(notes, data->notes[i].topic, frs_strdup(data->notes[i].text));
    add_note(notes, "drawn", forecast->known ? frs_draw_note(setup) : NULL);
    add_note(notes, "privacy", frs_forecast_privacy_line(setup, forecast));
    add_note(notes, "paths", frs_scenario_paths_note(setup->scenario));
    add_note(notes, "platform", frs_platform_note(setup));
    add_note(notes, "links", frs_default_note_links(setup));
    add_note(notes, "edges", frs_default_note_edges(setup));
    add_note(notes, "states", frs_default_note_states(setup));
    add_note(notes, "sessions", frs_sessions_note(setup));
    add_note(notes, "devices", frs_default_note_devices(setup));
    add_note(notes, "lost clients", frs_losses_noticed(setup));
    const char *key;
    add_note(notes, "who is online", frs_default_note_follows(setup, "availability", &key));
    add_note(notes, "who is lost", frs_default_note_follows(setup, "failures", &key));
    add_note(notes, "offline", frs_offline_note(setup));
    add_note(notes, "opens", frs_check_in_note(setup));
    add_note(notes, "paced", frs_pacing_note(setup));
    add_note(notes, "old uploads", frs_staleness_note(setup));
    add_note(notes, "correction", frs_correction_note(setup));
    add_note(notes, "candidates", frs_candidates_note(setup));
    add_note(notes, "groups", frs_groups_note(setup));
    add_note(notes, "backend", frs_backend_note(setup));
    add_note(notes, "network", frs_network_note(setup, forecast->down_bytes / n, forecast->up_bytes / n));
    add_replaced(notes, setup);
    return notes;
}

static void set_data(json_t *root, const struct frs_setup *setup) {
    json_t *data = add_object(root, "data");
    set_text(data, "description", setup->training.data->description);
    set_count(data, "clients", setup->training.data->population.n_clients);
    json_object_set_new(data, "preparation", frs_data_steps_array(setup->training.data));
}

static void set_simulated(json_t *root, const struct frs_setup *setup, const struct frs_forecast *forecast) {
    const struct frs_extrapolation *run = &forecast->simulated;
    bool known = forecast->known;
    json_t *rounds = add_object(root, "rounds");
    set_count(rounds, "requested", setup->n_rounds);
    set_real(rounds, "expected", known ? run->n_rounds : NAN);
    set_real(rounds, "low", known ? run->n_low : NAN);
    set_real(rounds, "high", known ? run->n_high : NAN);
    set_count(rounds, "clients_selected", frs_setup_selected(setup));
    set_count(rounds, "simulated_beforehand", forecast->n_played);
    set_count(rounds, "with_training", forecast->n_trained);
    json_object_set_new(rounds, "ends_early", json_boolean(known && forecast->end == FRS_PILOT_STRANDED));
    json_t *round_s = add_object(root, "round_s");
    set_real(round_s, "mean", known ? run->middle_s / run->n_rounds : NAN);
    set_real(round_s, "p10", known ? forecast->round_s[0] : NAN);
    set_real(round_s, "p50", known ? forecast->round_s[1] : NAN);
    set_real(round_s, "p90", known ? forecast->round_s[2] : NAN);
    set_real(root, "open_round_s", known ? forecast->open_round_s : NAN);
    set_range(root, "simulated_s", known ? run->low_s : NAN, known ? run->middle_s : NAN,
        known ? run->high_s : NAN);
}

static void set_messages(json_t *root, const struct frs_forecast *forecast) {
    bool known = forecast->known && forecast->n_entered > 0;
    const struct frs_traffic *traffic = &forecast->traffic;
    double n = fmax(forecast->participations, 1);
    set_range(root, "bytes", known ? traffic->low_bytes : NAN, known ? traffic->middle_bytes : NAN,
        known ? traffic->high_bytes : NAN);
    json_t *participation = add_object(root, "participation");
    set_real(participation, "down_bytes", known ? forecast->down_bytes / n : NAN);
    set_real(participation, "up_bytes", known ? forecast->up_bytes / n : NAN);
    set_real(participation, "delivered_share", known ? forecast->outcomes[FRS_DELIVERED] / n : NAN);
}

/* Clients of a round, and what one of them moves in a period of caps.period. */
static void set_clients(json_t *root, const struct frs_setup *setup, const struct frs_forecast *forecast) {
    const struct frs_cohort_range *cohort = &forecast->cohort;
    const struct frs_spent_range spent = frs_spent_range(setup, forecast);
    bool whole = forecast->known && forecast->is_whole;
    set_range(root, "cohort", cohort->low, cohort->mean, cohort->high);
    json_t *client = add_object(root, "per_client");
    set_real(client, "period_s", setup->caps.period_s);
    set_range(client, "average_bytes", spent.low, spent.middle, spent.high);
    set_real(client, "p95_bytes", whole ? forecast->spending.bytes.p95 : NAN);
    set_real(client, "held_back", whole ? (double)forecast->spending.held_back : NAN);
}

static void set_machine(
    json_t *root, const struct frs_setup *setup, const struct frs_forecast *forecast, size_t threads) {
    const struct frs_results_size *results = &forecast->results;
    json_t *machine = add_object(root, "machine");
    set_count(machine, "threads", threads);
    set_real(machine, "wall_s", forecast->wall_s);
    set_real(machine, "memory_bytes", forecast->memory_bytes);
    set_real(machine, "disk_bytes", results->known ? results->all : NAN);
    set_real(machine, "checkpoint_bytes", results->known ? results->checkpoints : NAN);
    set_real(machine, "disk_free_bytes", frs_results_free_bytes(setup->directory));
}

void frs_forecast_print_json(const struct frs_setup *setup, size_t threads, double patience_s, FILE *out) {
    struct frs_forecast forecast = frs_forecast_make(setup, threads, patience_s);
    struct frs_parameter_space space = frs_parameter_space(setup);
    json_t *root = json_object();
    set_text(root, "format", "fedrecsim-check-1");
    json_object_set_new(root, "known", json_boolean(forecast.known));
    set_data(root, setup);
    set_simulated(root, setup, &forecast);
    set_messages(root, &forecast);
    set_clients(root, setup, &forecast);
    frs_load_forecast_set(
        root, setup, forecast.known && forecast.n_entered > 0 ? &forecast.load : NULL, &forecast.simulated);
    json_t *parameters = add_object(root, "parameters");
    set_real(parameters, "client_bytes", space.client_bytes);
    set_real(parameters, "server_bytes", space.server_bytes);
    set_machine(root, setup, &forecast, threads);
    set_text(root, "results", setup->directory);
    json_object_set_new(root, "notes", notes_of(setup, &forecast));
    json_dumpf(root, out, JSON_REAL_PRECISION(15));
    json_decref(root);
    frs_forecast_fini(&forecast);
}
