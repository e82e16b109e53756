/* Lexer: the tokens of libconfig 1.5, with places, across @include. */
#ifndef FRS_SCENARIO_LEXER_H
#define FRS_SCENARIO_LEXER_H

#include "sim/base/limits.h"
#include "sim/base/status.h"
#include "sim/scenario/splice.h"

#include <stdbool.h>
#include <stddef.h>

/* Punctuation and characters without meaning are tokens of their own code, that of the first byte. */
enum { FRS_TOKEN_END = 256, FRS_TOKEN_NAME, FRS_TOKEN_TEXT, FRS_TOKEN_NUMBER };

struct frs_token {
    int type;
    char *text; /* of names, texts, numbers and characters outside of ASCII */
    char *file;
    size_t line;
    size_t end; /* of a name: where it ends in the splice */
};

struct frs_source {
    char *bytes, *path;
    size_t n, at, line;
    size_t spliced, spliced_line; /* what is in the splice already, and its next line */
};

struct frs_lexer {
    struct frs_source sources[FRS_LIMIT_INCLUDE_DEPTH + 1];
    size_t depth; /* sources in use */
    size_t line;  /* of the last token */
    const char *include_dir;
    size_t n_included, n_bytes; /* so far: files that include others twice double at every level */
    bool includes_nothing;      /* any more */
    struct frs_errors *errors;  /* about @include */
    struct frs_splice *splice;  /* everything that was read, in its order */
    size_t long_text_line;      /* where the first text over several lines began, or 0 */
    char *long_text_file;
    bool has_open_text;  /* it goes on to the end of its file */
    size_t comment_line; /* where a comment without end began, or 0 */
    char *comment_file;
};

/* `path` names the text in messages. Everything that is read goes into `splice`, the last part with
 * frs_lexer_flush. */
void frs_lexer_init(struct frs_lexer *lexer, const char *path, const char *text, const char *include_dir,
    struct frs_splice *splice, struct frs_errors *errors);
void frs_lexer_flush(struct frs_lexer *lexer);
void frs_lexer_fini(struct frs_lexer *lexer);

struct frs_token frs_lexer_next(struct frs_lexer *lexer);
void frs_token_fini(struct frs_token *token);

/* Whether "=" or ":" comes next; reads nothing. */
bool frs_lexer_assigns(const struct frs_lexer *lexer);

/* libconfig takes true and false in any case. */
bool frs_token_is_bool(const struct frs_token *token);

/* For messages; valid until the next call. */
const char *frs_token_name(const struct frs_token *token);

#endif
