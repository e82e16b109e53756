/* Variations: which settings what-ifs change, and to what. */
#ifndef FRS_WHAT_IF_VARIATIONS_H
#define FRS_WHAT_IF_VARIATIONS_H

#include "sim/base/settings/setting.h"
#include "sim/setup/setup.h"

enum {
    FRS_WHAT_IF_UPLINK,
    FRS_WHAT_IF_DOWNLINK,
    FRS_WHAT_IF_LATENCY,
    FRS_WHAT_IF_DEVICES,
    FRS_WHAT_IF_DETECTION,
    FRS_WHAT_IF_CONTACT,
    FRS_WHAT_IF_KEPT,
    FRS_WHAT_IF_OVER_SELECTION,
    FRS_VARIATIONS,
    /* With edges nothing connects and no round selects more clients than it waits for: instead */
    FRS_WHAT_IF_BACKHAUL = FRS_WHAT_IF_KEPT,
    FRS_WHAT_IF_BACKHAUL_LATENCY = FRS_WHAT_IF_OVER_SELECTION,
};

#define FRS_VARIATION_SETTINGS 2

struct frs_variation {
    const char *label;                                                  /* "uplink × 2" */
    const char *of;                                                     /* what it makes better: "uplink" */
    size_t n;                                                           /* settings; 0: it does not apply */
    char *keys[FRS_VARIATION_SETTINGS], *texts[FRS_VARIATION_SETTINGS]; /* as --set takes them */
    const char *why_not;                                                /* it does not apply; else NULL */
    bool selects_others; /* other clients are selected whatever the times are */
    bool is_remedy; /* it takes a cost away or adds one, and halves nothing: no bottleneck is found by it */
};

struct frs_variation frs_variation_of(const struct frs_setup *setup, size_t which);
void frs_variation_fini(struct frs_variation *variation);

#endif
