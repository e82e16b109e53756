/* A look over a scenario file with libconfig's grammar but better words.
 *
 * libconfig stops at the first mistake and says "syntax error" about the line after it, or "duplicate setting
 * name" without the name; an @include that cannot be read ends the whole process inside its lexer. What this
 * file finds wrong with an @include is final; the rest counts only when libconfig refuses the file as well.
 */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/internal.h"
#include "sim/scenario/lexer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200 };

/* Names seen in the group being read; groups are stacked. */
struct name {
    size_t group;
    char *text, *where;
};

struct scan {
    struct frs_lexer lexer;
    struct frs_token token; /* the one not yet used up */
    struct frs_errors *syntax;
    struct name *names;
    size_t n_names, capacity, group, n_groups;
    size_t depth;
    bool failed;
};

static void next(struct scan *scan) {
    frs_token_fini(&scan->token);
    scan->token = frs_lexer_next(&scan->lexer);
}

/* The first syntax error is the last thing worth saying: the rest would be its echo. */
static void fail(struct scan *scan, const char *file, size_t line, const char *format, ...) FRS_PRINTF(4, 5);

static void fail(struct scan *scan, const char *file, size_t line, const char *format, ...) {
    if (scan->failed)
        return;
    scan->failed = true;
    /* A text that runs over several lines is the likelier mistake than what follows it. */
    if (scan->lexer.long_text_line > 0) {
        frs_errors_add(scan->syntax, FRS_ERR_INPUT,
            "%s:%zu: the text that begins here goes on over several lines; is its closing double quote "
            "missing?",
            scan->lexer.long_text_file, scan->lexer.long_text_line);
        return;
    }
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    frs_errors_add(scan->syntax, FRS_ERR_INPUT, "%s:%zu: %s", file, line, text);
}

static void add_name(struct scan *scan, const struct frs_token *token) {
    for (size_t i = scan->n_names; i-- > 0;) {
        const struct name *other = &scan->names[i];
        if (other->group != scan->group || strcmp(other->text, token->text) != 0)
            continue;
        frs_errors_add(scan->syntax, FRS_ERR_INPUT,
            "%s:%zu: %s: is given twice in the same group; the first is at %s", token->file, token->line,
            token->text, other->where);
        return;
    }
    scan->names = frs_grow(scan->names, scan->n_names + 1, &scan->capacity, sizeof *scan->names);
    scan->names[scan->n_names++] = (struct name){
        .group = scan->group,
        .text = frs_strdup(token->text),
        .where = frs_format("%s:%zu", token->file, token->line),
    };
}

static void drop_names(struct scan *scan, size_t n) {
    while (scan->n_names > n) {
        scan->n_names--;
        free(scan->names[scan->n_names].text);
        free(scan->names[scan->n_names].where);
    }
}

static void scan_settings(struct scan *scan, const struct frs_token *opening);

static void scan_group(struct scan *scan) {
    size_t outer = scan->group, n = scan->n_names;
    struct frs_token opening = scan->token;
    scan->token = (struct frs_token){0};
    scan->group = ++scan->n_groups;
    next(scan);
    scan_settings(scan, &opening);
    drop_names(scan, n);
    scan->group = outer;
    frs_token_fini(&opening);
}

static void scan_value(struct scan *scan, const char *name);

/* After "(" or "[". */
static void scan_elements(struct scan *scan, char closing, const char *name) {
    char *file = frs_strdup(scan->token.file);
    size_t line = scan->token.line;
    next(scan);
    while (!scan->failed && scan->token.type != closing) {
        if (scan->token.type == FRS_TOKEN_END) {
            fail(scan, file, line, "the list that begins here is not closed: \"%c\" is missing", closing);
            break;
        }
        scan_value(scan, name);
        if (scan->failed || scan->token.type == closing)
            break;
        if (scan->token.type != ',')
            fail(scan, scan->token.file, scan->token.line, "found %s in a list; allowed: \",\" or \"%c\"",
                frs_token_name(&scan->token), closing);
        next(scan);
        if (scan->token.type == closing)
            fail(scan, scan->token.file, scan->token.line, "a value is missing between \",\" and \"%c\"",
                closing);
    }
    next(scan);
    free(file);
}

