/* What a run prints when it is over. */
#include "analysis/sentence/sentence.h"
#include "analysis/statistics/permutation_test.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/setup/memory_fit.h"
#include "sim/setup/notes/correction_note.h"
#include "sim/setup/notes/data_note.h"
#include "sim/setup/notes/default_notes.h"
#include "sim/setup/notes/groups_note.h"
#include "sim/setup/notes/network_note.h"
#include "sim/setup/notes/platform_note.h"
#include "sim/setup/notes/staleness_note.h"
#include "sim/results/report/emulation_object.h"
#include "sim/results/cohort_note.h"
#include "sim/results/deciding_settings.h"
#include "sim/results/quality_table.h"
#include "sim/results/report/machine_object.h"
#include "sim/results/report/adaptation_report.h"
#include "sim/results/report/caps_report.h"
#include "sim/results/report/load_report.h"
#include "sim/results/report/per_client.h"
#include "sim/results/report/privacy_report.h"
#include "sim/results/report/sent_line.h"
#include "sim/results/report/writers.h"
#include "sim/results/report/summary.h"
#include "sim/results/report/target_object.h"
#include "sim/results/verdict.h"
#include "sim/results/report/what_if_file.h"
#include "sim/results/subgroups.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_row(FILE *out, const char *name, const char *value) {
    frs_print_line(out, "  %-22s %s", name, value);
}

/* Takes `line`, which may be NULL. */
static void print_line_of(FILE *out, const char *name, char *line) {
    if (line)
        print_row(out, name, line);
    free(line);
}

/* `note` stands behind it. */
static void print_time_of(FILE *out, const char *name, double value_s, double of_s, const char *note) {
    char text[64], line[128];
    frs_units_format(value_s, FRS_TIME, text, sizeof text);
    if (of_s > 0)
        snprintf(line, sizeof line, "%-14s %5.1f %%%s", text, 100 * value_s / of_s, note);
    else
        snprintf(line, sizeof line, "%s%s", text, note);
    print_row(out, name, line);
}

static void print_time(FILE *out, const char *name, double value_s, double of_s) {
    print_time_of(out, name, value_s, of_s, "");
}

static void print_bytes(
    const struct frs_setup *setup, FILE *out, const char *name, uint64_t bytes, uint64_t nominal_bytes) {
    char text[64], nominal[64], line[160];
    frs_units_format((double)bytes, FRS_BYTES, text, sizeof text);
    frs_units_format((double)nominal_bytes, FRS_BYTES, nominal, sizeof nominal);
    if (setup->declared)
        snprintf(line, sizeof line, "%-14s (as declared: %s)", text, nominal);
    else
        snprintf(line, sizeof line, "%-14s (nominal, as the papers count: %s)", text, nominal);
    print_row(out, name, line);
}

/* "not above popularity   HR@10 0.1040 against 0.4008, which needs no training" */
static void print_verdict(const struct frs_outputs *outputs, FILE *out) {
    struct frs_verdict verdict = frs_verdict(outputs);
    if (!verdict.baseline || verdict.better)
        return;
    bool ratings = strcmp(verdict.metric, "rmse") == 0;
    char *name = frs_format("not %s %s", ratings ? "below" : "above", verdict.baseline);
    char *metric = ratings ? frs_strdup("RMSE") : frs_format("HR@%zu", outputs->setup->k);
    char *line =
        frs_format("%s %.4f against %.4f, which needs no training", metric, verdict.value, verdict.bar);
    print_row(out, name, line);
    free(line);
    free(metric);
    free(name);
}

