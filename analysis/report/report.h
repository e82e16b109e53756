/* Report: one self-contained HTML page about a run, or about runs and sweeps side by side, from their
 * files alone.
 *
 * The page loads nothing over the network. Everything that it shows is in one JSON object inside it,
 * "data"; a browser draws it (page.html, page.css, *.js, and a chart library that was found when the
 * program was built). Equal results give the same page byte by byte: it contains neither the machine, nor
 * the time, nor the paths of folders. */
#ifndef FRS_ANALYSIS_REPORT_REPORT_H
#define FRS_ANALYSIS_REPORT_REPORT_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define FRS_REPORT_FILE "report.html"

struct frs_report_options {
    const char *out;    /* the page; NULL: FRS_REPORT_FILE in the only folder, or here if there are several */
    const char *rounds; /* of a run, "10-12,40": timelines beside those that are always there; NULL: none */
    const char *target; /* of a comparison: "hr@10=0.5"; NULL: that of the plan or of the first run */
    bool replace;       /* whatever stands at that place is of this program */
};

/* Writes the page of one run directory, or of several entries as frs_entries_read takes them. *written,
 * which may be NULL, receives its name and is freed by the caller. It is an input error if a folder is
 * incomplete, or if a file that is no page stands in the place of the page; nothing is written then. */
enum frs_status frs_report_write(const char *const *folders, size_t n,
    const struct frs_report_options *options, char **written, struct frs_errors *errors) FRS_MUST_CHECK;

/* Makes the page of a sweep anew if its folder has one, so that it agrees with tables that were just made
 * for `target` (NULL: the plan's). `wanted`: also if it has none. If the page cannot be made, the old one
 * stays, and a line on stderr says so. */
void frs_report_renew(const char *folder, const char *target, bool wanted);

/* frs_report_write of a run directory that is not in place yet. */
enum frs_status frs_report_write_run(const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether pages have charts: the library was there when the program was built. */
bool frs_report_has_charts(void);

#endif
