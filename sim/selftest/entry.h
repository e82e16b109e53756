/* What every kind of entry is held to, and the settings that entries are tried with. */
#ifndef FRS_SELFTEST_ENTRY_H
#define FRS_SELFTEST_ENTRY_H

#include "sim/base/settings/params.h"
#include "sim/selftest/check.h"
#include "sim/selftest/selftest.h"

/* Name, summary, source and keys of an entry. */
void frs_check_plugin(
    struct frs_check *check, const struct frs_selftest_kind *kind, const struct frs_plugin *plugin);

/* Values of the entry's keys: defaults, then `settings` (pairs ended by NULL, or NULL), then those of the
 * user. A key that has no default gets a small number; where it wants a text, the check ends: it is
 * impossible without a setting of the user. */
struct frs_values frs_trial_values(
    struct frs_check *check, const struct frs_plugin *plugin, const char *const *settings);

/* Whether the entry has this key; and whether `value` is allowed for it, as far as a number or a choice
 * tells. */
bool frs_has_key(const struct frs_plugin *plugin, const char *key);

/* Holds a `create` to reading every key of its entry, once it has returned. */
void frs_check_keys_read(struct frs_check *check, const char *where, const struct frs_values *values);

#endif
