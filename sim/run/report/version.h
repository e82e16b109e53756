/* Versions of the libraries a result depends on. */
#ifndef FRS_RUN_REPORT_VERSION_H
#define FRS_RUN_REPORT_VERSION_H

void frs_version_each(void (*each)(void *context, const char *library, const char *version), void *context);

#endif