/* "hr@10 ≥ popularity + 0.03: round 19, 8.83 s, 48.21 MB" */
static void print_target(const struct frs_outputs *outputs, const char *directory, FILE *out) {
    char *rounds = frs_format("%s/rounds.csv", directory), time[64], bytes[64];
    struct frs_errors errors = {0};
    json_t *target;
    if (frs_target_object(outputs->setup, rounds, outputs->baselines, &target, &errors) != FRS_OK)
        print_row(out, "target", errors.lines[0]);
    frs_errors_clear(&errors);
    const char *target_spec = json_string_value(json_object_get(target, "criterion"));
    double time_s = json_number_value(json_object_get(target, "time_s"));
    double sent = json_number_value(json_object_get(target, "sent_bytes"));
    const char *judged_by = json_string_value(json_object_get(target, "judged_by"));
    char *line =
        json_is_true(json_object_get(target, "reached"))
            ? frs_format("%s: round %lld, %s, %s (%s)", target_spec,
                  json_integer_value(json_object_get(target, "round")),
                  frs_units_format(time_s, FRS_TIME, time, sizeof time),
                  frs_units_format(sent, FRS_BYTES, bytes, sizeof bytes), judged_by)
            : frs_format("%s: not reached (%s)", target_spec ? target_spec : "", judged_by ? judged_by : "");
    if (target)
        print_row(out, "target", line);
    json_decref(target);
    free(line);
    free(rounds);
}

static void print_privacy(const struct frs_outputs *outputs, FILE *out) {
    print_line_of(out, "privacy", frs_privacy_guarantee_line(outputs));
    print_line_of(out, "privacy missed", frs_privacy_missed_line(outputs));
    print_line_of(out, "a curious server", frs_privacy_leakage_line(outputs));
    print_line_of(out, "modelled", frs_privacy_modelled_line(outputs));
}

/* "delivered 200, dropped_up 12": only what happened. */
static void print_outcomes(const struct frs_totals *totals, FILE *out) {
    char line[256] = "";
    for (size_t i = FRS_DELIVERED; i < FRS_N_OUTCOMES; i++)
        if (totals->outcomes[i] > 0)
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s %" PRIu64, *line ? ", " : "",
                frs_outcome_names[i], totals->outcomes[i]);
    print_row(out, "outcomes", line);
    if (totals->post_uploads[FRS_POST_NONE] == totals->participations)
        return;
    snprintf(line, sizeof line, "ended %" PRIu64 ", dropped %" PRIu64 ", cut %" PRIu64,
        totals->post_uploads[FRS_POST_ENDED], totals->post_uploads[FRS_POST_DROPPED],
        totals->post_uploads[FRS_POST_CUT]);
    print_row(out, "work after the upload", line);
}

static void print_clients(const struct frs_outputs *outputs, FILE *out) {
    struct frs_selected_clients clients = frs_summary_clients(outputs);
    if (clients.never_delivered > 0)
        print_line_of(out, "never delivered",
            frs_format("%u of %u clients that were selected", clients.never_delivered, clients.selected));
}

/* Prints where rounds had fewer clients than their cohort size, or no upload. */
static void print_cohort(const struct frs_outputs *outputs, FILE *out) {
    const struct frs_cohorts cohorts = frs_ledger_cohorts(outputs->ledger);
    if (frs_cohort_is_unexpected(outputs->setup, &cohorts))
        print_line_of(out, "took part in a round", frs_cohort_note(outputs->setup, &cohorts));
    if (cohorts.n_without_upload > 0)
        print_line_of(out, "no upload arrived",
            frs_format("in %zu of %zu rounds", cohorts.n_without_upload, cohorts.n_rounds));
}

/* Prints how many clients have too little memory and are refused whenever they are selected. */
static void print_memory(const struct frs_setup *setup, FILE *out) {
    char line[128];
    uint32_t n = frs_memory_too_small(setup);
    if (n == 0)
        return;
    snprintf(line, sizeof line, "too small for %s on %u of %u clients", setup->training.learner->plugin.name,
        n, setup->training.data->population.n_clients);
    print_row(out, "memory of clients", line);
}

