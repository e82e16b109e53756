/* Outputs: what a run has left when it is over, for its files and its printed report (sim/results/report). */
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

#endif
