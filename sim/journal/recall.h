/* Recall: what a journal knows of a training, as long as it knows the history so far.
 *
 * Every event is added to the history before it happens; the record of that name holds its result. At the
 * first event without a sound record the trainer is brought to the point before it (from the journal's
 * snapshot if that lies on the way, else from the beginning), and recalling ends. */
#ifndef FRS_JOURNAL_RECALL_H
#define FRS_JOURNAL_RECALL_H

#include "sim/journal/history.h"
#include "sim/journal/journal.h"

struct frs_recall {
    struct frs_trainer *trainer;
    struct frs_journal *journal; /* NULL: nothing is recalled, nothing recorded */
    bool evaluations_matter;     /* one leaves behind what the next does not replace */
    bool goes_on;                /* answers are recalled */
    struct frs_history history;  /* its events are kept as long as that; empty without a journal */
    size_t event_at;             /* where its last event begins */
    struct frs_buffer record;    /* of the last event, to be added */
    bool has_snapshot;           /* the journal's snapshot lies on the way, */
    size_t snapshot_at;          /* after this many bytes of the history */
};

/* `journal` may be NULL. */
void frs_recall_init(struct frs_recall *recall, struct frs_journal *journal, struct frs_trainer *trainer,
    bool evaluations_matter);
void frs_recall_fini(struct frs_recall *recall);

/* The history, which is told of the next event by the caller; NULL without a journal. */
struct frs_history *frs_recall_event(struct frs_recall *recall);

/* Returns the digest of all events so far; zeros without a journal. */
struct frs_digest frs_recall_name(const struct frs_recall *recall);

/* The same, followed by a word, for a question that is no event because it changes nothing. */
struct frs_digest frs_recall_name_of(const struct frs_recall *recall, const char *word);

/* The record of this name, if answers are recalled; without one they are no longer. */
bool frs_recall_find(struct frs_recall *recall, const struct frs_digest *name, struct frs_reader *record);

/* Whether all of a record that was found was as it has to be; otherwise it is as good as none. */
bool frs_recall_is_sound(struct frs_recall *recall, const struct frs_reader *record);

/* What was put into `record` is the record of this name. */
void frs_recall_add(struct frs_recall *recall, const struct frs_digest *name);

/* Between rounds: is this the point of the journal's snapshot? */
void frs_recall_look_for_snapshot(struct frs_recall *recall);

#endif
