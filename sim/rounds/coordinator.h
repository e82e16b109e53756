/* Coordinator: what the server decides about its clients (cohorts, budgets), and the observations on which
 * it decides (docs/server-decisions.md, "What the server decides"). It is told what happened. It never sees a
 * client's true links, speed or data, except the number of its training items, which every client reports. */
#ifndef FRS_ROUNDS_COORDINATOR_H
#define FRS_ROUNDS_COORDINATOR_H

#include "actors/accounts.h"
#include "actors/participation.h"
#include "actors/selection.h"
#include "sim/rounds/assigned_budgets.h"
#include "sim/setup/setup.h"

struct frs_coordinator;

struct frs_coordinator *frs_coordinator_create(const struct frs_setup *setup);
void frs_coordinator_destroy(struct frs_coordinator *coordinator);

/* The groups that a method has sorted its clients into, for selections that use them: [n_clients], copied. */
void frs_coordinator_set_groups(
    struct frs_coordinator *coordinator, const uint32_t *groups, uint32_t n_groups);

/* Fills `clients` with a cohort of at most n, ascending, and returns their number. `eligible` may be NULL.
 * Round and attempt are counted from 0, and no two calls share both. */
uint32_t frs_coordinator_select(struct frs_coordinator *coordinator, uint32_t round, uint32_t attempt,
    uint32_t n, bool (*eligible)(void *context, uint32_t client), void *context, uint32_t *clients);

/* Returns the cohort that it would select, without noting it as selected. */
uint32_t frs_coordinator_would_select(const struct frs_coordinator *coordinator, uint32_t round,
    uint32_t attempt, uint32_t n, bool (*eligible)(void *context, uint32_t client), void *context,
    uint32_t *clients);

/* For a cohort that is known already: sorts the n clients, and notes that they are selected. */
void frs_coordinator_note_asked(
    struct frs_coordinator *coordinator, uint32_t round, uint32_t n, uint32_t *clients);

/* Assigns a budget to each of these participations, which begin now. */
void frs_coordinator_grant(struct frs_coordinator *coordinator, uint32_t round, uint32_t attempt,
    struct frs_participation *const *list, size_t n, double now_s);

/* What clients have spent of their caps; NULL: there are none. */
struct frs_accounts *frs_coordinator_accounts(const struct frs_coordinator *coordinator);

/* Clients that caps kept from being selected in some period. */
uint32_t frs_coordinator_held_back(const struct frs_coordinator *coordinator);

/* Called when a round closes: from now on the server uses what it has learned from participations that
 * were settled since the last one closed. Or it restarts and has forgotten that. */
void frs_coordinator_observe(struct frs_coordinator *coordinator);
void frs_coordinator_forget(struct frs_coordinator *coordinator);

/* The group of a client at the last selection, counted from 0; NaN where the selection knows none. */
double frs_coordinator_group(const struct frs_coordinator *coordinator, uint32_t client);

/* What became of the budgets; NULL when the method knows none. */
const struct frs_assigned_budgets *frs_coordinator_grants(const struct frs_coordinator *coordinator);

/* What became of a participation is final, and the server has learned of it. */
void frs_coordinator_settle(
    struct frs_coordinator *coordinator, const struct frs_participation *participation);

#endif
