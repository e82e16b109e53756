/* Reference: the pages of docs/reference as files of a folder. */
#ifndef FRS_CLI_REFERENCE_H
#define FRS_CLI_REFERENCE_H

#include "sim/base/status.h"

/* Writes all pages into `folder`, which it creates if necessary, and removes pages of a former version. A
 * folder that holds anything but such pages is refused before any file is touched. */
enum frs_status frs_reference_write(const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
