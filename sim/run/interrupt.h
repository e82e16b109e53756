/* Interrupts: what a run does about signals. */
#ifndef FRS_RUN_INTERRUPT_H
#define FRS_RUN_INTERRUPT_H

#include <signal.h>

/* From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as under nohup) set a flag and print a
 * line. A second signal ends the program at once if it comes a second later or more: `timeout` and batch
 * systems send two signals for one interruption. Broken pipes and files that grow too large become errors
 * of writing instead of the end of the program. Returns the flag. */
const volatile sig_atomic_t *frs_interrupt_catch(void);

#endif
