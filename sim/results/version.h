/* Versions of the libraries a result depends on. After frs_simgrid_load. */
#ifndef FRS_RESULTS_VERSION_H
#define FRS_RESULTS_VERSION_H

void frs_version_each(void (*each)(void *context, const char *library, const char *version), void *context);

#endif
