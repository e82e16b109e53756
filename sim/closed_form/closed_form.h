/* Closed form: the duration of a round by formula, without simulating it. Every client's participation is
 * a sum of terms (sim/closed_form/closed_form_time.h). The round lasts as long as the participation of the
 * client that it waits for, whose expected time follows from order statistics over the clients as they
 * were drawn (analysis/statistics/order_statistics.h), round by round where they have jitter. If the
 * server's link needs longer for the cohort, the round lasts as long as that. docs/closed-form.md says
 * what the formula leaves out. */
#ifndef FRS_CLOSED_FORM_CLOSED_FORM_H
#define FRS_CLOSED_FORM_CLOSED_FORM_H

#include "sim/closed_form/closed_form_time.h"

/* If there are more clients, this many of them are used, at even places. */
#define FRS_CLOSED_FORM_MOST 20000u

/* Where links or devices vary from round to round, the result is the mean over the first rounds. Their
 * number, within these bounds, is such that they have about FRS_CLOSED_FORM_DRAWS participations. */
#define FRS_CLOSED_FORM_DRAWS 40000u
#define FRS_CLOSED_FORM_ROUNDS_LEAST 4u
#define FRS_CLOSED_FORM_ROUNDS_MOST 400u

#define FRS_CLOSED_FORM_OMISSIONS 10u

/* The usage of a client's participation: its messages and operations. */
struct frs_usages {
    void (*of)(const void *context, uint32_t client, struct frs_usage *usage);
    const void *context;
};

struct frs_closed_form {
    const char *why_not;    /* why there is no estimate; NULL: the other members hold it */
    double participation_s; /* the mean over all clients */
    double slowest_s;       /* expected: of the cohort, the client the round waits for */
    double server_link_s;   /* that the server's link needs for the cohort; 0: it is unlimited */
    double round_s;
};

struct frs_closed_form frs_closed_form(const struct frs_setup *setup, const struct frs_usages *usages);

/* Why this scenario has none; NULL: it has. */
const char *frs_closed_form_why_not(const struct frs_setup *setup);

/* What happens in this scenario and is not in the formula. Returns how many. */
size_t frs_closed_form_leaves_out(
    const struct frs_setup *setup, const char *omissions[FRS_CLOSED_FORM_OMISSIONS]);

#endif
