/* Page: a Markdown text whose tables come from a sweep.
 *
 * Where the tables go, the page has two lines of their own:
 *     <!-- tables of NAME -->
 *     <!-- end of tables -->
 * NAME is the study's, so that a page can hold the tables of several. The text between the lines is
 * replaced. */
#ifndef FRS_ANALYSIS_TABLES_PAGE_H
#define FRS_ANALYSIS_TABLES_PAGE_H

#include "sim/base/status.h"

/* Puts `tables` between the lines of study `name`. Each line has to occur exactly once, in this order;
 * otherwise adds an error and leaves the page as it is. */
enum frs_status frs_page_update(
    const char *path, const char *name, const char *tables, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the page could be updated: for those who want to know before the runs are made. */
enum frs_status frs_page_check(const char *path, const char *name, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