/* "no difference in HR@10 beyond chance (p = 0.41)", or the worst and the best group with their intervals. */
static char *family_text(
    const struct frs_outputs *outputs, const struct frs_group *family, size_t n, size_t n_compared) {
    bool ratings = outputs->setup->training.data->explicit_feedback;
    const struct frs_group *least = NULL, *most = NULL;
    for (size_t i = 0; i < n && strcmp(family[i].by, family->by) == 0; i++) {
        double value = ratings ? family[i].scores.rmse : frs_scores_hit(&family[i].scores);
        if (family[i].scores.n == 0)
            continue;
        least = !least || value < (ratings ? least->scores.rmse : frs_scores_hit(&least->scores)) ? &family[i]
                                                                                                  : least;
        most = !most || value > (ratings ? most->scores.rmse : frs_scores_hit(&most->scores)) ? &family[i]
                                                                                              : most;
    }
    char *metric = ratings ? frs_strdup("RMSE") : frs_format("HR@%zu", outputs->setup->k), *text;
    if (family->chance > frs_group_level(n_compared))
        text = frs_format("no difference in %s beyond chance (p = %.2g)", metric, family->chance);
    else
        text = frs_format("%s %.3f (%.3f-%.3f) in %s to %.3f (%.3f-%.3f) in %s (p = %.2g)", metric,
            ratings ? least->scores.rmse : frs_scores_hit(&least->scores), least->low, least->high,
            least->name, ratings ? most->scores.rmse : frs_scores_hit(&most->scores), most->low, most->high,
            most->name, family->chance);
    free(metric);
    return text;
}

/* Whether groups of clients are served differently. */
static void print_groups(const struct frs_outputs *outputs, FILE *out) {
    struct frs_group groups[FRS_MAX_GROUPS];
    size_t n = frs_groups_collect(outputs->setup, outputs->ledger, outputs->evaluation, groups);
    size_t n_compared = frs_groups_count_compared(groups, n);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(groups[i].chance) || (i > 0 && strcmp(groups[i - 1].by, groups[i].by) == 0))
            continue;
        char *name = frs_format("by %s", groups[i].by);
        for (char *c = name; *c; c++)
            if (*c == '_')
                *c = ' ';
        print_line_of(out, name, family_text(outputs, &groups[i], n - i, n_compared));
        free(name);
    }
}

static void print_detection(const struct frs_outputs *outputs, const struct frs_totals *totals, FILE *out) {
    char *noticed = frs_losses_noticed(outputs->setup);
    if (frs_summary_lost(totals) > 0)
        print_line_of(out, "lost clients",
            frs_format("%" PRIu64 ", %s", frs_summary_lost(totals), noticed ? noticed : "noticed at once"));
    free(noticed);
}

/* "37, in 30 participations of which 25 were used" */
static void print_retries(const struct frs_totals *totals, FILE *out) {
    char line[160];
    if (totals->retries == 0)
        return;
    snprintf(line, sizeof line, "%" PRIu64 ", in %" PRIu64 " participations of which %" PRIu64 " were used",
        totals->retries, totals->retried, totals->retried_used);
    print_row(out, "connected anew", line);
}

static void print_course(const struct frs_outputs *outputs, FILE *out) {
    const struct frs_simulation_result *result = outputs->result;
    char line[128];
    if (result->stops.converged) {
        snprintf(line, sizeof line, "in round %zu (change at most %g)", frs_ledger_rounds(outputs->ledger),
            outputs->setup->stop_tolerance);
        print_row(out, "converged", line);
    }
    if (result->stops.out_of_time || result->stops.reached_target) {
        snprintf(line, sizeof line, "after round %zu: %s", frs_ledger_rounds(outputs->ledger),
            result->stops.reached_target ? "the target is reached" : "the time is over (rounds.stop_time)");
        print_row(out, "stopped", line);
    }
    if (outputs->setup->training.learner->rounds && outputs->setup->training.learner->rounds->course) {
        snprintf(line, sizeof line, "%" PRIu64 ", and %" PRIu64 " for the evaluation", result->communications,
            result->extra_communications);
        print_row(out, "communications", line);
    }
    if (result->alone_steps > 0) {
        snprintf(line, sizeof line, "%" PRIu64, result->alone_steps);
        print_row(out, "steps alone", line);
    }
}

static void print_resting(const struct frs_setup *setup, FILE *out) {
    char *inactive_keys = frs_scenario_inactive_keys(setup->scenario);
    if (*inactive_keys)
        fprintf(out, "  %-22s %s (in the file, without effect here)\n", "rests", inactive_keys);
    free(inactive_keys);
}

