#include "sim/results/report/summary.h"
#include "analysis/statistics/permutation_test.h"
#include "sim/base/memory.h"
#include "sim/results/subgroups.h"
#include "sim/closed_form/closed_form.h"
#include "sim/results/report/emulation_object.h"
#include "sim/results/cohort_note.h"
#include "sim/results/deciding_settings.h"
#include "sim/results/json_file.h"
#include "sim/results/report/load_report.h"
#include "sim/results/report/machine_object.h"
#include "sim/setup/memory_fit.h"
#include "sim/results/parameter_space.h"
#include "sim/results/report/adaptation_report.h"
#include "sim/results/report/caps_report.h"
#include "sim/results/report/correction_report.h"
#include "sim/results/report/per_client.h"
#include "sim/results/report/privacy_report.h"
#include "sim/results/report/target_object.h"
#include "sim/results/usual_usage.h"
#include "sim/results/verdict.h"
#include "sim/results/report/what_if_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_scores(json_t *object, const struct frs_scores *scores, const struct frs_list_rules *ranking,
    const char *prefix) {
    struct frs_score_figure figures[FRS_FIGURES_MOST];
    size_t n = frs_scores_figures(scores, ranking, figures);
    for (size_t i = 0; i < n; i++) {
        char *name = frs_format("%s%s", prefix, figures[i].name);
        frs_json_set_real(object, name, figures[i].value);
        free(name);
    }
}

static json_t *quality_object(
    const struct frs_quality *quality, const struct frs_list_rules *ranking, bool federated) {
    json_t *object = json_object();
    set_scores(object, &quality->test, ranking, "");
    set_scores(object, &quality->validation, ranking, "validation_");
    if (federated) {
        set_scores(object, &quality->participants, ranking, "participants_");
        frs_json_set_real(object, "participants_share", quality->participants_share);
    }
    return object;
}

/* Users, or of predicted ratings held-out interactions, that the last evaluation was over: what a hit rate is
 * a share of. */
static void set_evaluated(json_t *root, const struct frs_quality *last) {
    json_t *object = frs_json_add_object(root, "evaluated");
    frs_json_set_count(object, "test", last->test.n);
    frs_json_set_count(object, "validation", last->validation.n);
    frs_json_set_count(object, "participants", last->participants.n);
}

static void set_quality(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_setup *setup = outputs->setup;
    json_object_set_new(root, "metrics", quality_object(&result->last, &setup->ranking, true));
    set_evaluated(root, &result->last);
    json_object_set_new(root, "initial_metrics", quality_object(&result->initial, &setup->ranking, true));
    if (result->best_round > 0) {
        json_t *best = quality_object(&result->best, &setup->ranking, true);
        frs_json_set_count(best, "round", result->best_round);
        json_object_set_new(root, "best_by_validation", best);
    }
    json_t *baselines = frs_json_add_object(root, "non_federated");
    for (size_t i = 0; i < outputs->baselines->n; i++)
        json_object_set_new(baselines, outputs->baselines->results[i].name,
            quality_object(&outputs->baselines->results[i].quality, &setup->ranking, false));
}

/* Whether the run is better than the plainest baseline (verdict.h), whose figure is among those of the
 * baselines. */
static void set_verdict(json_t *root, const struct frs_outputs *outputs) {
    struct frs_verdict verdict = frs_verdict(outputs);
    if (!verdict.baseline)
        return;
    json_t *object = frs_json_add_object(root, "better_than_baseline");
    frs_json_set_text(object, "non_federated", verdict.baseline);
    json_object_set_new(object, "better", json_boolean(verdict.better));
}

static void set_information_loss(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_quality *last = &outputs->result->last;
    if (!outputs->setup->training.information_loss)
        return;
    json_t *loss = frs_json_add_object(root, "information_loss");
    frs_json_set_real(loss, "client", last->client_loss);
    frs_json_set_real(loss, "server", last->server_loss);
    frs_json_set_real(loss, "total", last->client_loss + last->server_loss);
}

