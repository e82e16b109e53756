/* Terminal: what the device behind a stream can show. */
#ifndef FRS_BASE_TERMINAL_H
#define FRS_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether a line can be drawn anew in its place: on a terminal that TERM does not call dumb. */
bool frs_terminal_redraws(FILE *out);

/* Returns the width: COLUMNS if set, else what the terminal says now (windows change their size), else 80. */
size_t frs_terminal_columns(FILE *out);

/* Whether it is a terminal on which lines of so many columns would be broken. */
bool frs_terminal_is_narrow(FILE *out, size_t columns);

/* From now on every character outside ASCII is replaced on its way to stdout ("≥ 1" becomes ">=1", as wide
 * as before), if stdout is a terminal whose locale is not UTF-8. Files and pipes stay UTF-8. */
void frs_terminal_begin(void);

/* Turns `text` of *n bytes into ASCII, in place. A character that was cut off at the end is left for the
 * next call, and *rest receives its bytes. */
void frs_terminal_ascii(char *text, size_t *n, size_t *rest);

/* Formats the time that is left, without digits that no estimate supports: "4 s", "35 s", "12 min", "3 h".
 * Returns `text`. */
char *frs_terminal_time_left(double seconds, char *text, size_t size);

#endif
