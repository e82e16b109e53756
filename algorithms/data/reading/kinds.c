#include "algorithms/data/reading/kinds.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* "review/userId: A1B2", as in reviews of SNAP (BeerAdvocate, Fine Foods). */
static bool is_block_line(struct frs_field line) {
    const char *colon = memmem(line.text, line.n, ": ", 2);
    if (!colon || !memchr(line.text, '/', (size_t)(colon - line.text)))
        return false;
    for (const char *at = line.text; at < colon; at++)
        if (*at == ',' || *at == '\t' || *at == ' ' || *at == ';' || *at == '|')
            return false;
    return true;
}

/* "1 TAB U13740 TAB 11/11/2019 9:05:58 AM TAB N55189 … TAB N55689-1 …" */
static bool is_impression(struct frs_field line) {
    struct frs_separator tab = frs_separator_of("tab");
    struct frs_fields *fields = frs_alloc(1, sizeof *fields);
    bool split = frs_fields_split(fields, &tab, line) && fields->n == 5 && fields->at[1].n > 1 &&
                 *fields->at[1].text == 'U' && fields->at[4].n > 3 && *fields->at[4].text == 'N';
    struct frs_field last = split ? fields->at[4] : (struct frs_field){NULL, 0};
    split = split && last.text[last.n - 2] == '-' &&
            (last.text[last.n - 1] == '0' || last.text[last.n - 1] == '1');
    free(fields);
    return split;
}

bool frs_check_kind(struct frs_row_builder *builder, struct frs_field line) {
    while (line.n > 0 && (*line.text == ' ' || *line.text == '\t'))
        line = (struct frs_field){line.text + 1, line.n - 1};
    if (frs_field_is_python(line))
        return frs_row_fail(builder, "%s", FRS_PYTHON);
    if (line.n >= 2 && *line.text == '{' && memchr(line.text, ':', line.n))
        return frs_row_fail(builder,
            "this is JSON, one object a line, and no table of fields; data.format = \"json\" reads it");
    if (line.n >= 1 && *line.text == '[' && (line.n == 1 || line.text[1] == '{'))
        return frs_row_fail(builder,
            "this is one JSON array and no table of fields; write one object a line and set data.format = "
            "\"json\"");
    if (is_block_line(line))
        return frs_row_fail(builder, "this is a text of blocks, one \"name: value\" a line, and no table of "
                                     "fields; write one interaction a line");
    if (is_impression(line))
        return frs_row_fail(builder, "this is a log of impressions (MIND), whose lines have lists of items; "
                                     "write one click a line: user, item and time");
    if (line.n >= 2 && *line.text == '<' && (line.text[1] == '!' || line.text[1] == 'h'))
        return frs_row_fail(builder, "this is a page of HTML, perhaps an error of a download");
    return true;
}