/* What does not apply is left out. */
static void set_structure(json_t *root, const struct frs_outputs *outputs) {
    static const char *const sizes[FRS_GROUP_SIZES] = {
        "groups_of_1", "groups_of_2", "groups_of_4", "groups_of_8", "groups_of_16", "groups_of_more"};
    const struct frs_structure_figures *figures = &outputs->result->last.structure;
    if (!outputs->setup->training.structure)
        return;
    json_t *structure = frs_json_add_object(root, "structure");
    frs_json_set_real(structure, "components_90", figures->components_90);
    frs_json_set_real(structure, "components_99", figures->components_99);
    frs_json_set_real(structure, "groups", figures->groups);
    frs_json_set_real(structure, "cosine_rows", figures->cosine_rows);
    frs_json_set_real(structure, "cosine_groups", figures->cosine_groups);
    for (size_t i = 0; i < FRS_GROUP_SIZES; i++)
        frs_json_set_real(structure, sizes[i], figures->of_size[i]);
    frs_json_set_real(structure, "zero", figures->zero);
    frs_json_set_real(structure, "above_tenth", figures->above_tenth);
    frs_json_set_real(structure, "above_hundredth", figures->above_hundredth);
}

static void set_waste_of(json_t *object, const struct frs_waste *waste) {
    frs_json_set_count(object, "participations", waste->participations);
    frs_json_set_count(object, "down_bytes", waste->down_bytes);
    frs_json_set_count(object, "up_bytes", waste->up_bytes);
    frs_json_set_count(object, "setup_down_bytes", waste->setup_down_bytes);
    frs_json_set_count(object, "setup_up_bytes", waste->setup_up_bytes);
    frs_json_set_real(object, "flop", waste->flop);
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
                set_waste_of(frs_json_add_object(by_outcome, frs_outcome_names[j]), waste);
        }
        const struct frs_waste *later[] = {&totals->post_waste[i], &totals->receive_waste[i]};
        for (size_t j = 0; j < 2; j++)
            if (later[j]->participations > 0) {
                frs_waste_add(&sum, later[j]);
                set_waste_of(frs_json_add_object(by_outcome, j == 0 ? "post" : "receive"), later[j]);
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
        frs_json_set_real(root, "mean_staleness", (double)totals->staleness / (double)totals->used);
}

/* Work after the upload, by its own outcomes; only of methods that have any. */
static void set_posts(json_t *root, const struct frs_totals *totals) {
    uint64_t n = 0;
    for (size_t i = FRS_POST_ENDED; i < FRS_N_POST_OUTCOMES; i++)
        n += totals->post_uploads[i];
    json_t *post_uploads = n > 0 ? frs_json_add_object(root, "post") : NULL;
    for (size_t i = FRS_POST_ENDED; post_uploads && i < FRS_N_POST_OUTCOMES; i++)
        frs_json_set_count(post_uploads, frs_post_upload_outcome_names[i], totals->post_uploads[i]);
}

uint64_t frs_summary_lost(const struct frs_totals *totals) {
    return totals->outcomes[FRS_DROPPED_DOWN] + totals->outcomes[FRS_DROPPED_COMPUTE] +
           totals->outcomes[FRS_DROPPED_UP];
}

/* How long rounds with losses last hangs on it. */
static void set_detection(json_t *root, const struct frs_setup *setup, const struct frs_totals *totals) {
    if (frs_summary_lost(totals) == 0)
        return;
    json_t *object = frs_json_add_object(root, "detection");
    frs_json_set_count(object, "lost", frs_summary_lost(totals));
    frs_json_set_real(object, "detect_s", setup->failures.detect_s);
}

/* The causes of waiting on the critical path. The rest of the waiting is deadlines and devices that were
 * still at work. */
static void set_waiting(json_t *root, const struct frs_totals *totals) {
    if (totals->path.unreachable_s + totals->path.noticing_s == 0)
        return;
    json_t *object = frs_json_add_object(root, "waiting");
    frs_json_set_real(object, "unreachable_s", totals->path.unreachable_s);
    frs_json_set_real(object, "noticing_s", totals->path.noticing_s);
}

/* What no round could open for. */
static void set_idle(json_t *root, const struct frs_ledger *ledger) {
    double idle_s = frs_ledger_idle_s(ledger), scheduled_s = frs_ledger_scheduled_idle_s(ledger);
    frs_json_set_real(root, "idle_s", idle_s);
    if (idle_s == 0)
        return;
    json_t *object = frs_json_add_object(root, "idle");
    frs_json_set_real(object, "scheduled_s", scheduled_s);
    frs_json_set_real(object, "clients_s", idle_s - scheduled_s);
}

