/* Accounts: what each client has spent in the present period, and what it is expected to spend in its next
 * participation, where there are caps (actors/caps.h; docs/caps.md, "Caps").
 *
 * The server counts a participation when it learns of its end, for the period in which the client was
 * selected; it cannot select the client before. So a client exceeds its cap at most by the amount by which
 * its last participation of the period took more than expected. */
#ifndef FRS_ACTORS_ACCOUNTS_H
#define FRS_ACTORS_ACCOUNTS_H

#include "actors/caps.h"
#include "actors/participation.h"

/* What a participation takes. */
struct frs_spending {
    double down_bytes, up_bytes; /* connecting is in the first; what was sent again is where it was */
    double energy_j;
    double metered_bytes; /* of all bytes those over a metered link */
};

struct frs_accounts;

/* first: what is expected until a participation of any client has run to its end. NULL: there are no caps.
 * `caps` is borrowed. */
struct frs_accounts *frs_accounts_create(
    const struct frs_caps *caps, const struct frs_spending *first, uint32_t n_clients);
void frs_accounts_destroy(struct frs_accounts *accounts);

/* Where uploads can be made smaller, the next one is expected to have this many bytes (under the smallest
 * budget, as predicted) instead of the mean of earlier uploads. */
void frs_accounts_expect_uploads(struct frs_accounts *accounts, double least_up_bytes);

/* Counts a participation that is over as far as the server knows, or that finally took more than was
 * counted; `counted` is what was counted of it before. whole: it ran to its end, and so shows what to
 * expect of the next one. */
void frs_accounts_count(struct frs_accounts *accounts, const struct frs_participation *participation,
    const struct frs_spending *spent, const struct frs_spending *counted, bool whole);

/* Records that a client was selected, and the predicted bytes of its upload. metered: over a metered link,
 * as far as is known now. */
void frs_accounts_selected(
    struct frs_accounts *accounts, uint32_t client, double predicted_up_bytes, bool metered, double now_s);

/* Returns the first time ≥ now_s at which the client's next participation fits into its cap, as far as is
 * known; INFINITY: it does not fit into a whole period. `accounts` may be NULL. */
double frs_accounts_until_s(const struct frs_accounts *accounts, uint32_t client, double now_s);

/* The same of a participation whose bytes all cross a metered link, as far as their cap goes. */
double frs_accounts_metered_until_s(const struct frs_accounts *accounts, uint32_t client, double now_s);

/* When the period of now_s ends. */
double frs_accounts_period_end_s(const struct frs_accounts *accounts, double now_s);

/* Returns how large the upload of a client that is about to be selected may be, so that it stays within
 * its cap of bytes until the end of the period if it goes on to take part at its rate. The size is in
 * bytes as predictions count them; the effect of codecs is observed. The rate of a client that has seldom
 * taken part is drawn towards that of all clients. INFINITY: there is no cap. */
double frs_accounts_up_bytes(const struct frs_accounts *accounts, uint32_t client, double now_s);

/* Clients that have spent too much in the period of this time to be selected in it once more. */
uint32_t frs_accounts_held_back(const struct frs_accounts *accounts, double now_s);

struct frs_accounts_report {
    uint32_t clients_held_back; /* that were not to be selected in some period, or for good */
    /* The largest amount by which a participation took more than expected; no client exceeds its cap by
     * more. */
    double most_error_bytes, most_error_j, most_error_metered_bytes;
};

struct frs_accounts_report frs_accounts_report(const struct frs_accounts *accounts);

#endif
