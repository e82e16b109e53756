#include "actors/metered.h"

void frs_metered_note(struct frs_participation *p, uint64_t crossed_bytes) {
    struct frs_participation_result *result = &p->result;
    bool setup = result->phase >= FRS_PHASE_SETUP_UP && result->phase <= FRS_PHASE_SETUP_LAST,
         up = setup ? result->phase != FRS_PHASE_SETUP_DOWN : result->phase == FRS_PHASE_UP;
    if (crossed_bytes <= p->sending.noted_bytes)
        return;
    uint64_t bytes = p->on_metered ? crossed_bytes - p->sending.noted_bytes : 0;
    *(up ? &result->metered_up_bytes : &result->metered_down_bytes) += bytes;
    if (setup)
        *(up ? &result->metered_setup_up_bytes : &result->metered_setup_down_bytes) += bytes;
    p->sending.noted_bytes = crossed_bytes;
}