/* Messages whose connection broke and was opened anew, and what a client does then. */
static void set_retries(json_t *root, const struct frs_setup *setup, const struct frs_totals *totals) {
    const struct frs_retry *retry = &setup->retry;
    if (totals->retries == 0)
        return;
    json_t *object = frs_json_add_object(root, "retry");
    frs_json_set_count(object, "retries", totals->retries);
    frs_json_set_count(object, "participations", totals->retried);
    frs_json_set_count(object, "used", totals->retried_used);
    frs_json_set_count(object, "times", retry->times);
    frs_json_set_real(object, "after_s", retry->after_s);
    json_object_set_new(object, "resume", json_boolean(retry->resumes));
}

static void set_totals(json_t *root, const struct frs_totals *totals) {
    json_t *path = frs_json_add_object(root, "critical_path");
#define FRS_COLUMN_OF_PATH(name) frs_json_set_real(path, #name, totals->path.name);
#include "sim/ledger/columns.def"
    json_t *bytes = frs_json_add_object(root, "bytes");
    frs_json_set_count(bytes, "down", totals->down_bytes);
    frs_json_set_count(bytes, "catchup_down", totals->catchup_bytes);
    frs_json_set_count(bytes, "up", totals->up_bytes);
    frs_json_set_count(bytes, "setup_down", totals->setup_down_bytes);
    frs_json_set_count(bytes, "setup_up", totals->setup_up_bytes);
    frs_json_set_count(bytes, "resent_down", totals->resent_down_bytes);
    frs_json_set_count(bytes, "resent_up", totals->resent_up_bytes);
    frs_json_set_count(bytes, "metered_down", totals->metered_down_bytes);
    frs_json_set_count(bytes, "metered_up", totals->metered_up_bytes);
    frs_json_set_count(bytes, "wasted", totals->wasted_down_bytes + totals->wasted_up_bytes);
    frs_json_set_count(
        bytes, "setup_wasted", totals->wasted_setup_down_bytes + totals->wasted_setup_up_bytes);
    if (totals->edge_messages > 0) {
        frs_json_set_count(bytes, "edge_down", totals->edge_down_bytes);
        frs_json_set_count(bytes, "edge_up", totals->edge_up_bytes);
        frs_json_set_count(
            bytes, "edge_wasted", totals->wasted_edge_down_bytes + totals->wasted_edge_up_bytes);
        frs_json_set_count(root, "edge_messages", totals->edge_messages);
    }
    json_t *nominal = frs_json_add_object(root, "nominal_bytes");
    frs_json_set_count(nominal, "down", totals->nominal_down_bytes);
    frs_json_set_count(nominal, "up", totals->nominal_up_bytes);
    frs_json_set_real(root, "flop", totals->flop);
    frs_json_set_real(root, "wasted_flop", totals->wasted_flop);
    frs_json_set_real(root, "server_flop", totals->server_flop);
    json_t *outcomes = frs_json_add_object(root, "outcomes");
    for (size_t i = FRS_DELIVERED; i < FRS_N_OUTCOMES; i++)
        frs_json_set_count(outcomes, frs_outcome_names[i], totals->outcomes[i]);
    set_waste(frs_json_add_object(root, "waste_by_cause"), totals);
    set_posts(root, totals);
}

/* Between clients; how far their models differ only where there is no server. */
static void set_peers(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_totals *totals = frs_ledger_totals(outputs->ledger);
    if (!frs_setup_clients_meet(outputs->setup))
        return;
    json_t *object = frs_json_add_object(root, "peers");
    frs_json_set_count(object, "bytes", totals->peer_up_bytes);
    frs_json_set_count(object, "wasted_bytes", totals->wasted_peer_up_bytes);
    frs_json_set_count(object, "messages", totals->peer_messages);
    if (outputs->setup->peers.neighbours)
        frs_json_set_real(object, "consensus_distance", outputs->result->last.consensus_distance);
}

/* The rules by which the run could end early, which of them did, and in which round. */
static void set_stop(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_setup *setup = outputs->setup;
    if (!(setup->stop_tolerance > 0) && !isfinite(setup->stop_s) && !setup->stop_at_target)
        return;
    json_t *stop = frs_json_add_object(root, "stop");
    if (setup->stop_tolerance > 0) {
        json_object_set_new(stop, "converged", json_boolean(result->stops.converged));
        frs_json_set_real(stop, "change", setup->stop_tolerance);
    }
    if (isfinite(setup->stop_s)) {
        json_object_set_new(stop, "out_of_time", json_boolean(result->stops.out_of_time));
        frs_json_set_real(stop, "time_s", setup->stop_s);
    }
    if (setup->stop_at_target)
        json_object_set_new(stop, "reached_target", json_boolean(result->stops.reached_target));
    frs_json_set_count(stop, "round", frs_ledger_rounds(outputs->ledger));
}

