/* Presets of section method: the papers' systems under their own settings. One file in algorithms/presets/
 * and one line in method_presets.def.
 *
 * A preset says what is trained, how it becomes bytes, and how many clients train for how many rounds. It
 * says nothing about network, devices or the evaluation: the protocol stays honest unless the user says
 * otherwise. */
#ifndef FRS_ALGORITHMS_PRESETS_PRESETS_H
#define FRS_ALGORITHMS_PRESETS_PRESETS_H

#include "sim/base/settings/plugin.h"

/* Ended by NULL. */
extern const struct frs_preset *const frs_method_presets[];

#endif
