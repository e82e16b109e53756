/* Exchange stages: usage and duration of the exchanges of pairwise masks when no client drops out, by
 * formula instead of simulation (docs/closed-form.md; bytes: algorithms/privacy/masks/mask_traffic.h). */
#ifndef FRS_CLOSED_FORM_EXCHANGE_STAGES_H
#define FRS_CLOSED_FORM_EXCHANGE_STAGES_H

#include "sim/closed_form/closed_form_time.h"

#define FRS_EXCHANGE_STAGES 3u

/* An exchange in which the whole cohort, or all survivors, take part, each with the same messages and the
 * same work. */
struct frs_exchange_stage {
    const char *name;
    struct frs_usage usage; /* down_bytes, up_bytes and flop */
    bool connects;          /* the round's connection is made for it; no client is sent anything before */
    bool of_survivors;      /* only those take part whose uploads count */
};

/* In the order of a round. Returns how many there are; 0: uploads are not masked. */
size_t frs_exchange_stages(
    const struct frs_setup *setup, struct frs_exchange_stage stages[FRS_EXCHANGE_STAGES]);

/* What a participation in one takes a client; `round`: as frs_closed_form_time has it. */
struct frs_closed_form_time frs_exchange_course(
    const struct frs_setup *setup, const struct frs_exchange_stage *stage, uint32_t client, uint32_t round);

/* What a participation takes whose connection is there already, because of the exchanges before it. */
void frs_exchange_connected(struct frs_closed_form_time *time);

/* The duration of a participation with all its exchanges, without jitter. The exchanges count as set-up,
 * connecting included. */
struct frs_closed_form_time frs_exchange_participation(
    const struct frs_setup *setup, uint32_t client, const struct frs_usage *usage);

/* A participation's own download, upload and training become those under masks. */
void frs_exchange_masked(const struct frs_setup *setup, struct frs_usage *usage);

/* Bytes that a client is sent on top of the download. */
double frs_exchange_down_bytes(const struct frs_setup *setup);

/* The number of clients with which each one masks in a cohort of n. */
size_t frs_exchange_degree(const struct frs_masks *masks, size_t n);

#endif
