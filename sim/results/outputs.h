/* Outputs: what manifest.c, summary.c, clients_csv.c and report.c (printed) write about a run. */
#ifndef FRS_RESULTS_OUTPUTS_H
#define FRS_RESULTS_OUTPUTS_H

#include "actors/emulation/emulation.h"
#include "sim/ledger/ledger.h"
#include "sim/ledger/run_directory.h"
#include "sim/setup/setup.h"
#include "sim/results/non_federated.h"
#include "sim/rounds/simulation.h"

struct frs_outputs {
    const struct frs_setup *setup;
    const struct frs_coordinator *coordinator;
    const struct frs_ledger *ledger;
    const struct frs_evaluation *evaluation; /* NULL when only timing was asked for */
    const struct frs_simulation_result *result;
    const struct frs_non_federated_model_results *baselines;
    const struct frs_emulation_record *emulation; /* NULL: rounds were simulated */
    const struct frs_what_ifs *what_ifs;          /* sim/what_if; NULL: none were wanted */
    double wall_s, what_if_s;                     /* real time of the rounds, and of what-ifs */
    double prepared_s,
        simulated_s; /* processor time of the process until the first round, and after the last */
    size_t threads;
};

/* What was run: version, the whole scenario, its hash, the data's hash, kernels and libraries. */
enum frs_status frs_write_manifest(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

/* What came out. Everything that varies from run to run of the same scenario is in its member `machine`. */
enum frs_status frs_write_summary(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

/* What-ifs of the run (what_if.json); nothing where none were wanted. */
enum frs_status frs_write_what_ifs(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

enum frs_status frs_write_clients(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

/* The table at the end of a run. */
void frs_print_summary(const struct frs_outputs *outputs, const char *directory, FILE *out);

#endif
