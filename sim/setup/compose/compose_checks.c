#include "sim/setup/compose/compose_checks.h"
#include "actors/links/channel.h"
#include "platforms/networks/platform_file.h"
#include "sim/base/settings/params.h"

#include <math.h>

void frs_compose_check_user_platform(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *platform = frs_scenario_section(setup->scenario, "platform");
    if (!setup->platform.file)
        return;
    if (frs_reachability_can_end(&setup->reachability) || frs_failures_have_rates(&setup->failures) ||
        setup->failures.n_server_restarts > 0)
        frs_values_error(platform, "file", errors,
            "on a platform of your own nothing can stop a transfer at a given time; allowed there: "
            "availability "
            "\"always\" or \"bernoulli\" without outages, and failures by probability (failures.per = \"0 "
            "s\")");
    if (setup->policy->leaves_stragglers || setup->policy->asynchronous)
        frs_values_error(platform, "file", errors,
            "on a platform of your own nothing can stop a transfer at a given time; allowed there: "
            "rounds.policy = "
            "\"wait_all\"");
    struct frs_channel_settings settings = {.platform_file = setup->platform.file,
        .lv08 = setup->network.model == FRS_LV08,
        .server_host = setup->platform.server,
        .client_hosts = setup->platform.clients};
    const char *where = frs_values_find(platform, "file")->where;
    struct frs_channel_hosts hosts = {0};
    if (frs_platform_file_check(setup->platform.file, errors) != FRS_OK ||
        frs_channel_try(&settings, where ? where : "platform.file", &hosts, errors) != FRS_OK)
        return; /* reported */
    setup->platform.n_hosts = hosts.n_clients;
    setup->platform.left_out = hosts.left_out;
}

void frs_compose_check_sets(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *values = frs_scenario_section(setup->scenario, "codec.downlink");
    uint32_t sizes[FRS_MAX_SETS];
    const char *needs = NULL;
    if (!frs_values_find(values, "sets") || frs_values_int(values, "sets") == 1)
        return;
    if (!setup->training.learner->sends_updates)
        needs = "a method that sends updates (fedmf_update)";
    else if (frs_training_sets(&setup->training, sizes) > 1 && !setup->training.exact_server_table)
        needs = "codec.downlink.server_table = \"exact\", because clients' tables then differ";
    else if (setup->training.learner->budgets || !setup->training.uplink_codec.codec->budgets)
        needs = "an uplink codec with budgets (groups | adaptive_groups | topk | svd | svd_quantised)";
    if (needs)
        frs_values_error(values, "sets", errors, "more than 1 is not possible here; it needs %s", needs);
}

void frs_compose_check_codecs(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_learner *learner = setup->training.learner;
    static const char *const paths[] = {"codec.uplink", "codec.downlink"};
    if (setup->training.downlink_codec.codec->changes_only && !learner->sends_updates)
        frs_values_error(frs_scenario_section(setup->scenario, "codec.downlink"), "name", errors,
            "\"%s\" is made for changes, and method \"%s\" sends its clients whole tables, of which it would "
            "leave too little; allowed: a method that sends updates (fedmf_update), or another codec",
            setup->training.downlink_codec.codec->plugin.name, learner->plugin.name);
    for (size_t i = 0; i < 2; i++) {
        const struct frs_value *of = frs_values_find(frs_scenario_section(setup->scenario, paths[i]), "of");
        if (of && of->given && (i == 1 || learner->uploads_updates))
            frs_values_idle(frs_scenario_section(setup->scenario, paths[i]), "of",
                "has no effect here: it is about uploads of rows that replace others (method fedmf)");
    }
}

void frs_compose_check_policy(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_learner *learner = setup->training.learner;
    const struct frs_values *policy = frs_scenario_section(setup->scenario, "rounds.policy");
    if (setup->policy->asynchronous && !learner->takes_stale)
        frs_values_error(policy, "name", errors,
            "method \"%s\" cannot use an update whose client had downloaded an older version; allowed: "
            "wait_all | deadline | over_select | quantile | quorum_then_wait | partial_work",
            learner->plugin.name);
    if (setup->policy_settings.accepts_late && !learner->takes_stale)
        frs_values_error(policy, "late", errors,
            "method \"%s\" cannot use an update whose client had downloaded an older version; allowed: "
            "reject",
            learner->plugin.name);
    bool trains = setup->training.trains || learner->is_declared;
    const struct frs_untrained_extent *extent = &setup->training.untrained;
    if (setup->policy->truncates && (extent->steps > 0 || extent->epochs != floor(extent->epochs)))
        frs_values_error(frs_scenario_section(setup->scenario, "method"),
            extent->steps > 0 ? "steps" : "epochs", errors,
            "policy \"%s\" ends local work after whole epochs; allowed: a whole number of epochs, or "
            "wait_all | "
            "deadline | over_select | quantile | quorum_then_wait",
            setup->policy->plugin.name);
    if (setup->policy->truncates && trains && !learner->limits_epochs)
        frs_values_error(policy, "name", errors,
            "method \"%s\" has no epochs to stop after; allowed: wait_all | deadline | over_select | "
            "quantile | quorum_then_wait",
            learner->plugin.name);
}

