/* Prints a forecast, as `fedrecsim check` shows it. */
#include "algorithms/messages/message.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/forecast/caps_forecast.h"
#include "sim/forecast/population_preview.h"
#include "sim/forecast/forecast.h"
#include "sim/forecast/closed_form_forecast.h"
#include "sim/results/cohort_note.h"
#include "sim/results/parameter_space.h"
#include "sim/results/privacy_words.h"
#include "sim/setup/notes/correction_note.h"
#include "sim/setup/notes/data_note.h"
#include "sim/setup/notes/default_notes.h"
#include "sim/setup/notes/draw_note.h"
#include "sim/setup/notes/backend_note.h"
#include "sim/setup/notes/candidates_note.h"
#include "sim/setup/notes/groups_note.h"
#include "sim/setup/notes/network_note.h"
#include "sim/setup/notes/platform_note.h"
#include "sim/setup/notes/opening_note.h"
#include "sim/setup/notes/sessions_note.h"
#include "sim/setup/notes/staleness_note.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *format(double value, enum frs_dimension dimension, char text[64]) {
    return frs_units_format(value, dimension, text, 64);
}

static void print_how(const struct frs_setup *setup, const struct frs_forecast *forecast, FILE *out) {
    size_t n = forecast->n_played;
    if (forecast->one_in > 1) {
        fprintf(out, " (from %zu rounds in which one client in %u was selected)\n", n, forecast->one_in);
        return;
    }
    if (forecast->end == FRS_PILOT_COMPLETE)
        fprintf(out, " (all of them simulated beforehand, with this seed");
    else
        fprintf(out, " (%zu round%s of %u simulated beforehand", n, n == 1 ? "" : "s", setup->n_rounds);
    if (setup->training.trains && forecast->n_trained < n)
        fprintf(out, ", %zu with training", forecast->n_trained);
    fputs(")\n", out);
}

/* The run selects as the played rounds did. Rounds of the scaled pilot do not show how many of all clients
 * would have come. */
static void print_cohort(const struct frs_setup *setup, const struct frs_forecast *forecast, FILE *out) {
    uint32_t requested = frs_setup_selected(setup);
    bool is_unexpected =
        forecast->known && forecast->one_in == 1 && frs_cohort_is_unexpected(setup, &forecast->cohorts);
    char *note = is_unexpected ? frs_cohort_note(setup, &forecast->cohorts)
                               : frs_format("%s%u client%s", setup->selection->varies ? "about " : "",
                                     requested, requested == 1 ? "" : "s");
    fprintf(out, "  a round      %s", note);
    if (is_unexpected && !forecast->is_whole && forecast->cohort.mean > 0)
        fprintf(out, "; over the whole run %.1f to %.1f", forecast->cohort.low, forecast->cohort.high);
    free(note);
}

/* Of rounds that time ends, their number is not certain. */
static void print_rounds(const struct frs_extrapolation *run, FILE *out) {
    fprintf(out, "  the run      %.0f ", run->n_rounds);
    if (round(run->n_low) < round(run->n_high))
        fprintf(out, "(%.0f to %.0f) ", run->n_low, run->n_high);
    fputs("rounds", out);
}

/* Before anything else is said of the run. */
static void print_no_upload(const struct frs_forecast *forecast, FILE *out) {
    const struct frs_cohorts *cohorts = &forecast->cohorts;
    if (forecast->known && cohorts->n_rounds > 0 && cohorts->n_without_upload == cohorts->n_rounds)
        fprintf(out,
            "  no upload    arrived in %zu of the %zu rounds simulated beforehand: nothing was aggregated\n",
            cohorts->n_without_upload, cohorts->n_rounds);
}

/* Takes `text`, which may be NULL. */
static void print_note(const char *name, char *text, FILE *out) {
    if (text)
        frs_print_line(out, "  %-12s %s", name, text);
    free(text);
}

static void print_times(const struct frs_setup *setup, const struct frs_forecast *forecast, FILE *out) {
    char low[64], middle[64], high[64], mean[64];
    const struct frs_extrapolation *run = &forecast->simulated;
    print_cohort(setup, forecast, out);
    if (!forecast->known) {
        fprintf(out, "; %s\n",
            forecast->end == FRS_PILOT_STRANDED
                ? "not one can be simulated to its end: nobody can be reached, or too little arrives"
                : "playing one takes longer than there is time here");
        return;
    }
    if (setup->pacing.every_s > 0 && !isnan(forecast->open_round_s))
        fprintf(out, ", %s from its opening to its end, and one begins every %s: with the time between them",
            format(forecast->open_round_s, FRS_TIME, low), format(setup->pacing.every_s, FRS_TIME, high));
    fprintf(out, ", %s simulated on average (10 %% of rounds: up to %s, half: up to %s, 90 %%: up to %s)\n",
        format(run->middle_s / run->n_rounds, FRS_TIME, mean), format(forecast->round_s[0], FRS_TIME, low),
        format(forecast->round_s[1], FRS_TIME, middle), format(forecast->round_s[2], FRS_TIME, high));
    print_rounds(run, out);
    fprintf(out, ", %s simulated, between %s and %s", format(run->middle_s, FRS_TIME, middle),
        format(run->low_s, FRS_TIME, low), format(run->high_s, FRS_TIME, high));
    print_how(setup, forecast, out);
    print_note("drawn", frs_draw_note(setup), out);
    print_note("offline", frs_offline_note(setup), out);
    print_note("opens", frs_check_in_note(setup), out);
    print_note("paced", frs_pacing_note(setup), out);
    if (forecast->end == FRS_PILOT_STRANDED)
        fprintf(out,
            "  ends early   after round %.0f: nobody can be reached any more, or too few uploads arrive\n",
            run->n_rounds);
    if (setup->stop_tolerance > 0 || setup->stop_at_target)
        fprintf(out, "  may end      earlier, by rounds.%s, which training decides: the range begins there\n",
            setup->stop_tolerance > 0 ? "stop_tolerance" : "stop_at_target");
}

