/* Control: what the server decides about its clients, and what it goes by: cohorts, budgets, and the
 * observations behind both (docs/simulation.md, "What the server decides"). It is told what
 * happened and never looks at a client's true links, speed or data, the number of its training items
 * excepted, which every client reports. */
#ifndef FRS_ROUNDS_COORDINATOR_H
#define FRS_ROUNDS_COORDINATOR_H

#include "actors/participation.h"
#include "actors/selection.h"
#include "sim/rounds/assigned_budgets.h"
#include "sim/setup/setup.h"

struct frs_control;

struct frs_control *frs_control_create(const struct frs_setup *setup);
void frs_control_destroy(struct frs_control *control);

/* The groups that a method has sorted its clients into, for selections that use them: [n_clients], copied. */
void frs_control_set_groups(struct frs_control *control, const uint32_t *groups, uint32_t n_groups);

/* Fills `clients` with a cohort of at most n, ascending; how many there are is returned. `eligible` may be
 * NULL. Round and attempt are counted from 0, and no two calls share both. */
uint32_t frs_control_select(struct frs_control *control, uint32_t round, uint32_t attempt, uint32_t n,
    bool (*eligible)(void *context, uint32_t client), void *context, uint32_t *clients);

/* Whom it would ask, without noting that they are asked. */
uint32_t frs_control_would_select(const struct frs_control *control, uint32_t round, uint32_t attempt,
    uint32_t n, bool (*eligible)(void *context, uint32_t client), void *context, uint32_t *clients);

/* For a cohort that is found already: sorts the n clients, and notes that they are asked. */
void frs_control_note_asked(struct frs_control *control, uint32_t round, uint32_t n, uint32_t *clients);

/* Grants each of these participations something. */
void frs_control_grant(struct frs_control *control, uint32_t round, uint32_t attempt,
    struct frs_participation *const *list, size_t n);

/* A round closes: from now on the server goes by what it has learned of participations that were settled since the last one closed.
 * Or it restarts, and has forgotten that. */
void frs_control_observe(struct frs_control *control);
void frs_control_forget(struct frs_control *control);

/* The group of a client at the last selection, counted from 0; NaN where the selection knows none. */
double frs_control_group(const struct frs_control *control, uint32_t client);

/* What became of the budgets; NULL when the method knows none. */
const struct frs_grants *frs_control_grants(const struct frs_control *control);

/* What became of a participation is final, and the server has learned of it. */
void frs_control_settle(struct frs_control *control, const struct frs_participation *participation);

#endif
