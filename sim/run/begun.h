/* Begun: what there is to know of a run that begins, for those who follow it by its files. */
#ifndef FRS_RUN_BEGUN_H
#define FRS_RUN_BEGUN_H

#include <stdbool.h>
#include <stddef.h>

struct frs_setup;

struct frs_run_begun {
    const char *growing; /* where its files grow */
    const char *place;   /* where they will be */
    const char *method;
    size_t n_rounds; /* at most, where it */
    bool may_end_early;
};

/* Borrows from the setup and from `growing`. */
struct frs_run_begun frs_run_begun(const struct frs_setup *setup, const char *growing);

#endif