/* A line for each distribution that --set has put in the place of another one. */
static void print_replaced(const struct frs_setup *setup, FILE *out) {
    char *all = frs_scenario_replaced(setup->scenario), *rest = all;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        print_row(out, "replaced", line);
    free(all);
}

/* What crossed between edges and the server. */
static void print_edges(const struct frs_setup *setup, const struct frs_totals *t, FILE *out) {
    char line[200], down[64], up[64], wasted[64];
    if (setup->edges.n == 0)
        return;
    snprintf(line, sizeof line, "%s down, %s up between %u edge%s and the server (%s of it wasted)",
        frs_units_format((double)t->edge_down_bytes, FRS_BYTES, down, sizeof down),
        frs_units_format((double)t->edge_up_bytes, FRS_BYTES, up, sizeof up), setup->edges.n,
        setup->edges.n == 1 ? "" : "s",
        frs_units_format(
            (double)(t->wasted_edge_down_bytes + t->wasted_edge_up_bytes), FRS_BYTES, wasted, sizeof wasted));
    print_row(out, "edges", line);
}

/* Messages between clients; and what is left between their models, where there is no server. */
static void print_peers(const struct frs_outputs *outputs, const struct frs_totals *totals, FILE *out) {
    char bytes[64], wasted[64], line[256];
    double distance = outputs->result->last.consensus_distance;
    if (!frs_setup_clients_meet(outputs->setup))
        return;
    snprintf(line, sizeof line, "%s in %" PRIu64 " messages, %s of it wasted",
        frs_units_format((double)totals->peer_up_bytes, FRS_BYTES, bytes, sizeof bytes),
        totals->peer_messages,
        frs_units_format((double)totals->wasted_peer_up_bytes, FRS_BYTES, wasted, sizeof wasted));
    print_row(out, "between clients", line);
    if (isfinite(distance)) {
        snprintf(line, sizeof line, "%.3g of the mean model's length (consensus distance)", distance);
        print_row(out, "models differ by", line);
    }
}

static void print_wasted(const struct frs_totals *totals, FILE *out) {
    char text[64];
    print_line_of(out, "wasted", frs_sent_line(frs_totals_sent_wasted(totals)));
    if (totals->resent_down_bytes + totals->resent_up_bytes > 0)
        print_row(out, "  sent again",
            frs_units_format(
                (double)(totals->resent_down_bytes + totals->resent_up_bytes), FRS_BYTES, text, sizeof text));
}

static void print_environments(const struct frs_setup *setup, const struct frs_totals *totals, FILE *out) {
    double n = totals->participations > 0 ? (double)totals->participations : 1;
    print_line_of(out, "platform", frs_platform_note(setup));
    print_line_of(out, "links", frs_default_note_links(setup));
    print_line_of(out, "edges", frs_default_note_edges(setup));
    print_line_of(out, "states", frs_default_note_states(setup));
    print_line_of(out, "devices", frs_default_note_devices(setup));
    print_line_of(out, "old uploads", frs_staleness_note(setup));
    print_line_of(out, "correction", frs_correction_note(setup));
    print_line_of(out, "groups", frs_groups_note(setup));
    if (setup->training.trains && setup->training.learner->remark) {
        const char *name = NULL;
        char *remark = setup->training.learner->remark(setup->training.model, &name);
        print_line_of(out, name, remark);
    }
    print_line_of(out, "network",
        frs_network_note(setup, (double)totals->down_bytes / n, (double)totals->up_bytes / n));
}

/* The run in a sentence, as its files tell it. */
static void print_sentence(const char *directory, FILE *out) {
    struct frs_errors ignored = {0};
    struct frs_run_results run;
    struct frs_target target = {0};
    if (frs_run_read(directory, &run, &ignored) == FRS_OK) {
        frs_target_settle(&target, &run);
        if (frs_target_apply(&target, &run, &ignored) == FRS_OK) {
            char *text = frs_sentence_of_run(&run, &target);
            frs_print_line(out, "%s", text);
            free(text);
        }
        frs_run_fini(&run);
    }
    frs_target_fini(&target);
    frs_errors_clear(&ignored);
}

