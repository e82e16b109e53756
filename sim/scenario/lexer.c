#include "sim/scenario/lexer.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

void frs_lexer_init(struct frs_lexer *lexer, const char *path, const char *text, const char *include_dir,
    struct frs_splice *splice, struct frs_errors *errors) {
    struct frs_source source = {
        .line = 1, .spliced_line = 1, .n = strlen(text), .bytes = frs_strdup(text), .path = frs_strdup(path)};
    *lexer = (struct frs_lexer){
        .include_dir = include_dir, .splice = splice, .errors = errors, .n_bytes = source.n};
    lexer->sources[lexer->depth++] = source;
}

/* Everything up to `end` that is not in the splice yet. */
static void splice_up_to(struct frs_lexer *lexer, size_t end) {
    struct frs_source *source = &lexer->sources[lexer->depth - 1];
    if (end > source->spliced)
        frs_splice_add(lexer->splice, source->path, source->spliced_line, source->bytes + source->spliced,
            end - source->spliced);
    source->spliced = end;
}

void frs_lexer_flush(struct frs_lexer *lexer) {
    splice_up_to(lexer, lexer->sources[lexer->depth - 1].n);
}

static void pop(struct frs_lexer *lexer) {
    struct frs_source *source = &lexer->sources[--lexer->depth];
    free(source->bytes);
    free(source->path);
}

void frs_lexer_fini(struct frs_lexer *lexer) {
    while (lexer->depth > 0)
        pop(lexer);
    free(lexer->long_text_file);
    free(lexer->comment_file);
}

void frs_token_fini(struct frs_token *token) {
    free(token->text);
    free(token->file);
    *token = (struct frs_token){0};
}

static int peek(const struct frs_source *source, size_t ahead) {
    return source->at + ahead < source->n ? (unsigned char)source->bytes[source->at + ahead] : -1;
}

static void advance(struct frs_source *source, size_t n) {
    for (; n > 0 && source->at < source->n; n--)
        source->line += source->bytes[source->at++] == '\n';
}

/* After the opening quote: the text up to the closing one. `closed` tells whether there is one. */
static char *read_text(struct frs_source *source, bool *closed) {
    char *text = frs_alloc(source->n - source->at + 1, 1);
    size_t n = 0;
    while (peek(source, 0) >= 0 && peek(source, 0) != '"') {
        if (peek(source, 0) == '\\' && peek(source, 1) >= 0)
            advance(source, 1);
        text[n++] = (char)peek(source, 0);
        advance(source, 1);
    }
    *closed = peek(source, 0) == '"';
    advance(source, 1);
    return text;
}

/* At a line that begins with @include "…" (libconfig's rule: first on its line). */
static bool at_include(const struct frs_source *source) {
    static const char word[] = "@include";
    if (strncmp(source->bytes + source->at, word, sizeof word - 1) != 0)
        return false;
    size_t after = sizeof word - 1, start = source->at;
    while (peek(source, after) == ' ' || peek(source, after) == '\t')
        after++;
    while (start > 0 && (source->bytes[start - 1] == ' ' || source->bytes[start - 1] == '\t'))
        start--;
    return after > sizeof word - 1 && peek(source, after) == '"' &&
           (start == 0 || source->bytes[start - 1] == '\n');
}

static bool is_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* "includes itself: a.cfg > b.cfg > a.cfg", or NULL. Freed by the caller. */
static char *find_cycle(const struct frs_lexer *lexer, const char *path) {
    size_t first = 0;
    while (first < lexer->depth && !is_same_file(lexer->sources[first].path, path))
        first++;
    if (first == lexer->depth)
        return NULL;
    char *text = frs_strdup("includes itself: ");
    for (size_t i = first; i < lexer->depth; i++) {
        char *longer = frs_format("%s%s > ", text, lexer->sources[i].path);
        free(text);
        text = longer;
    }
    char *whole = frs_format("%s%s", text, path);
    free(text);
    return whole;
}