/* How often messages crossed, counting one direction for all clients (Liu et al. 2024, definition 3.8;
 * undefined without rounds); why the run ended early; and what clients did without the server. */
static void set_course(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_setup *setup = outputs->setup;
    if (!setup->policy->asynchronous) {
        json_t *communications = frs_json_add_object(root, "communications");
        frs_json_set_count(communications, "in_rounds", result->communications);
        frs_json_set_count(communications, "for_evaluation", result->extra_communications);
    }
    set_stop(root, outputs);
    if (setup->training.learner->rounds) {
        json_t *alone = frs_json_add_object(root, "alone");
        frs_json_set_count(alone, "steps", result->alone_steps);
        frs_json_set_real(alone, "flop", result->alone_flop);
    }
}

/* The duration of rounds by formula, beside the simulated one. */
static void set_closed_form(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_usual_usage usual = frs_usual_usage(setup, outputs->ledger);
    struct frs_closed_form form = {.why_not = "nothing was delivered that could be used"};
    if (usual.n > 0)
        form = frs_closed_form(setup, &(struct frs_usages){frs_usual_usage_tell, &usual});
    json_t *object = frs_json_add_object(root, "closed_form"), *omitted = json_array();
    if (form.why_not) {
        frs_json_set_text(object, "none", form.why_not);
        json_decref(omitted);
        return;
    }
    double simulated_s = (frs_ledger_end_s(outputs->ledger) - frs_ledger_idle_s(outputs->ledger) -
                             frs_ledger_restart_s(outputs->ledger)) /
                         (double)frs_ledger_rounds(outputs->ledger);
    if (frs_ledger_rounds(outputs->ledger) == 0)
        simulated_s = NAN;
    frs_json_set_real(object, "participation_s", form.participation_s);
    frs_json_set_real(object, "slowest_s", form.slowest_s);
    if (form.server_link_s > 0)
        frs_json_set_real(object, "server_link_s", form.server_link_s);
    frs_json_set_real(object, "round_s", form.round_s);
    frs_json_set_real(object, "simulated_round_s", simulated_s);
    frs_json_set_real(object, "to_simulated", form.round_s / simulated_s);
    const char *omissions[FRS_CLOSED_FORM_OMISSIONS];
    size_t n = frs_closed_form_leaves_out(setup, omissions);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(omitted, json_string(omissions[i]));
    json_object_set_new(object, "leaves_out", omitted);
}

/* Savings as shares of whole tables: as the papers count them, and on the wire, where downloads include
 * what clients had missed. Only completed participations count, because the others have the bytes of
 * aborted messages. */
static void set_compression(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_totals *t = frs_ledger_totals(outputs->ledger);
    struct frs_part shapes[FRS_MAX_PARTS];
    double table = 0, n = (double)t->participations;
    size_t n_parts = frs_model_parts(setup->training.model, FRS_STATE, shapes);
    for (size_t i = 0; i < n_parts; i++)
        table += (double)(shapes[i].n_rows * shapes[i].dim * sizeof(float));
    if (!setup->training.learner->sends_updates || t->outcomes[FRS_DELIVERED] != t->participations)
        return;
    json_t *rate = frs_json_add_object(root, "compression_rate");
    frs_json_set_real(rate, "paper_down", 1 - (double)t->nominal_down_bytes / (n * table));
    frs_json_set_real(rate, "paper_up", 1 - (double)t->nominal_up_bytes / (n * table));
    frs_json_set_real(rate, "down", 1 - (double)t->down_bytes / (n * table));
    frs_json_set_real(rate, "up", 1 - (double)t->up_bytes / (n * table));
}