static void scan_text(struct scan *scan) {
    while (scan->token.type == FRS_TOKEN_TEXT) /* neighbours are joined */
        next(scan);
}

/* `value = 6 Mbit/s` and `name = colr` lack their quotes. */
static void scan_number(struct scan *scan, const char *name) {
    char *number = frs_strdup(scan->token.text);
    size_t line = scan->token.line;
    next(scan);
    if (scan->token.type == FRS_TOKEN_NAME && scan->token.line == line && scan->lexer.line == line &&
        !frs_lexer_assigns(&scan->lexer))
        fail(scan, scan->token.file, line, "%s: a value with a unit needs double quotes: \"%s %s...\"", name,
            number, scan->token.text);
    else if (scan->token.type == '%' && scan->token.line == line)
        fail(scan, scan->token.file, line, "%s: a share needs double quotes: \"%s %%\"", name, number);
    free(number);
}

static void scan_value(struct scan *scan, const char *name) {
    if (++scan->depth > MAX_DEPTH)
        fail(scan, scan->token.file, scan->token.line, "groups and lists are nested too deeply");
    if (scan->failed)
        return;
    switch (scan->token.type) {
    case FRS_TOKEN_TEXT:
        scan_text(scan);
        break;
    case FRS_TOKEN_NUMBER:
        scan_number(scan, name);
        break;
    case '{':
        scan_group(scan);
        break;
    case '(':
        scan_elements(scan, ')', name);
        break;
    case '[':
        scan_elements(scan, ']', name);
        break;
    case FRS_TOKEN_NAME:
        if (frs_token_is_bool(&scan->token))
            next(scan);
        else
            fail(scan, scan->token.file, scan->token.line, "%s: text needs double quotes: \"%s\"", name,
                scan->token.text);
        break;
    default:
        fail(scan, scan->token.file, scan->token.line, "%s: a value is missing before %s", name,
            frs_token_name(&scan->token));
    }
    scan->depth--;
}

static void scan_setting(struct scan *scan) {
    char *name = frs_strdup(scan->token.text), *file = frs_strdup(scan->token.file);
    size_t line = scan->token.line;
    add_name(scan, &scan->token);
    next(scan);
    if (scan->token.type != '=' && scan->token.type != ':')
        fail(scan, file, line, "\"=\" is missing after \"%s\"", name);
    next(scan);
    scan_value(scan, name);
    if (!scan->failed && (scan->token.type == ';' || scan->token.type == ','))
        next(scan);
    free(name);
    free(file);
}

/* To the end of the group that `opening` began, or of the file. */
static void scan_settings(struct scan *scan, const struct frs_token *opening) {
    while (!scan->failed) {
        if (scan->token.type == '}' && opening) {
            next(scan);
            return;
        }
        if (scan->token.type == FRS_TOKEN_END) {
            if (scan->lexer.comment_line > 0)
                fail(scan, scan->token.file, scan->lexer.comment_line,
                    "the comment that begins here is not closed");
            else if (opening)
                fail(scan, opening->file, opening->line,
                    "the group that begins here is not closed: \"}\" is missing");
            return;
        }
        if (scan->token.type == FRS_TOKEN_NAME)
            scan_setting(scan);
        else if (scan->token.type == '}')
            fail(scan, scan->token.file, scan->token.line, "\"}\" closes nothing");
        else
            fail(scan, scan->token.file, scan->token.line,
                "found %s; allowed: a setting such as name = value", frs_token_name(&scan->token));
    }
}

void frs_scenario_scan(
    const char *path, const char *include_dir, struct frs_errors *includes, struct frs_errors *syntax) {
    struct scan scan = {.syntax = syntax};
    if (!frs_lexer_init(&scan.lexer, path, include_dir, includes))
        return;
    next(&scan);
    scan_settings(&scan, NULL);
    while (scan.token.type != FRS_TOKEN_END) /* every @include has to be looked at */
        next(&scan);
    drop_names(&scan, 0);
    free(scan.names);
    frs_token_fini(&scan.token);
    frs_lexer_fini(&scan.lexer);
}