/* Opens an included file; otherwise says why not, freed by the caller. */
static char *push(struct frs_lexer *lexer, const char *name, struct frs_source *included) {
    char *cycle = find_cycle(lexer, included->path);
    if (cycle)
        return cycle;
    if (!frs_utf8_is_sound(included->path))
        return frs_strdup("is not UTF-8 text");
    if (lexer->depth > FRS_LIMIT_INCLUDE_DEPTH) {
        lexer->includes_nothing = true;
        return frs_strdup("cannot be read: files include each other too deeply; allowed: " FRS_LIMIT_TEXT(
            FRS_LIMIT_INCLUDE_DEPTH) " levels");
    }
    const char *reason = frs_input_read(included->path, FRS_INPUT_INCLUDED, &included->bytes, &included->n);
    if (!reason && strlen(included->bytes) != included->n) {
        free(included->bytes);
        reason = "has a zero byte, so it is not a text file";
    }
    if (reason)
        return frs_format("cannot be read: %s%s", reason,
            *name == '~' || *name == '$' ? "; the name of an included file is taken as it is written" : "");
    lexer->n_bytes += included->n;
    if (++lexer->n_included > FRS_LIMIT_INCLUDED_FILES || lexer->n_bytes > (size_t)FRS_LIMIT_SCENARIO_MIB
                                                                               << 20) {
        lexer->includes_nothing = true;
        free(included->bytes);
        return frs_format("is too much: at most %d files of %d MiB together can be included",
            FRS_LIMIT_INCLUDED_FILES, FRS_LIMIT_SCENARIO_MIB);
    }
    lexer->sources[lexer->depth++] = *included;
    return NULL;
}

static void include(struct frs_lexer *lexer) {
    struct frs_source *source = &lexer->sources[lexer->depth - 1];
    size_t line = source->line;
    splice_up_to(lexer, source->at);
    while (peek(source, 0) != '"')
        advance(source, 1);
    advance(source, 1);
    bool closed;
    char *name = read_text(source, &closed);
    source->spliced = source->at;
    source->spliced_line = source->line;
    bool relative = lexer->include_dir && *name != '/';
    struct frs_source included = {.line = 1, .spliced_line = 1};
    included.path = relative ? frs_format("%s/%s", lexer->include_dir, name) : frs_strdup(name);
    char *problem = lexer->includes_nothing ? frs_strdup("") : push(lexer, name, &included);
    if (problem) {
        char shown[128];
        if (*problem)
            frs_errors_add(lexer->errors, FRS_ERR_INPUT, "%s:%zu: @include \"%s\": %s", source->path, line,
                frs_text_line(included.path, shown, sizeof shown), problem);
        free(problem);
        free(included.path);
    }
    free(name);
}

static void skip_comment(struct frs_lexer *lexer, struct frs_source *source) {
    size_t line = source->line;
    advance(source, 2);
    while (peek(source, 0) >= 0 && !(peek(source, 0) == '*' && peek(source, 1) == '/'))
        advance(source, 1);
    if (peek(source, 0) < 0 && lexer->comment_line == 0) {
        lexer->comment_line = line;
        lexer->comment_file = frs_strdup(source->path);
    }
    advance(source, 2);
}

/* libconfig does not take a comment that ends with the file. */
static void skip_line(struct frs_lexer *lexer, struct frs_source *source) {
    while (peek(source, 0) >= 0 && peek(source, 0) != '\n')
        advance(source, 1);
    if (peek(source, 0) < 0)
        frs_errors_add(lexer->errors, FRS_ERR_INPUT,
            "%s:%zu: the file ends within a comment; it needs a line break at its end", source->path,
            source->line);
}

