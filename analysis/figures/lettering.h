/* Lettering: texts of figures as scripts have them. */
#ifndef FRS_ANALYSIS_FIGURES_LETTERING_H
#define FRS_ANALYSIS_FIGURES_LETTERING_H

#include <stdbool.h>
#include <stddef.h>

/* Breaks the text into lines of at most `most` letters, at spaces or, in a longer word, inside it. Freed
 * with free(). */
char *frs_lettering_lines(const char *text, size_t most);

/* How many lines that makes. */
size_t frs_lettering_count(const char *text, size_t most);

size_t frs_lettering_letters(const char *text);

/* The text as LaTeX sets it: commands are escaped, and mathematical signs are in math mode. Freed with
 * free(). */
char *frs_lettering_latex(const char *text);

/* The text with each `sign` replaced. Freed with free(). */
char *frs_lettering_replaced(const char *text, const char *sign, const char *with);

/* The text as part of a file's name: letters, digits, "@" and "-". Freed with free(). */
char *frs_lettering_file(const char *text);

#endif
