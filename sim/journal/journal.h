/* Journal: results of a training, by content. The name of a record is the digest of everything that led to
 * it, so the record holds for every run with the same history, whatever the network did. A journal may
 * also hold one snapshot: the whole state at one point of such a history.
 *
 * File: "fedrecsim-journal-1\n", the training's key and identity, records, snapshot, and a digest of all of
 * it at the end. It is written under a temporary name, with a lock on it, and then renamed. */
#ifndef FRS_JOURNAL_JOURNAL_H
#define FRS_JOURNAL_JOURNAL_H

#include "sim/base/files/archive.h"
#include "sim/base/files/digest.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct frs_journal;

/* `training` names data, method and program: journals of another training do not fit. */
struct frs_journal *frs_journal_create(const struct frs_digest *training);
void frs_journal_destroy(struct frs_journal *journal);
const struct frs_digest *frs_journal_training(const struct frs_journal *journal);
/* What `training` was made of (sim/base/identity.h): for the file, and for refusals of other files. */
void frs_journal_identify(struct frs_journal *journal, const char *identity);

/* The record of this name, valid until the next frs_journal_add; false when there is none. */
bool frs_journal_find(
    const struct frs_journal *journal, const struct frs_digest *name, struct frs_reader *record);
/* Adds a record; one of this name that is already there must have the same content. */
void frs_journal_add(
    struct frs_journal *journal, const struct frs_digest *name, const struct frs_buffer *record);
/* Records in all: those that were read, then those added, in that order. */
size_t frs_journal_n(const struct frs_journal *journal);
/* Records added since the journal was created or read. */
size_t frs_journal_n_added(const struct frs_journal *journal);
/* Memory in bytes of its content. */
size_t frs_journal_bytes(const struct frs_journal *journal);
/* Returns a digest that names all added records. */
struct frs_digest frs_journal_added(const struct frs_journal *journal);

/* The snapshot that was read; false when there is none. It may be forgotten once it has served. */
bool frs_journal_snapshot(const struct frs_journal *journal, struct frs_digest *at, struct frs_reader *state);
void frs_journal_forget_snapshot(struct frs_journal *journal);

/* Whether a file begins as journals do, or is one of which nothing has been written yet. */
bool frs_journal_is_one(const char *path);

/* Adds the records of a file, and its snapshot if it has one. Fails when the file cannot be read, is
 * damaged or belongs to another training; the journal is then unchanged. */
enum frs_status frs_journal_read(
    struct frs_journal *journal, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* A state to be written: the one after the history named `at`. `save` is called twice and has to name the
 * same fields both times. The state goes straight to the file, because it may be as large as everything
 * else in memory. */
struct frs_snapshot {
    struct frs_digest at;
    void (*save)(void *context, struct frs_archive *archive);
    void *context;
};

/* Removes a temporary file, unless a process on any machine is still writing it. */
void frs_journal_clear_leftover(const char *temporary);

/* `only_added`: writes only records that were not read from a file, for others to find. The function then
 * does not wait until the file is on the disk: a file that is not complete there is damaged, and is not
 * used. `snapshot` may be NULL. */
enum frs_status frs_journal_write(const struct frs_journal *journal, const char *path, bool only_added,
    const struct frs_snapshot *snapshot, struct frs_errors *errors) FRS_MUST_CHECK;

/* Writes the first n records to an open file, for a process that shares it. False when that fails. */
bool frs_journal_write_first(const struct frs_journal *journal, size_t n, FILE *file) FRS_MUST_CHECK;

/* `unknown` is called when a journaled trainer asks for a record that is not there, before anything is
 * trained. */
void frs_journal_when_unknown(struct frs_journal *journal, void (*unknown)(void *context), void *context);
void frs_journal_tell_unknown(const struct frs_journal *journal);

#endif
