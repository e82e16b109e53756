/* Status: what a function that can fail returns. This header hardly ever changes, and most headers need
 * only it instead of errors.h. */
#ifndef FRS_BASE_STATUS_H
#define FRS_BASE_STATUS_H

struct frs_errors; /* errors.h */

#define FRS_MUST_CHECK __attribute__((warn_unused_result))

/* The values of INPUT, RUN and INTERRUPTED decide the exit code of the program (see frs_exit_code). */
enum frs_status {
    FRS_OK = 0,
    FRS_ERR_INPUT,   /* scenario, command line or data file is wrong: exit 2 */
    FRS_ERR_RUN,     /* the run itself failed (I/O, divergence, no reachable client): exit 1 */
    FRS_INTERRUPTED, /* stopped by the user after a complete round: exit 130 */
};

#endif
