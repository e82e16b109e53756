/* Program: what this program does, as a digest. */
#ifndef FRS_RUN_REPLAY_PROGRAM_H
#define FRS_RUN_REPLAY_PROGRAM_H

#include "sim/base/files/digest.h"

/* The section of the executable in which its commit stands. */
#define FRS_COMMIT_SECTION ".frs_commit"

/* Of code and constants of the running executable: all that is loaded, but neither the commit nor the linker's
 * note of the build. So a commit that changes no code changes no digest, nor do symbols for debugging. Found once; a
 * process that is forked later knows it. For one thread. */
struct frs_digest frs_program_digest(void);

#endif