/* Whether the groups of a family are served differently, or only differ by chance. */
static void set_differences(json_t *root, const struct frs_group *groups, size_t n) {
    size_t n_compared = frs_groups_count_compared(groups, n);
    json_t *all = n_compared > 0 ? frs_json_add_object(root, "group_differences") : NULL;
    for (size_t i = 0; i < n && all; i++) {
        if (!isfinite(groups[i].chance) || json_object_get(all, groups[i].by))
            continue;
        json_t *family = frs_json_add_object(all, groups[i].by);
        frs_json_set_real(family, "chance", groups[i].chance);
        json_object_set_new(
            family, "beyond_chance", json_boolean(groups[i].chance <= frs_group_level(n_compared)));
    }
}

/* How far the groups of each family are apart. */
static void set_gaps(json_t *root, const struct frs_group *groups, size_t n, bool ratings) {
    json_t *all = NULL;
    for (size_t i = 0; i < n; i++) {
        struct frs_group_gap gap;
        if ((i > 0 && strcmp(groups[i - 1].by, groups[i].by) == 0) ||
            !frs_groups_gap(&groups[i], n - i, ratings, &gap))
            continue;
        all = all ? all : frs_json_add_object(root, "group_gaps");
        json_t *family = frs_json_add_object(all, groups[i].by);
        json_object_set_new(family, "worst", json_string(gap.worst));
        json_object_set_new(family, "best", json_string(gap.best));
        frs_json_set_real(family, "worst_quality", gap.worst_quality);
        frs_json_set_real(family, "gap", gap.gap);
        frs_json_set_real(family, "spread", gap.spread);
        json_t *interval = frs_json_add_object(family, "gap_interval");
        frs_json_set_real(interval, "low", gap.low);
        frs_json_set_real(interval, "high", gap.high);
    }
}

/* Who takes part, and who is served how well. */
static void set_groups(json_t *root, const struct frs_outputs *outputs) {
    struct frs_group groups[FRS_MAX_GROUPS];
    size_t n = frs_groups_collect(outputs->setup, outputs->ledger, outputs->evaluation, groups);
    json_t *all = frs_json_add_object(root, "groups");
    for (size_t i = 0; i < n; i++) {
        const struct frs_group *g = &groups[i];
        json_t *family = json_object_get(all, g->by);
        json_t *group = frs_json_add_object(family ? family : frs_json_add_object(all, g->by), g->name);
        frs_json_set_count(group, "clients", g->clients);
        frs_json_set_count(group, "participations", g->participations);
        frs_json_set_count(group, "delivered", g->delivered);
        frs_json_set_real(group, "availability", g->availability);
        frs_json_set_real(group, "interactions", g->interactions);
        frs_json_set_real(group, "loss", g->loss);
        if (g->scores.n > 0) {
            frs_json_set_count(group, "evaluated", g->scores.n);
            set_scores(group, &g->scores, &outputs->setup->ranking, "");
            json_t *interval = frs_json_add_object(
                group, outputs->setup->training.data->explicit_feedback ? "rmse_interval" : "hr_interval");
            frs_json_set_real(interval, "low", g->low);
            frs_json_set_real(interval, "high", g->high);
        }
    }
    set_differences(root, groups, n);
    set_gaps(root, groups, n, outputs->setup->training.data->explicit_feedback);
}

static void set_parameter_space(json_t *root, const struct frs_setup *setup) {
    struct frs_parameter_space space = frs_parameter_space(setup);
    if (!isfinite(space.client_bytes))
        return;
    json_t *object = frs_json_add_object(root, "parameter_space");
    frs_json_set_real(object, "client_bytes", space.client_bytes);
    frs_json_set_real(object, "server_bytes", space.server_bytes);
}

/* How many clients were selected, and how many of them never had an upload that was used. */
static void set_clients(json_t *root, const struct frs_outputs *outputs) {
    struct frs_selected_clients clients = frs_summary_clients(outputs);
    frs_json_set_count(root, "clients_selected", clients.selected);
    frs_json_set_count(root, "clients_never_delivered", clients.never_delivered);
}

/* How many clients took part in a round, where fewer than the cohort size, and rounds without an upload. */
static void set_cohort(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_cohorts cohorts = frs_ledger_cohorts(outputs->ledger);
    if (frs_cohort_is_short(outputs->setup, &cohorts)) {
        json_t *object = frs_json_add_object(root, "cohort");
        frs_json_set_count(object, "requested", frs_setup_selected(outputs->setup));
        frs_json_set_real(object, "mean", frs_cohort_mean(&cohorts));
        frs_json_set_count(object, "least", cohorts.least);
        frs_json_set_count(object, "most", cohorts.most);
    }
    if (cohorts.n_without_upload > 0)
        frs_json_set_count(root, "rounds_without_upload", cohorts.n_without_upload);
}

