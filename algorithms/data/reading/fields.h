/* Fields: the parts of a line. */
#ifndef FRS_ALGORITHMS_DATA_READING_FIELDS_H
#define FRS_ALGORITHMS_DATA_READING_FIELDS_H

#include "sim/base/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a text, which does not end in a zero. text == NULL: there is none. */
struct frs_field {
    const char *text;
    size_t n;
};

/* What separates fields: a text, or runs of blanks. */
struct frs_separator {
    const char *text; /* one or more characters; not read where blanks separate */
    size_t n;
    bool blanks;
    bool plain_quotes; /* double quotes are characters as any other */
};

/* "," and so on; "tab" and "blanks" are names. */
struct frs_separator frs_separator_of(const char *text);
const char *frs_separator_name(const struct frs_separator *separator);

/* For people: "comma", "tab", "::". */
const char *frs_separator_words(const struct frs_separator *separator);

#define FRS_FIELDS_MOST FRS_LIMIT_CELLS /* whose text is kept; further ones are counted */

struct frs_fields {
    struct frs_field at[FRS_FIELDS_MOST];
    size_t n; /* of the line */
};

/* Splits a line. Blanks around a field do not count, and a field in double quotes may hold separators; its
 * doubled quotes stay as they are. Where more than a separator follows the closing quote, as in
 * "weird al" yankovic, the quotes are part of the field, which ends at the next separator. Returns false if
 * a quote is never closed. */
bool frs_fields_split(
    struct frs_fields *fields, const struct frs_separator *separator, struct frs_field line);

/* Takes the next run of characters that are neither spaces nor tabs off the line, as far as that has one;
 * false at its end. */
bool frs_field_next_word(struct frs_field *line, struct frs_field *word);

bool frs_field_is_blank(struct frs_field field);
/* Whether a line is an object as Python prints it, {'user': 'a'} or {u'user': u'a'}, and what to do then. */
bool frs_field_is_python(struct frs_field line);
#define FRS_PYTHON                                                                                           \
    "this is Python, not JSON: python3 -c \"import ast,json,sys; [print(json.dumps(ast.literal_eval(l))) "   \
    "for l "                                                                                                 \
    "in sys.stdin]\" <FILE >FILE.json writes JSON lines"

bool frs_field_is(struct frs_field field, const char *text);

/* A finite decimal number that fills the field. Hexadecimal numbers, "nan" and "inf" are none. */
bool frs_field_number(struct frs_field field, double *number);

/* The same, also with a decimal comma. */
bool frs_field_decimal(struct frs_field field, double *number);

/* For a message: at most 40 bytes of whole characters, unprintable ones as '?'. Returns `text`. */
const char *frs_field_show(struct frs_field field, char text[48]);

#endif
