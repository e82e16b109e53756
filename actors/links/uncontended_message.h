/* Uncontended message: a message that crosses an unshared link at a constant rate. The end of its latency
 * and of each of its parts follows from the one before. So the message has only one event, its end; its
 * state before that is computed on demand. Pure. */
#ifndef FRS_ACTORS_LINKS_UNCONTENDED_MESSAGE_H
#define FRS_ACTORS_LINKS_UNCONTENDED_MESSAGE_H

#include "actors/lifecycle.h"

struct frs_uncontended_message {
    double bytes_per_s;
    double start_s, end_s;
    double carried;               /* bytes, by its end: the rate, as long as something flows */
    struct frs_step first;        /* step of it */
    struct frs_progress progress; /* of its participation, as it stood at start_s */
};

/* Creates the message of a participation that starts *step at now_s: its latency, or a part of it.
 * Afterwards the participation is in its state at the end of the message: frs_lifecycle_next continues
 * from end_s, and *step is the last step. bytes_per_s is > 0; over a link without
 * limit (INFINITY) bytes take no time. */
struct frs_uncontended_message frs_uncontended_message_begin(
    struct frs_participation *participation, double now_s, struct frs_step *step, double bytes_per_s);

/* Puts the participation into its state at now_s, before the end. Returns the bytes that the running part
 * has received; *carried: those of all parts. */
double frs_uncontended_message_break(const struct frs_uncontended_message *message,
    struct frs_participation *participation, double now_s, double *carried);

#endif
