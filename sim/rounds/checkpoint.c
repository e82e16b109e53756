#include "sim/rounds/checkpoint.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/ledger/run_place.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

bool frs_checkpoint_is_kept(const struct frs_setup *setup) {
    return setup->training.trains && frs_devices_deterministic(&setup->devices) &&
           (setup->checkpoint_rounds > 0 || isfinite(setup->checkpoint_interval_s));
}

char *frs_checkpoint_path(const char *directory) {
    char *place = frs_run_place(directory), *path = frs_format("%s.checkpoint", place);
    free(place);
    return path;
}

void frs_checkpoint_forget(const char *path) {
    if (frs_journal_is_one(path))
        unlink(path);
}

void frs_checkpoint_tidy(const char *directory) {
    frs_run_place_leftovers(directory, ".checkpoint.partial-", frs_checkpoint_forget);
}

void frs_checkpoint_init(struct frs_checkpoint *checkpoint, const char *directory,
    struct frs_journal *journal, uint32_t rounds, double interval_s) {
    *checkpoint = (struct frs_checkpoint){.path = frs_checkpoint_path(directory),
        .journal = journal,
        .rounds = rounds,
        .interval_s = interval_s,
        .last_wall_s = frs_wall_s()};
}

void frs_checkpoint_fini(struct frs_checkpoint *checkpoint) {
    free(checkpoint->path);
}

static bool is_due(const struct frs_checkpoint *checkpoint, uint32_t n) {
    bool by_rounds = checkpoint->rounds > 0 && n % checkpoint->rounds == 0;
    return by_rounds || frs_wall_s() - checkpoint->last_wall_s >= checkpoint->interval_s;
}

void frs_checkpoint_round(
    struct frs_checkpoint *checkpoint, struct frs_journaled_trainer *trainer, uint32_t n, bool now) {
    struct frs_errors errors = {0};
    if (!checkpoint->path || !frs_journaled_trainer_trained(trainer) || (!now && !is_due(checkpoint, n)))
        return;
    bool failed = frs_journaled_trainer_save(trainer, checkpoint->path, &errors) != FRS_OK;
    if (failed && !checkpoint->failed)
        frs_errors_print(&errors, stderr);
    frs_errors_clear(&errors);
    checkpoint->failed = failed;
    checkpoint->last_wall_s = frs_wall_s();
}
