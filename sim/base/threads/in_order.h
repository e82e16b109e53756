/* In order: several threads make things in any order, and the things are taken one at a time in the order
 * of their numbers. Whichever thread makes the next one takes it. A thing waits only for those before it,
 * and for no thread in particular. */
#ifndef FRS_BASE_IN_ORDER_H
#define FRS_BASE_IN_ORDER_H

#include <stdbool.h>
#include <stddef.h>

struct frs_in_order;

struct frs_in_order *frs_in_order_create(void);
void frs_in_order_destroy(struct frs_in_order *in_order);

/* Announces things 0 … n − 1. take(context, i) will be called for each of them, after it was called for
 * all before i. */
void frs_in_order_begin(
    struct frs_in_order *in_order, void (*take)(void *context, size_t i), void *context, size_t n);

/* Reports, once, that thing i has been made. Thing i and those behind it that have been made are taken
 * before this function returns, or by the thread that is taking one of them now. It blocks while too many
 * things wait to be taken. So the things before i must have been made, or other threads must be making
 * them. */
void frs_in_order_made(struct frs_in_order *in_order, size_t i);

/* Whether thing i, which is being made, is the next one and no other thread is taking one now. If so, the
 * caller takes the thing itself, and soon reports it as made. */
bool frs_in_order_claim(struct frs_in_order *in_order, size_t i);

/* Returns when thing i has been taken. Those up to i are there, or other threads are making them. */
void frs_in_order_wait(struct frs_in_order *in_order, size_t i);

#endif