/* What would have made the run faster, as measured. */
static void print_what_ifs(const struct frs_outputs *outputs, FILE *out) {
    char *line = frs_what_if_sentence(outputs->what_ifs);
    if (line)
        frs_print_line(out, "%s", line);
    free(line);
}

static void print_emulation(const struct frs_emulation_record *emulation, FILE *out) {
    char line[500], reason[400];
    snprintf(line, sizeof line, "over TCP of Linux %s, %" PRIu64 " packets, %" PRIu64 " dropped in queues%s",
        emulation->kernel, emulation->n_packets, emulation->n_dropped,
        emulation->n_lost > 0 ? ", others lost at random" : "");
    print_row(out, "emulated", line);
    double greatest_s = 0;
    for (size_t i = 0; i < emulation->n_paused; i++)
        greatest_s = fmax(greatest_s, emulation->paused[i].greatest_s);
    frs_emulation_reason(emulation, reason, sizeof reason);
    if (emulation->trusted)
        snprintf(line, sizeof line, "can be trusted: no process paused for longer than %.3g ms",
            1e3 * fmax(greatest_s, emulation->greatest_pause_s));
    else
        snprintf(line, sizeof line, "CANNOT BE TRUSTED: %s", reason);
    snprintf(line + strlen(line), sizeof line - strlen(line), "%s",
        emulation->real_time ? "" : ", without real-time priority");
    print_row(out, "its timing", line);
}

/* Where the simulated time went. */
static void print_path(const struct frs_outputs *outputs, const struct frs_totals *t, FILE *out) {
    char *modelled = frs_privacy_modelled_line(outputs);
    const char *of_ciphertexts = modelled ? "  (of ciphertexts: modelled)" : "";
    free(modelled);
    const struct frs_setup *setup = outputs->setup;
    double total_s = frs_ledger_end_s(outputs->ledger);
    print_time(out, "simulated time", total_s, 0);
    print_time(out, "  downloads", t->path.down_s, total_s);
    print_time_of(out, "  computing", t->path.compute_s, total_s, of_ciphertexts);
    print_time(out, "  uploads", t->path.up_s, total_s);
    if (frs_setup_clients_meet(setup))
        print_time(out, "  between clients", t->path.exchange_s, total_s);
    if (t->path.server_link_s > 0)
        print_time(
            out, setup->edges.n > 0 ? "  (access links)" : "  (server link)", t->path.server_link_s, total_s);
    if (t->path.edge_down_s > 0)
        print_time(out, "  server to edges", t->path.edge_down_s, total_s);
    if (t->path.edge_up_s > 0)
        print_time(out, "  edges to server", t->path.edge_up_s, total_s);
    if (t->path.edge_rounds_s > 0)
        print_time(out, "  earlier edge rounds", t->path.edge_rounds_s, total_s);
    if (t->path.setup_s > 0)
        print_time(out, "  connecting", t->path.setup_s, total_s);
    if (t->path.retry_s > 0)
        print_time(out, "  before retries", t->path.retry_s, total_s);
    print_time(out, "  latency", t->path.latency_s, total_s);
    print_time_of(out, "  server", t->path.server_s, total_s, of_ciphertexts);
    print_time(out, "  waiting", t->path.wait_s, total_s);
    if (t->path.unreachable_s > 0)
        print_time(out, "  (not online)", t->path.unreachable_s, total_s);
    if (t->path.noticing_s > 0)
        print_time(out, "  (noticing losses)", t->path.noticing_s, total_s);
    print_time(out, "  idle", frs_ledger_idle_s(outputs->ledger), total_s);
    if (frs_ledger_scheduled_idle_s(outputs->ledger) > 0)
        print_time(out, "  (for its times)", frs_ledger_scheduled_idle_s(outputs->ledger), total_s);
    if (frs_ledger_restart_s(outputs->ledger) > 0)
        print_time(out, "  server restarts", frs_ledger_restart_s(outputs->ledger), total_s);
}

