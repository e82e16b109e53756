/* Kinds: files that are no table of fields, told by their first line. */
#ifndef FRS_ALGORITHMS_DATA_READING_KINDS_H
#define FRS_ALGORITHMS_DATA_READING_KINDS_H

#include "algorithms/data/reading/row_builder.h"

/* False after an error that says what a file is that begins as another format does: JSON, Python, blocks, a
 * log of impressions, HTML. Called before the fields of the line are counted. */
bool frs_check_kind(struct frs_row_builder *builder, struct frs_field line);

#endif
