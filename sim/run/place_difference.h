/* Place difference: how a run that is at the place of another one differs from it, for a refusal. */
#ifndef FRS_RUN_PLACE_DIFFERENCE_H
#define FRS_RUN_PLACE_DIFFERENCE_H

struct frs_setup;

/* "method.dim was 16 and is 8" of the first setting that decides results, or else file that was read, in
 * which the run at the place of this setup (its manifest.json) is another one; NULL: no difference is found.
 * Freed by the caller. */
char *frs_run_place_difference(const struct frs_setup *setup);

#endif