/* What the run cost this machine. */
static void print_took(const struct frs_outputs *outputs, FILE *out) {
    const struct frs_setup *setup = outputs->setup;
    char line[256];
    snprintf(line, sizeof line, "%.1f s of real time", outputs->wall_s);
    if (outputs->result->recalled)
        snprintf(line + strlen(line), sizeof line - strlen(line), ", all training recalled");
    else if (setup->training.trains)
        snprintf(line + strlen(line), sizeof line - strlen(line), ", %.0f client updates/s on %zu thread%s",
            frs_machine_updates_per_s(outputs), outputs->threads, outputs->threads == 1 ? "" : "s");
    if (outputs->what_if_s >= 0.1)
        snprintf(line + strlen(line), sizeof line - strlen(line), "; what-ifs took %.1f s more",
            outputs->what_if_s);
    print_row(out, "took", line);
}

void frs_print_summary(const struct frs_outputs *outputs, const char *directory, FILE *out) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_totals *t = frs_ledger_totals(outputs->ledger);
    char line[256];
    fputc('\n', out);
    frs_print_line(out, "%s: %s on %s", frs_scenario_name(setup->scenario),
        setup->training.learner->plugin.name, setup->training.data->description);
    print_sentence(directory, out);
    frs_deciding_settings_print(outputs, out);
    print_what_ifs(outputs, out);
    size_t n_rounds = frs_ledger_rounds(outputs->ledger);
    uint32_t requested = frs_setup_selected(setup);
    const struct frs_cohorts cohorts = frs_ledger_cohorts(outputs->ledger);
    if (setup->selection->varies && frs_cohort_is_unexpected(setup, &cohorts))
        requested = (uint32_t)lround(frs_cohort_mean(&cohorts));
    snprintf(line, sizeof line, "%zu round%s of %s %u client%s, %" PRIu64 " participation%s", n_rounds,
        n_rounds == 1 ? "" : "s", setup->selection->varies ? "about" : "up to", requested,
        requested == 1 ? "" : "s", t->participations, t->participations == 1 ? "" : "s");
    print_row(out, "simulated", line);
    frs_data_steps_print(setup->training.data, 22, out);
    print_cohort(outputs, out);
    print_resting(setup, out);
    print_replaced(setup, out);
    print_environments(setup, t, out);
    print_course(outputs, out);
    print_outcomes(t, out);
    print_clients(outputs, out);
    print_line_of(out, "a client took", frs_per_client_line(outputs));
    print_line_of(out, "caps", frs_caps_line(outputs));
    print_line_of(out, "budgets", frs_adaptation_grants_line(outputs));
    print_line_of(out, "  predicted", frs_adaptation_predictions_line(outputs));
    print_memory(setup, out);
    print_retries(t, out);
    print_detection(outputs, t, out);
    print_path(outputs, t, out);
    print_peers(outputs, t, out);
    print_line_of(out, "sent", frs_sent_line(frs_totals_sent(t)));
    print_bytes(setup, out, "down", t->down_bytes, t->nominal_down_bytes);
    print_bytes(setup, out, "up", t->up_bytes, t->nominal_up_bytes);
    print_wasted(t, out);
    print_edges(setup, t, out);
    print_line_of(out, "server's load", frs_load_line(outputs));
    print_line_of(out, "clients' energy", frs_energy_line(outputs));
    print_line_of(out, "server's energy", frs_server_energy_line(outputs));
    print_line_of(out, "costs", frs_costs_line(outputs));
    if (outputs->evaluation)
        frs_quality_table_print(outputs, out);
    print_verdict(outputs, out);
    if (outputs->evaluation)
        print_groups(outputs, out);
    print_target(outputs, directory, out);
    print_privacy(outputs, out);
    fputc('\n', out);
    print_took(outputs, out);
    if (outputs->emulation)
        print_emulation(outputs->emulation, out);
    print_row(out, "results in", directory);
    if (setup->report) {
        char *page = frs_format("%s/report.html", directory);
        print_row(out, "page", page);
        free(page);
    }
}
