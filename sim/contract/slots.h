/* Required slots: what an entry of a registry cannot do without. A loader of plug-ins refuses an entry that
 * lacks one, and the checks of sim/selftest begin with it. */
#ifndef FRS_CONTRACT_SLOTS_H
#define FRS_CONTRACT_SLOTS_H

#include "sim/base/settings/plugin.h"

#include <stdbool.h>

struct frs_missing_slot {
    const char *slot;   /* "decode" */
    const char *when;   /* under which condition it is required: "where it has keys"; NULL: always */
    const char *header; /* that states it: "algorithms/codec.h" */
};

/* Whether the entry lacks a slot that entries of this kind need. If so, fills in `missing` with the first
 * one, in the order of the structure. `kind` is one of `fedrecsim list` (codec, learner and so on); for
 * any other kind only name and summary are required. */
bool frs_misses_slot(const char *kind, const struct frs_plugin *plugin, struct frs_missing_slot *missing);

/* "lacks the slot create, which is required where it has keys (algorithms/codec.h)"; freed by the caller. */
char *frs_missing_slot_text(const struct frs_missing_slot *missing);

#endif