/* One that diverged has no summary. */
static const char *const ending_names[] = {[FRS_ENDED_WHOLE] = "complete",
    [FRS_ENDED_INTERRUPTED] = "interrupted",
    [FRS_ENDED_STRANDED] = "stranded"};

const char *frs_ending_name(const struct frs_outputs *outputs) {
    bool nothing = outputs->result->ending == FRS_ENDED_STRANDED && frs_ledger_rounds(outputs->ledger) == 0;
    return nothing ? "incomplete" : ending_names[outputs->result->ending];
}

struct frs_selected_clients frs_summary_clients(const struct frs_outputs *outputs) {
    struct frs_selected_clients clients = {0};
    for (uint32_t u = 0; u < outputs->setup->training.data->population.n_clients; u++) {
        const struct frs_client_row *row = frs_ledger_client(outputs->ledger, u);
        clients.selected += row->participations > 0;
        clients.never_delivered += frs_client_never_delivered(row);
    }
    return clients;
}

enum frs_status frs_write_summary(
    const struct frs_run_directory *directory, const struct frs_outputs *outputs, struct frs_errors *errors) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_totals *totals = frs_ledger_totals(outputs->ledger);
    json_t *root = json_object();
    frs_json_set_text(root, "status", frs_ending_name(outputs));
    if (*outputs->result->why)
        frs_json_set_text(root, "reason", outputs->result->why);
    frs_json_set_text(root, "method", setup->training.learner->plugin.name);
    frs_json_set_real(root, "simulated_s", frs_ledger_end_s(outputs->ledger));
    set_idle(root, outputs->ledger);
    frs_json_set_real(root, "restart_s", frs_ledger_restart_s(outputs->ledger));
    frs_json_set_count(root, "rounds", frs_ledger_rounds(outputs->ledger));
    frs_json_set_count(root, "participations", totals->participations);
    set_clients(root, outputs);
    set_cohort(root, outputs);
    if (frs_memory_too_small(setup) > 0)
        frs_json_set_count(root, "clients_refused", frs_memory_too_small(setup));
    set_totals(root, totals);
    set_peers(root, outputs);
    frs_energy_set(root, outputs);
    frs_load_set(root, outputs);
    frs_costs_set(root, outputs);
    frs_per_client_set(root, outputs);
    frs_caps_set(root, outputs);
    frs_correction_set(root, outputs);
    set_waiting(root, totals);
    frs_what_if_bottleneck_set(root, outputs->what_ifs);
    frs_deciding_settings_set(root, outputs);
    set_detection(root, setup, totals);
    set_retries(root, setup, totals);
    set_staleness(root, setup, totals);
    set_course(root, outputs);
    set_closed_form(root, outputs);
    set_compression(root, outputs);
    frs_json_set_text(root, "protocol", frs_data_protocol(setup->training.data));
    frs_json_set_text(root, "candidates", setup->training.data->n_negatives ? "sampled" : "full");
    frs_json_set_text(root, "order", setup->training.data->order);
    json_object_set_new(root, "training", json_boolean(setup->training.trains));
    if (setup->declared)
        json_object_set_new(root, "declared", json_true()); /* sizes and work are given, not measured */
    if (outputs->emulation)
        frs_emulation_verdict_object(frs_json_add_object(root, "emulation"), outputs->emulation);
    char *rounds = frs_format("%s/rounds.csv", directory->temporary);
    json_t *target;
    enum frs_status status = frs_target_object(setup, rounds, outputs->baselines, &target, errors);
    if (target)
        json_object_set_new(root, "target", target);
    free(rounds);
    if (outputs->evaluation)
        set_quality(root, outputs);
    else
        frs_json_add_object(root, "metrics");
    set_verdict(root, outputs);
    set_information_loss(root, outputs);
    set_structure(root, outputs);
    set_groups(root, outputs);
    frs_adaptation_set(root, outputs);
    set_parameter_space(root, setup);
    frs_privacy_set(root, outputs);
    frs_machine_object(frs_json_add_object(root, "machine"), outputs);
    if (status == FRS_OK)
        return frs_json_write(directory, "summary.json", root, errors);
    json_decref(root);
    return status;
}
