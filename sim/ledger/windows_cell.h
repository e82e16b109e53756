/* Windows cell: the windows in which a message crossed because a queue overflowed, in one cell of a table. */
#ifndef FRS_LEDGER_WINDOWS_CELL_H
#define FRS_LEDGER_WINDOWS_CELL_H

#include "actors/windows.h"

#include <stdio.h>

/* Writes a comma, and then a pair for each window, "bytes:seconds": its bytes, and how long after its start
 * the next one begins at the earliest. Pairs are separated by spaces; no window leaves the cell empty. */
void frs_put_windows_cell(FILE *out, const struct frs_windows *windows);

#endif
