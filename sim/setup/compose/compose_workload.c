#include "sim/setup/compose/compose_workload.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"

#include <string.h>

/* Without a table and without method.clients. */
#define USUAL_CLIENTS 1000u

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

static struct frs_distribution_section distribution(const struct frs_setup *setup, const char *path) {
    return (struct frs_distribution_section){
        .plugin = frs_scenario_plugin(setup->scenario, path), .values = section(setup, path)};
}

bool frs_compose_is_declared(const struct frs_setup *setup) {
    /* The plug-in is the first member of its learner. */
    return ((const struct frs_learner *)(const void *)frs_scenario_plugin(setup->scenario, "method"))
        ->is_declared;
}

/* A client that is a row of the table, in order, is one of as many as there are rows. */
static uint32_t rows_of(const struct frs_fleet *fleet) {
    return fleet && fleet->join == FRS_FLEET_ROWS ? (uint32_t)fleet->n_in_file : 0;
}

uint32_t frs_compose_declared_clients(const struct frs_setup *setup) {
    uint32_t given = (uint32_t)frs_values_int(section(setup, "method"), "clients"),
             links = rows_of(setup->network.fleet), devices = rows_of(setup->devices.fleet);
    return given > 0 ? given : links > 0 ? links : devices > 0 ? devices : USUAL_CLIENTS;
}

/* What would change sizes that are declared as they cross the network, or a training that there is not. */
static void check(const struct frs_setup *setup, struct frs_errors *errors) {
    static const char *const codecs[] = {"codec.uplink", "codec.downlink"}, *const mechanisms[] = {
                                                                                "privacy.1", "privacy.2",
                                                                                "privacy.3", "privacy.4"};
    for (size_t i = 0; i < 2; i++)
        if (strcmp(frs_scenario_plugin(setup->scenario, codecs[i])->name, "dense") != 0)
            frs_values_error(section(setup, codecs[i]), "name", errors,
                "does not apply to method \"declared\", whose sizes are declared as they are after "
                "compression; allowed: a smaller method.%s",
                i == 0 ? "up" : "down");
    for (size_t i = 0; i < 4; i++)
        if (strcmp(frs_scenario_plugin(setup->scenario, mechanisms[i])->name, "none") != 0)
            frs_values_error(section(setup, mechanisms[i]), "name", errors,
                "does not apply to method \"declared\", which has no values to protect; allowed: none, and "
                "method.up and method.work with what the mechanism adds");
    if (setup->devices.compute == FRS_COMPUTE_MEASURED)
        frs_values_error(section(setup, "devices"), "compute", errors,
            "\"measured\" is the time that training takes here, and method \"declared\" does not train; "
            "allowed: flops | per_sample | fixed | none, with method.work, work_samples and work_time");
}

void frs_compose_workload(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_declared_sections sections = {.down = distribution(setup, "method.down"),
        .up = distribution(setup, "method.up"),
        .work = distribution(setup, "method.work"),
        .method = section(setup, "method")};
    check(setup, errors);
    setup->declared =
        frs_declared_read(&sections, &setup->strata, setup->training.data->population.n_clients, errors);
    if (!setup->declared)
        return;
    setup->training.workload = &setup->declared->workload;
    setup->devices.adds_cpu_s = true;
}

enum frs_status frs_refuse_declared_quality(
    const struct frs_scenario *scenario, const char *option, const char *metric, struct frs_errors *errors) {
    /* The plug-in is the first member of its learner. */
    const struct frs_learner *learner =
        (const struct frs_learner *)(const void *)frs_scenario_plugin(scenario, "method");
    return !learner->is_declared ? FRS_OK
                                 : frs_errors_add(errors, FRS_ERR_INPUT,
                                       "%s: method \"%s\" trains nothing, so that there is no %s; allowed: "
                                       "figures of time, bytes "
                                       "and energy",
                                       option, learner->plugin.name, metric);
}

static void idle(const struct frs_values *values, const char *why) {
    for (size_t i = 0; i < values->n; i++)
        if (values->values[i].given)
            frs_values_idle(values, values->values[i].param->key, "has no effect: %s", why);
}

void frs_compose_declared_idle(const struct frs_setup *setup) {
    const struct frs_values *rounds = section(setup, "rounds");
    static const char *const stops[] = {"stop_tolerance", "stop_at_target", "stop_min_rounds"};
    const char *no_quality = "method \"declared\" trains nothing, so that there is no quality to measure";
    idle(section(setup, "data"),
        "method \"declared\" needs no data; method.clients says how many clients there are");
    idle(section(setup, "training"), "method \"declared\" is never trained");
    idle(section(setup, "evaluation"), no_quality);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (frs_values_find(rounds, stops[i])->given)
            frs_values_idle(rounds, stops[i], "has no effect: %s", no_quality);
}
