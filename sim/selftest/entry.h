/* What every kind of entry is held to, and the settings that entries are tried with. */
#ifndef FRS_SELFTEST_ENTRY_H
#define FRS_SELFTEST_ENTRY_H

#include "sim/base/settings/params.h"
#include "sim/selftest/check.h"
#include "sim/selftest/selftest.h"

/* Name, summary, source and keys of an entry. */
void frs_check_plugin(
    struct frs_check *check, const struct frs_selftest_kind *kind, const struct frs_plugin *plugin);

/* Returns values of the entry's keys: defaults, then `settings` (pairs ended by NULL, or NULL), then the
 * user's. A number without default gets a small value. A text without default makes the check impossible,
 * so it ends, unless the user sets it. */
struct frs_values frs_trial_values(
    struct frs_check *check, const struct frs_plugin *plugin, const char *const *settings);

/* A file with this text, for an entry that goes by one; the caller unlinks and frees the path. */
char *frs_trial_file(struct frs_check *check, const char *text);

/* Whether the entry has this key. */
bool frs_has_key(const struct frs_plugin *plugin, const char *key);

/* How keys of an entry are read. */
struct frs_key_reader {
    const char *where; /* the header and the slot */
    /* Lets the entry read the values and leaves nothing behind. It is called many times, also with values
     * that the entry may refuse. */
    void (*read)(void *context, const struct frs_values *values);
    bool (*is_the_runs)(void *context, const char *key); /* and never read by the entry; NULL: none is */
    const char *file;                                    /* text of a file for the key `file`; NULL: none */
    void *context;
};

/* Checks that the entry reads every key under some setting of the others: by default, under each choice of
 * another key, with switches on, or with a file. */
void frs_check_keys(
    struct frs_check *check, const struct frs_plugin *plugin, const struct frs_key_reader *reader);

#endif
