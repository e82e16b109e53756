/* Parse: the text of a data file into rows. */
#ifndef FRS_ALGORITHMS_DATA_PARSE_H
#define FRS_ALGORITHMS_DATA_PARSE_H

#include "algorithms/data/formats.h"
#include "algorithms/data/interactions.h"

/* Parses `text`, the n bytes of `path`. Lines end in LF or CR LF, the last one may lack its end; blank lines
 * and a byte order mark at the start are skipped. A malformed line is an input error that names file:line,
 * what was found and what is expected; after the fifth the parser stops. On failure *rows is empty. */
enum frs_status frs_parse_rows(const struct frs_format *format, const char *path, const char *text, size_t n,
    struct frs_rows *rows, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