/* Space, comments, ends of included files, and @include itself. */
static void skip(struct frs_lexer *lexer) {
    for (;;) {
        struct frs_source *source = &lexer->sources[lexer->depth - 1];
        int c = peek(source, 0);
        if (c < 0 && lexer->depth > 1) {
            frs_lexer_flush(lexer);
            pop(lexer);
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
            advance(source, 1);
        else if (c == '#' || (c == '/' && peek(source, 1) == '/'))
            skip_line(lexer, source);
        else if (c == '/' && peek(source, 1) == '*')
            skip_comment(lexer, source);
        else if (c == '@' && at_include(source))
            include(lexer);
        else
            return;
    }
}

static bool in_name(int c) {
    return c >= 0 && c < 128 && (isalnum(c) || c == '-' || c == '_' || c == '*');
}

static size_t digits(const struct frs_source *source, size_t at) {
    size_t n = 0;
    while (peek(source, at + n) >= '0' && peek(source, at + n) <= '9')
        n++;
    return n;
}

/* libconfig marks 64-bit integers with L or LL. */
static size_t long_mark(const struct frs_source *source, size_t at) {
    return peek(source, at) != 'L' ? 0 : peek(source, at + 1) == 'L' ? 2 : 1;
}

static size_t hexadecimal_length(const struct frs_source *source) {
    size_t n = 2;
    if (peek(source, 0) != '0' || (peek(source, 1) != 'x' && peek(source, 1) != 'X'))
        return 0;
    while (peek(source, n) >= 0 && peek(source, n) < 128 && isxdigit(peek(source, n)))
        n++;
    return n > 2 ? n + long_mark(source, n) : 0;
}

/* Length of the number here, or 0. */
static size_t number_length(const struct frs_source *source) {
    size_t hexadecimal = hexadecimal_length(source);
    if (hexadecimal > 0)
        return hexadecimal;
    size_t n = peek(source, 0) == '-' || peek(source, 0) == '+';
    size_t whole = digits(source, n), fraction = 0;
    n += whole;
    bool is_real = peek(source, n) == '.';
    if (is_real)
        n += 1 + (fraction = digits(source, n + 1));
    if (whole + fraction == 0)
        return 0;
    if (peek(source, n) == 'e' || peek(source, n) == 'E') {
        size_t sign = peek(source, n + 1) == '-' || peek(source, n + 1) == '+';
        size_t exponent = digits(source, n + 1 + sign);
        is_real = is_real || exponent > 0;
        n += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return is_real ? n : n + long_mark(source, n);
}

static char *take(struct frs_source *source, size_t n) {
    char *text = frs_alloc(n + 1, 1);
    memcpy(text, source->bytes + source->at, n);
    advance(source, n);
    return text;
}

static void lex_text(struct frs_lexer *lexer, struct frs_source *source, struct frs_token *token) {
    bool closed;
    advance(source, 1);
    token->type = FRS_TOKEN_TEXT;
    token->text = read_text(source, &closed);
    lexer->has_open_text |= !closed;
    if ((!closed || source->line > token->line) && lexer->long_text_line == 0) {
        lexer->long_text_line = token->line;
        lexer->long_text_file = frs_strdup(source->path);
    }
}

/* Of a character outside of ASCII: the text is UTF-8 as a whole. */
static size_t character_length(const struct frs_source *source) {
    size_t n = 1;
    while ((peek(source, n) & 0xC0) == 0x80 && peek(source, n) >= 0)
        n++;
    return n;
}

struct frs_token frs_lexer_next(struct frs_lexer *lexer) {
    skip(lexer);
    struct frs_source *source = &lexer->sources[lexer->depth - 1];
    struct frs_token token = {.type = FRS_TOKEN_END, .file = frs_strdup(source->path), .line = source->line};
    int c = peek(source, 0);
    size_t n = 0;
    lexer->line = source->line;
    if (c < 0)
        return token;
    if (c < 128 && (isalpha(c) || c == '*')) {
        while (in_name(peek(source, n)))
            n++;
        token.type = FRS_TOKEN_NAME;
        token.text = take(source, n);
        token.end = lexer->splice->n + source->at - source->spliced;
    } else if (c == '"') {
        lex_text(lexer, source, &token);
    } else if ((n = number_length(source)) > 0) {
        token.type = FRS_TOKEN_NUMBER;
        token.text = take(source, n);
    } else {
        token.type = c;
        if (c < 128)
            advance(source, 1);
        else
            token.text = take(source, character_length(source));
    }
    return token;
}

bool frs_lexer_assigns(const struct frs_lexer *lexer) {
    const struct frs_source *source = &lexer->sources[lexer->depth - 1];
    size_t ahead = 0;
    while (peek(source, ahead) == ' ' || peek(source, ahead) == '\t')
        ahead++;
    return peek(source, ahead) == '=' || peek(source, ahead) == ':';
}

bool frs_token_is_bool(const struct frs_token *token) {
    return token->type == FRS_TOKEN_NAME &&
           (strcasecmp(token->text, "true") == 0 || strcasecmp(token->text, "false") == 0);
}

/* What word processors and PDF files have in place of a plain character; NULL: nothing. */
static const char *typographic(const char *text) {
    static const struct {
        const char *characters[12], *what;
    } kinds[] = {
        {{"“", "”", "„", "‟", "″", "‘", "’", "‚", "«", "»"},
            "a typographic quote; texts need straight ones, \"...\""},
        {{"−", "–", "—", "‐", "‑"}, "a typographic minus or dash; numbers need the plain one, -"},
        {{"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x8B", "\xEF\xBB\xBF"},
            "a blank of typography, which can be invisible; settings need plain ones"},
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t i = 0; kinds[kind].characters[i]; i++)
            if (strcmp(text, kinds[kind].characters[i]) == 0)
                return kinds[kind].what;
    return NULL;
}

const char *frs_token_name(const struct frs_token *token) {
    static char name[128];
    char line[80];
    if (token->type == FRS_TOKEN_END)
        return "the end of the file";
    const char *kind = token->text && token->type < FRS_TOKEN_END ? typographic(token->text) : NULL;
    if (kind)
        snprintf(name, sizeof name, "%s, %s", token->text, kind);
    else if (token->text)
        snprintf(name, sizeof name, "\"%s\"", frs_text_line(token->text, line, sizeof line));
    else if (token->type >= 0x20 && token->type < 0x7F)
        snprintf(name, sizeof name, "\"%c\"", token->type);
    else
        snprintf(name, sizeof name, "a byte of value %d", token->type);
    return name;
}
