/* The text of a setting as scenarios have it, and not in the base units in which files of results keep it. */
#ifndef FRS_ANALYSIS_PRINT_SETTING_TEXT_H
#define FRS_ANALYSIS_PRINT_SETTING_TEXT_H

/* "3 Mbit/s" of "375000 B/s", "40 ms" of "0.04 s": the same quantity to the last digit. Other texts stay
 * as they are. Freed with free(). */
char *frs_setting_text(const char *text);

#endif
