/* In order: things that several threads make in any order are taken in the order of their numbers, one at a
 * time, by whichever thread makes the one that is next. What is made waits for those before it alone, and for
 * no thread in particular. */
#ifndef FRS_BASE_IN_ORDER_H
#define FRS_BASE_IN_ORDER_H

#include <stdbool.h>
#include <stddef.h>

struct frs_in_order;

struct frs_in_order *frs_in_order_create(void);
void frs_in_order_destroy(struct frs_in_order *in_order);

/* Things 0 … n − 1 will be made; take(context, i) is called for each of them. All of those before have been
 * taken. */
void frs_in_order_begin(
    struct frs_in_order *in_order, void (*take)(void *context, size_t i), void *context, size_t n);

/* Thing i is there, once. It and those behind it that are there are taken before this returns, or by the
 * thread that is taking one of them; while too many wait to be taken this waits, too. So those before have to
 * be there, or being made by other threads. */
void frs_in_order_made(struct frs_in_order *in_order, size_t i);

/* Whether thing i, which is being made, is the next one and no other thread is taking any now. Then the
 * caller takes it itself before it reports it as made, which it does soon. */
bool frs_in_order_claim(struct frs_in_order *in_order, size_t i);

/* Returns when thing i has been taken. Those up to i are there, or other threads are making them. */
void frs_in_order_wait(struct frs_in_order *in_order, size_t i);

#endif
