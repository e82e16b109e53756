#include "sim/setup/notes/schedule_note.h"

#include <math.h>

/* Clients with more data take longer: to compute, or to send an upload whose size follows from them. */
static bool times_follow_data(const struct frs_setup *setup) {
    enum frs_compute compute = setup->devices.compute;
    return (compute != FRS_COMPUTE_NONE && compute != FRS_COMPUTE_FIXED) ||
           !setup->training.uplink_codec.codec->fixed_size;
}

const char *frs_schedule_follows_data(const struct frs_setup *setup) {
    if (setup->selection->uses_samples)
        return "the selection goes by how much data clients have";
    if (!times_follow_data(setup))
        return NULL;
    if (setup->selection->uses_times)
        return "the selection goes by how long clients took, and clients with more data take longer";
    if (setup->policy->leaves_stragglers || setup->policy->asynchronous)
        return "the policy goes by who is first, and clients with more data take longer";
    if (isfinite(frs_privacy_masks(&setup->training.mechanisms).patience_s) &&
        frs_privacy_masks(&setup->training.mechanisms).range > 0)
        return "exchanges of masks leave out who is slow, and clients with more data take longer";
    if (frs_failures_have_rates(&setup->failures))
        return "clients with more data take longer, and fail more often";
    if (!frs_reachability_is_trivial(&setup->reachability))
        return "clients with more data make rounds longer, and who can be reached changes with time";
    return NULL;
}
