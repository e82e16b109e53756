/* Versions of the libraries a result depends on. After frs_simgrid_load. */
#ifndef FRS_RESULTS_REPORT_LIBRARY_VERSIONS_H
#define FRS_RESULTS_REPORT_LIBRARY_VERSIONS_H

void frs_version_each(void (*each)(void *context, const char *library, const char *version), void *context);

#endif