/* What papers call a method's space. */
static void print_parameters(const struct frs_setup *setup, FILE *out) {
    struct frs_parameter_space space = frs_parameter_space(setup);
    char client[64], server[64];
    if (!isfinite(space.client_bytes))
        return;
    char *counted = frs_parameter_space_counted(&space);
    fprintf(out, "  parameters   %s on a client, %s on the server (as papers count, %s)\n",
        format(space.client_bytes, FRS_BYTES, client), format(space.server_bytes, FRS_BYTES, server),
        counted);
    free(counted);
}

/* "2.1 % of the participations: 1.6 % cut, 0.5 % dropped_up" */
static void print_in_vain(const struct frs_forecast *forecast, double n, FILE *out) {
    const char *before = ": ";
    fprintf(out, "  in vain      %.1f %% of the participations",
        100 * (1 - forecast->outcomes[FRS_DELIVERED] / n));
    for (size_t i = FRS_LATE; i < FRS_N_OUTCOMES; i++) {
        if (!(forecast->outcomes[i] > 0))
            continue;
        fprintf(out, "%s%.1f %% %s", before, 100 * forecast->outcomes[i] / n, frs_outcome_names[i]);
        before = ", ";
    }
    fputc('\n', out);
}

/* Without a server. */
static void print_peer_messages(const struct frs_setup *setup, FILE *out) {
    double bytes = FRS_MESSAGE_HEADER_BYTES + frs_model_bytes(setup->training.model, FRS_STATE);
    char each[64], all[64];
    fprintf(out, "  messages     about %.3g to other clients a participation, %s each; %s a round\n",
        setup->peer_degree, format(bytes, FRS_BYTES, each),
        format(bytes * setup->peer_degree * frs_setup_selected(setup), FRS_BYTES, all));
}

static void print_messages(const struct frs_setup *setup, const struct frs_forecast *forecast, FILE *out) {
    double n = fmax(forecast->participations, 1);
    const struct frs_traffic *traffic = &forecast->traffic;
    char text[6][64];
    if (setup->peers.neighbours) {
        print_peer_messages(setup, out);
        return;
    }
    if (!forecast->known || !(forecast->n_entered > 0)) {
        fputs("  messages     not known\n", out);
        return;
    }
    double down = forecast->down_bytes / fmax(forecast->down_bytes + forecast->up_bytes, 1);
    fprintf(out,
        "  messages     about %s down, %s up a participation; %s down, %s up in all, together between %s and "
        "%s\n",
        format(forecast->down_bytes / n, FRS_BYTES, text[0]),
        format(forecast->up_bytes / n, FRS_BYTES, text[1]),
        format(traffic->middle_bytes * down, FRS_BYTES, text[2]),
        format(traffic->middle_bytes * (1 - down), FRS_BYTES, text[3]),
        format(traffic->low_bytes, FRS_BYTES, text[4]), format(traffic->high_bytes, FRS_BYTES, text[5]));
    if (forecast->outcomes[FRS_DELIVERED] < forecast->participations)
        print_in_vain(forecast, n, out);
}

/* What results take, the largest file first named, and whether there is room for them. */
static void print_disk(const struct frs_setup *setup, const struct frs_results_size *size, FILE *out) {
    char all[64], events[64], checkpoints[64], room[64];
    if (!size->known) {
        fputs("  disk         not known\n", out);
        return;
    }
    fprintf(out, "  disk         about %s", format(size->all, FRS_BYTES, all));
    if (setup->events)
        fprintf(out, ", of which events.ndjson %s", format(size->events, FRS_BYTES, events));
    if (size->checkpoints > 0)
        fprintf(out, "; up to %s more for checkpoints while it runs",
            format(size->checkpoints, FRS_BYTES, checkpoints));
    fputc('\n', out);
    double free_bytes = frs_results_free_bytes(setup->directory);
    if (size->all + size->checkpoints > free_bytes)
        frs_print_line(out, "  disk is full  only %s are free at %s%s", format(free_bytes, FRS_BYTES, room),
            setup->directory, setup->events ? "; output.events_every thins out events.ndjson" : "");
}

