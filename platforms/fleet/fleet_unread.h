/* Unread columns: what a table of clients has for the other section alone, which does not read the table. */
#ifndef FRS_PLATFORMS_FLEET_FLEET_UNREAD_H
#define FRS_PLATFORMS_FLEET_FLEET_UNREAD_H

#include "platforms/fleet/fleet.h"

/* "speeds, times per sample": figures of the file beside the `wanted` ones of its section (bits, as of
 * frs_fleet_read). NULL: there are none, or `other`, the table of the other section, is of the same file.
 * `other` is NULL where that section has no table. Freed by the caller. */
char *frs_fleet_unread(const struct frs_fleet *fleet, unsigned wanted, const struct frs_fleet *other);

#endif
