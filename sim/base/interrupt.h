/* Interrupts: what a run does about signals. */
#ifndef FRS_BASE_INTERRUPT_H
#define FRS_BASE_INTERRUPT_H

#include <signal.h>

/* From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored: nohup) set a flag and say so; another one
 * ends the program at once, if it comes a second later or more: `timeout` and batch systems send two for one.
 * Broken pipes and files that grow too large are errors of writing instead of the end. Returns the flag. */
const volatile sig_atomic_t *frs_interrupt_catch(void);

#endif