char *frs_forecast_privacy_line(const struct frs_setup *setup, const struct frs_forecast *forecast) {
    const struct frs_guarantee g = frs_privacy_guarantee(&setup->training.mechanisms);
    if (g.noise == FRS_NO_NOISE || !setup->training.trains)
        return NULL;
    if (g.scale <= 0)
        return frs_privacy_nothing(&g);
    if (!forecast->known || !(forecast->releases.rounds > 0))
        return frs_format("epsilon %.4g a round; how often a client takes part is not known",
            frs_privacy_loss(&g, 1).epsilon);
    double n_rounds = forecast->simulated.n_rounds;
    double most = frs_releases_most(&forecast->releases, forecast->one_in, n_rounds);
    struct frs_privacy_account account = frs_privacy_account(&g, (uint64_t)most, (uint64_t)llround(n_rounds));
    bool played = forecast->releases.rounds >= n_rounds && forecast->one_in == 1;
    char *missed =
        frs_privacy_misses(&g, &account)
            ? frs_format(", which misses epsilon %.4g, kept over %" PRIu64, g.aim.epsilon, g.aim.releases)
            : frs_strdup("");
    char *composed = frs_format("%s%.4g after %s%.0f of the client that takes part most%s",
        played ? "" : "about ", account.epsilon, played ? "the " : "about ", most, missed);
    free(missed);
    return frs_privacy_words(setup, &g, composed, &account);
}

/* Prints the defaults that apply, and what to bear in mind. */
static void print_environments(
    const struct frs_setup *setup, const struct frs_forecast *forecast, FILE *out) {
    double n = fmax(forecast->participations, 1);
    print_note("paths", frs_scenario_paths_note(setup->scenario), out);
    print_note("platform", frs_platform_note(setup), out);
    print_note("links", frs_default_note_links(setup), out);
    print_note("edges", frs_default_note_edges(setup), out);
    print_note("sessions", frs_sessions_note(setup), out);
    print_note("states", frs_default_note_states(setup), out);
    print_note("devices", frs_default_note_devices(setup), out);
    print_note("lost clients", frs_losses_noticed(setup), out);
    const char *key;
    print_note("who is online", frs_default_note_follows(setup, "availability", &key), out);
    print_note("who is lost", frs_default_note_follows(setup, "failures", &key), out);
    print_note("old uploads", frs_staleness_note(setup), out);
    print_note("correction", frs_correction_note(setup), out);
    print_note("candidates", frs_candidates_note(setup), out);
    print_note("groups", frs_groups_note(setup), out);
    print_note("backend", frs_backend_note(setup), out);
    print_note("network", frs_network_note(setup, forecast->down_bytes / n, forecast->up_bytes / n), out);
}

static void print_replaced(const struct frs_setup *setup, FILE *out) {
    char *all = frs_scenario_replaced(setup->scenario), *rest = all;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        frs_print_line(out, "  %-12s %s", "replaced", line);
    free(all);
}

void frs_forecast_print(const struct frs_setup *setup, size_t threads, double patience_s, FILE *out) {
    struct frs_forecast forecast = frs_forecast_make(setup, threads, patience_s);
    char text[64];
    frs_print_line(out, "  data         %s", setup->training.data->description);
    frs_data_steps_print(setup->training.data, 12, out);
    print_no_upload(&forecast, out);
    print_times(setup, &forecast, out);
    frs_closed_form_forecast_print(setup, forecast.estimate, forecast.download_bytes, out);
    print_parameters(setup, out);
    print_messages(setup, &forecast, out);
    if (forecast.known && forecast.n_entered > 0 && !setup->peers.neighbours)
        frs_load_forecast_print(setup, &forecast.load, &forecast.simulated, out);
    print_note("a client", frs_caps_forecast(setup, &forecast), out);
    print_note("privacy", frs_forecast_privacy_line(setup, &forecast), out);
    fprintf(out, "  wall time    about %s on %zu thread%s\n", format(forecast.wall_s, FRS_TIME, text),
        threads, threads == 1 ? "" : "s");
    fprintf(out, "  memory       about %s\n", format(forecast.memory_bytes, FRS_BYTES, text));
    print_disk(setup, &forecast.results, out);
    frs_print_line(out, "  results in   %s", setup->directory);
    print_environments(setup, &forecast, out);
    char *inactive_keys = frs_scenario_inactive_keys(setup->scenario);
    if (*inactive_keys)
        frs_print_line(out, "  rests        %s (in the file, without effect here)", inactive_keys);
    free(inactive_keys);
    print_replaced(setup, out);
    frs_population_preview_print(setup, forecast.estimate, forecast.download_bytes,
        forecast.known ? forecast.simulated.middle_s : 0, out);
    frs_forecast_fini(&forecast);
}
