/* Reference: the pages of docs/reference as files of a folder. */
#ifndef FRS_CLI_REFERENCE_H
#define FRS_CLI_REFERENCE_H

#include "sim/base/status.h"

/* Writes all pages into `folder`, which is made if it is not there, and removes pages of a former version. A
 * folder that holds anything else than such pages is refused before a file is touched. */
enum frs_status frs_reference_write(const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