void frs_compose_check_guarantee(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_guarantee guarantee = frs_privacy_guarantee(&setup->training.mechanisms);
    const struct frs_learner_privacy *own =
        setup->training.mechanisms.is_learners ? setup->training.learner->mechanisms : NULL;
    const struct frs_selection *selection = setup->selection;
    const struct frs_values *rounds = frs_scenario_section(setup->scenario, "rounds");
    uint32_t most = setup->training.data->population.n_clients / 2;
    if (guarantee.noise == FRS_NO_NOISE || !own)
        return;
    if (guarantee.scale > 0 && selection->uses_loss)
        frs_values_error(frs_scenario_section(setup->scenario, "rounds.selection"), "name", errors,
            "uploads then report training losses, which the noise of method \"%s\" does not hide; allowed: a "
            "selection that does not go by losses",
            setup->training.learner->plugin.name);
    if (!guarantee.local && !setup->training.uplink_codec.codec->lossless)
        frs_values_error(frs_scenario_section(setup->scenario, "codec.uplink"), "name", errors,
            "a lossy codec may enlarge what method \"%s\" has clipped for its noise; allowed: a lossless one",
            setup->training.learner->plugin.name);
    if (own->draws_itself && !setup->training.uplink_codec.codec->fixed_size)
        frs_values_error(frs_scenario_section(setup->scenario, "codec.uplink"), "name", errors,
            "noise on every value leaves nothing out that codec \"%s\" could; allowed: \"dense\"",
            setup->training.uplink_codec.codec->plugin.name);
    if (!own->rests)
        return;
    if (setup->policy_settings.n_selected > most && !selection->rests)
        frs_values_error(rounds, "cohort", errors,
            "%u clients are too many for the noise of method \"%s\", which presupposes that no client takes "
            "part in two rounds in a row; allowed: at most %u (50 %% of all)",
            setup->policy_settings.n_selected, setup->training.learner->plugin.name, most);
    if (!selection->rests)
        frs_values_error(frs_scenario_section(setup->scenario, "rounds.selection"), "name", errors,
            "the noise of method \"%s\" presupposes that no client takes part in two rounds in a row; "
            "allowed: no_repeat",
            setup->training.learner->plugin.name);
    if (setup->policy->asynchronous || setup->policy_settings.accepts_late)
        frs_values_error(frs_scenario_section(setup->scenario, "rounds.policy"),
            setup->policy->asynchronous ? "name" : "late", errors,
            "the noise of method \"%s\" presupposes that no client takes part in two rounds in a row; "
            "allowed: %s",
            setup->training.learner->plugin.name,
            setup->policy->asynchronous
                ? "wait_all | deadline | over_select | quantile | quorum_then_wait | partial_work"
                : "reject");
}

void frs_compose_check_timing_only(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *training = frs_scenario_section(setup->scenario, "training");
    const struct {
        const struct frs_codec *codec;
        const char *direction;
    } codecs[] = {
        {setup->training.uplink_codec.codec, "uplink"}, {setup->training.downlink_codec.codec, "downlink"}};
    for (size_t i = 0; i < 2; i++)
        if (!codecs[i].codec->fixed_size && !setup->training.whole_messages)
            frs_values_error(training, "enabled", errors,
                "false is not possible with codec.%s = \"%s\", whose message sizes depend on what was "
                "learnt; allowed: true, training.messages = \"whole\", or another codec",
                codecs[i].direction, codecs[i].codec->plugin.name);
    if (frs_devices_need_training(&setup->devices))
        frs_values_error(training, "enabled", errors,
            "false is not possible with devices.compute = \"%s\", because %s counted while training; "
            "allowed: devices.compute = \"per_sample\", \"fixed\" or \"none\"",
            frs_values_text(frs_scenario_section(setup->scenario, "devices"), "compute"),
            setup->devices.compute == FRS_COMPUTE_FLOPS ? "flops are" : "CPU time is");
}

void frs_compose_check_selection(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_selection *selection = setup->selection;
    double most = selection->max_share * setup->training.data->population.n_clients;
    if (selection->varies &&
        (setup->policy->asynchronous || setup->policy_settings.n_selected != setup->cohort))
        frs_values_error(frs_scenario_section(setup->scenario, "rounds.policy"), "name", errors,
            "selection \"%s\" leaves to chance how many clients are selected; allowed: wait_all | deadline | "
            "quantile | quorum_then_wait | partial_work",
            selection->plugin.name);
    if (selection->max_share > 0 && setup->policy_settings.n_selected > most)
        frs_values_error(frs_scenario_section(setup->scenario, "rounds"), "cohort", errors,
            "%u clients are too many for selection \"%s\"; allowed: at most %u (%g %% of all)",
            setup->policy_settings.n_selected, selection->plugin.name, (unsigned)most,
            100 * selection->max_share);
    if (selection->uses_loss && setup->training.learner->is_declared)
        frs_values_error(frs_scenario_section(setup->scenario, "rounds.selection"), "name", errors,
            "\"%s\" goes by training losses, and method \"%s\" trains nothing; allowed: another selection",
            selection->plugin.name, setup->training.learner->plugin.name);
    else if (selection->uses_loss && !setup->training.trains)
        frs_values_error(frs_scenario_section(setup->scenario, "training"), "enabled", errors,
            "false is not possible with selection \"%s\", which goes by training losses; allowed: true",
            selection->plugin.name);
    if (selection->uses_groups && !setup->training.learner->groups)
        frs_values_error(frs_scenario_section(setup->scenario, "rounds.selection"), "name", errors,
            "method \"%s\" sorts its clients into no groups, by which \"%s\" goes; allowed: another "
            "selection, or method \"fedfast\"",
            setup->training.learner->plugin.name, selection->plugin.name);
    if (selection->uses_devices &&
        !*frs_values_text(frs_scenario_section(setup->scenario, "devices"), "fleet"))
        frs_values_error(frs_scenario_section(setup->scenario, "rounds.selection"), "name", errors,
            "\"%s\" goes by the rows of devices.fleet, and there is none; allowed: "
            "devices.fleet, or another "
            "selection",
            selection->plugin.name);
}
