/* Program: what this program does, as a digest. */
#ifndef FRS_BASE_PROGRAM_H
#define FRS_BASE_PROGRAM_H

#include "sim/base/files/digest.h"

/* The section of the executable in which its commit stands. */
#define FRS_COMMIT_SECTION ".frs_commit"

/* Returns the digest of the code and constants of the running executable: all that is loaded, but neither
 * the commit nor the linker's note of the build. So the digest stays the same after a commit that changes no
 * code, and with symbols for debugging. The first call, which the main thread makes, reads the executable;
 * processes forked afterwards know the digest. */
const struct frs_digest *frs_program_digest(void);

#endif
