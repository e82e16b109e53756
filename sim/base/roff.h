/* Roff: text as the source of manual pages, man(7). Lines stay below 80 bytes where words allow it, and
 * everything that means something to roff is escaped. */
#ifndef FRS_BASE_ROFF_H
#define FRS_BASE_ROFF_H

#include <stdio.h>

/* The first line of a page: its name in capitals, the section, the day, and the version. The day is that
 * of SOURCE_DATE_EPOCH (seconds since 1970, UTC) if this variable is set, so that one source makes one
 * page; otherwise the day is today. */
void frs_roff_title(FILE *out, const char *name, int section);

void frs_roff_heading(FILE *out, const char *heading);
void frs_roff_subheading(FILE *out, const char *heading);

/* A paragraph for each line of `text`. */
void frs_roff_paragraphs(FILE *out, const char *text);

/* An entry of a list: what is explained in bold, then its explanation. */
void frs_roff_entry(FILE *out, const char *tag, const char *text);

/* Lines as they stand, for what is typed. */
void frs_roff_example(FILE *out, const char *text);

#endif
