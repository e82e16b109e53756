#include "sim/journal/recall.h"
#include "sim/base/errors.h"
#include "sim/base/quoting.h"

#include <string.h>

void frs_recall_init(struct frs_recall *recall, struct frs_journal *journal, struct frs_trainer *trainer,
    bool evaluations_matter) {
    *recall = (struct frs_recall){
        .trainer = trainer, .journal = journal, .evaluations_matter = evaluations_matter, .goes_on = journal};
    if (journal)
        recall->history = frs_history_begin(frs_journal_training(journal), true);
}

void frs_recall_fini(struct frs_recall *recall) {
    frs_history_fini(&recall->history);
    frs_buffer_fini(&recall->record);
}

struct frs_history *frs_recall_event(struct frs_recall *recall) {
    recall->event_at = recall->history.events.n;
    return recall->journal ? &recall->history : NULL;
}

struct frs_digest frs_recall_name(const struct frs_recall *recall) {
    return recall->journal ? frs_history_name(&recall->history) : (struct frs_digest){0};
}

struct frs_digest frs_recall_name_of(const struct frs_recall *recall, const char *word) {
    struct frs_digester digester = frs_digester_init();
    struct frs_digest so_far = frs_recall_name(recall);
    frs_digester_add(&digester, so_far.bytes, sizeof so_far.bytes);
    frs_digester_add_text(&digester, word);
    return frs_digester_finish(&digester);
}

void frs_recall_look_for_snapshot(struct frs_recall *recall) {
    struct frs_digest at, now;
    struct frs_reader state;
    if (!recall->goes_on || !frs_journal_snapshot(recall->journal, &at, &state))
        return;
    now = frs_history_name(&recall->history);
    if (memcmp(at.bytes, now.bytes, sizeof at.bytes) != 0)
        return;
    recall->has_snapshot = true;
    recall->snapshot_at = recall->history.events.n;
}

static size_t load_snapshot(struct frs_recall *recall) {
    struct frs_digest at;
    struct frs_reader state;
    if (!recall->has_snapshot || !frs_journal_snapshot(recall->journal, &at, &state))
        return 0;
    frs_trainer_archive(recall->trainer, &(struct frs_archive){.in = &state});
    if (state.failed || state.at != state.n)
        frs_fail("the checkpoint's state cannot be used; --force starts again");
    return recall->snapshot_at;
}

/* Brings the trainer to the point before the last event. */
static void stop(struct frs_recall *recall) {
    frs_journal_tell_unknown(recall->journal);
    struct frs_handles listed = frs_trainer_take_listed(recall->trainer);
    size_t from = load_snapshot(recall);
    frs_journal_forget_snapshot(recall->journal);
    recall->goes_on = false;
    frs_history_repeat(&recall->history, from, recall->event_at, recall->trainer, recall->evaluations_matter);
    frs_trainer_put_back(recall->trainer, &listed);
}

bool frs_recall_find(struct frs_recall *recall, const struct frs_digest *name, struct frs_reader *record) {
    if (!recall->goes_on)
        return false;
    if (frs_journal_find(recall->journal, name, record))
        return true;
    stop(recall);
    return false;
}

bool frs_recall_is_sound(struct frs_recall *recall, const struct frs_reader *record) {
    if (!record->failed && record->at == record->n)
        return true;
    frs_print_line(
        stderr, "fedrecsim: a journal that was read has a damaged record; training goes on from there");
    stop(recall);
    return false;
}

void frs_recall_add(struct frs_recall *recall, const struct frs_digest *name) {
    if (recall->journal)
        frs_journal_add(recall->journal, name, &recall->record);
    frs_buffer_reset(&recall->record);
}
