/* The journal of a run: whether it needs one, its content before the first round, and its checkpoint
 * before and after. */
#include "sim/run/run_internal.h"
#include "sim/base/errors.h"
#include "sim/base/quoting.h"
#include "sim/journal/reuse.h"
#include "sim/setup/training_key.h"

#include <stdlib.h>
#include <unistd.h>

/* Measured times never repeat: a run with them can be neither resumed nor shared. */
static bool can_recall(const struct frs_setup *setup) {
    return setup->training.trains && frs_devices_deterministic(&setup->devices);
}

/* What-ifs alone are worth a journal of a few megabytes, unless all of them are wanted. */
static bool what_ifs_need_journal(const struct frs_run *run) {
    const struct frs_setup *setup = run->setup;
    return run->what_ifs && can_recall(setup) &&
           (setup->what_ifs == FRS_WHAT_IF_ALL ||
               (double)setup->n_rounds * frs_setup_selected(setup) <= FRS_WHAT_IF_MOST_RECORDS);
}

/* A journal grows with every participation. It is useful only with checkpoints, a shared folder or
 * what-ifs. */
static bool needs_journal(const struct frs_run *run, const struct frs_run_options *options) {
    const struct frs_setup *setup = run->setup;
    return !options->emulation &&
           ((frs_checkpoint_is_kept(setup) && !options->once) ||
               (can_recall(setup) && (options->cache || options->resume)) || what_ifs_need_journal(run));
}

/* A checkpoint may hold hours of work: it is neither overwritten nor used unless an option asks for it. */
static enum frs_status check_checkpoint(
    const char *path, const struct frs_run_options *options, struct frs_errors *errors) {
    if (access(path, F_OK) != 0)
        return FRS_OK;
    if (!frs_journal_is_one(path))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s is in the way: it is no checkpoint of this program; choose another place with --out DIR",
            path);
    if (options->resume || options->force)
        return FRS_OK;
    if (options->once)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s is the checkpoint of a run that was not finished; choose another place with --out DIR", path);
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s is the checkpoint of a run that was not finished: --resume goes on from there, --force starts "
        "again",
        path);
}

/* With both --resume and --force one that does not fit is passed over. */
static enum frs_status read_checkpoint(struct frs_journal *journal, const char *path,
    const struct frs_run_options *options, struct frs_errors *errors) {
    struct frs_errors found = {0};
    enum frs_status status = frs_journal_read(journal, path, options->force ? &found : errors);
    if (status == FRS_OK && !options->quiet)
        frs_print_line(stdout, "Going on from %s: what %zu participations have learnt is not computed again.",
            path, frs_journal_n(journal));
    if (!options->force)
        return status;
    frs_errors_clear(&found);
    return FRS_OK;
}

enum frs_status frs_run_journal_open(
    struct frs_run *run, const struct frs_run_options *options, struct frs_errors *errors) {
    const struct frs_setup *setup = run->setup;
    char *path = frs_checkpoint_path(setup->directory);
    enum frs_status status = check_checkpoint(path, options, errors);
    if (status == FRS_OK && needs_journal(run, options)) {
        struct frs_digest key = frs_training_key(setup);
        run->journal = frs_journal_create(&key);
        char *identity = frs_training_identity(setup);
        frs_journal_identify(run->journal, identity);
        free(identity);
        if (!options->once)
            frs_checkpoint_init(&run->checkpoint, setup->directory, run->journal, setup->checkpoint_rounds,
                setup->checkpoint_interval_s);
        if (options->cache)
            frs_reuse_read(run->journal, options->cache);
        if (options->resume && access(path, F_OK) == 0)
            status = read_checkpoint(run->journal, path, options, errors);
    }
    free(path);
    return status;
}

/* The checkpoint holds all that was learnt. It is small beside the results. Their partial files are
 * removed first, because a resumed run writes them again. */
static void save_journal(struct frs_run *run) {
    struct frs_errors ignored = {0};
    frs_run_directory_discard(&run->directory);
    if (frs_journal_write(run->journal, run->checkpoint.path, false, NULL, &ignored) != FRS_OK)
        frs_errors_clear(&ignored); /* an earlier one is still there, and a line tells of it */
}

/* Results are there, and a checkpoint beside them is of no use. */
static void forget(const char *path) {
    struct frs_errors left = {0};
    frs_checkpoint_forget(path);
    if (access(path, F_OK) != 0)
        return;
    frs_errors_add(&left, FRS_ERR_INPUT,
        "%s is left behind: it cannot be read to see whose it is, or cannot be removed; the results are "
        "complete without it",
        path);
    frs_errors_print(&left, stderr);
    frs_errors_clear(&left);
}

enum frs_status frs_run_journal_close(struct frs_run *run, const struct frs_run_options *options,
    enum frs_status ended, struct frs_errors *errors) {
    char *path = frs_checkpoint_path(run->setup->directory);
    if (run->checkpoint.path && run->unwritten && run->all_rounds)
        save_journal(run);
    bool is_there = run->checkpoint.path && access(path, F_OK) == 0;
    if (run->in_place && ended != FRS_INTERRUPTED)
        forget(path);
    else if (is_there && ended == FRS_INTERRUPTED)
        frs_errors_add(errors, ended, "interrupted; --resume goes on from %s", path);
    else if (is_there && ended != FRS_OK &&
             frs_learner_failure(run->setup->training.learner, run->setup->training.model))
        frs_errors_add(errors, ended, "what was learnt before is kept: --resume goes on from %s", path);
    else if (is_there && run->unwritten)
        frs_errors_add(errors, ended, "what was learnt is kept: --resume goes on from %s", path);
    free(path);
    if (!run->journal || !options->cache || ended != FRS_OK)
        return ended;
    return frs_reuse_write(run->journal, options->cache, errors);
}
