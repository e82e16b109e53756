/* The scan of a scenario explains what is wrong with a text. Only libconfig's grammar counts: libconfig
 * 1.5 alone reads a text without mistakes. A text is scanned only where libconfig's messages are poor:
 *
 * - It stops at the first mistake and says "syntax error" about the line after it: the grammar below tells
 *   which quote, bracket or sign is missing, and where.
 * - It says "duplicate setting name" without the name: see `names`.
 * - It returns the value of a number, but not how it was written, which a message about it quotes: see
 * `literals`.
 *
 * So the scan runs after a scenario could not be loaded, for whatever reason (scenario.c). It runs first
 * where libconfig might misread a text without an error (misreadings.c).
 *
 * The scan checks nothing else. file.c, which reads libconfig's settings, knows the keys and their values;
 * a text that passes the scan but not libconfig is reported in libconfig's words. */
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/base/names.h"
#include "sim/base/text.h"
#include "sim/scenario/scenario_internal.h"
#include "sim/scenario/lexer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What was given before, by a key of `names`: a setting by "GROUP PATH"; a group also by "GROUP PATH
 * FILE", because each file may have a part of a group. GROUP is the number of the group that contains it. */
struct given {
    char *where;
    size_t group; /* its own number, where it is a group; 0 otherwise */
};

struct parser {
    struct frs_lexer lexer;
    struct frs_token token; /* the one not yet used up */
    struct frs_scan *scan;
    struct frs_names names;
    struct given *given; /* [names.n] */
    size_t given_capacity, group, n_groups;
    size_t next_group; /* the number of the group about to be read; 0: a new one */
    const char *path;  /* full key of the setting being read */
    size_t depth;
    bool failed;
};

static void next(struct parser *parser) {
    frs_token_fini(&parser->token);
    parser->token = frs_lexer_next(&parser->lexer);
}

/* The first syntax error is the last thing worth saying: the rest would be its echo. */
static void fail_at(struct parser *parser, const char *file, size_t line, const char *format, ...)
    FRS_PRINTF(4, 5);

static void fail_at(struct parser *parser, const char *file, size_t line, const char *format, ...) {
    if (parser->failed)
        return;
    parser->failed = true;
    const struct frs_lexer *lexer = &parser->lexer;
    /* A text that runs over several lines is the likelier mistake than what follows it. */
    if (lexer->long_text_line > 0) {
        frs_errors_add(&parser->scan->errors, FRS_ERR_INPUT,
            "%s:%zu: the text that begins here goes on over several lines; is its closing double quote "
            "missing?",
            lexer->long_text_file, lexer->long_text_line);
        return;
    }
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    frs_errors_add(&parser->scan->errors, FRS_ERR_INPUT, "%s:%zu: %s", file, line, text);
}

#define FAIL(parser, ...) fail_at(parser, (parser)->token.file, (parser)->token.line, __VA_ARGS__)

/* A setting before its value is read. */
struct beginning {
    const char *path;
    const struct frs_token *name;
    bool is_group;
};

static void add_given(struct parser *parser, const char *key, const struct beginning *setting, size_t group) {
    size_t number = frs_names_add(&parser->names, key);
    parser->given = frs_grow(parser->given, number + 1, &parser->given_capacity, sizeof *parser->given);
    parser->given[number] = (struct given){
        .where = frs_format("%s:%zu", setting->name->file, setting->name->line), .group = group};
}

/* A setting stands once; a group may go on in another file, with the names it has already. */
static void note(struct parser *parser, const struct beginning *setting) {
    const struct frs_token *name = setting->name;
    char *key = frs_format("%zu %s", parser->group, setting->path),
         *of_file = frs_format("%s %s", key, name->file);
    size_t before = frs_names_find(&parser->names, key), here = frs_names_find(&parser->names, of_file);
    bool goes_on = before != SIZE_MAX && setting->is_group && parser->given[before].group > 0;
    if (before == SIZE_MAX || (goes_on && here == SIZE_MAX)) {
        size_t group = !setting->is_group ? 0 : goes_on ? parser->given[before].group : ++parser->n_groups;
        if (before == SIZE_MAX)
            add_given(parser, key, setting, group);
        else
            frs_splice_again(&parser->scan->splice, name->end);
        if (setting->is_group)
            add_given(parser, of_file, setting, group);
        parser->next_group = group;
    } else {
        frs_errors_add(&parser->scan->errors, FRS_ERR_INPUT, "%s:%zu: %s: is given twice; the first is at %s",
            name->file, name->line, setting->path, parser->given[here == SIZE_MAX ? before : here].where);
    }
    free(key);
    free(of_file);
}

/* Hexadecimal becomes decimal, and libconfig's L for "long" is dropped. */
static void add_literal(struct parser *parser, const char *path, const char *written) {
    struct frs_scan *scan = parser->scan;
    bool is_hexadecimal = strpbrk(written, "xX");
    char *text = frs_strdup(written);
    text[strcspn(text, "L")] = '\0';
    errno = 0;
    unsigned long long number = is_hexadecimal ? strtoull(text, NULL, 16) : 0;
    if (is_hexadecimal && !errno) {
        free(text);
        text = frs_format("%llu", number);
    }
    scan->literals = frs_grow(scan->literals, scan->n + 1, &scan->capacity, sizeof *scan->literals);
    scan->literals[scan->n++] = (struct frs_literal){.path = frs_strdup(path), .text = text};
}

static void parse_value(struct parser *parser);
static void parse_settings(struct parser *parser, const char *path, const struct frs_token *opening);

static void parse_group(struct parser *parser) {
    size_t outer = parser->group;
    const char *path = parser->path;
    struct frs_token opening = parser->token;
    parser->token = (struct frs_token){0};
    parser->group = parser->next_group ? parser->next_group : ++parser->n_groups;
    parser->next_group = 0;
    next(parser);
    parse_settings(parser, path, &opening);
    parser->group = outer;
    parser->path = path;
    frs_token_fini(&opening);
}

/* The groups of a list are known by their places: "privacy.1". */
static void parse_element(struct parser *parser, size_t place) {
    const char *list = parser->path;
    char *path = parser->token.type == '{' ? frs_format("%s.%zu", list, place) : frs_strdup(list);
    parser->path = path;
    parse_value(parser);
    parser->path = list;
    free(path);
}

/* After "(" or "[". */
static void parse_elements(struct parser *parser, char closing) {
    char *file = frs_strdup(parser->token.file);
    size_t line = parser->token.line, place = 0;
    next(parser);
    int first = parser->token.type;
    while (!parser->failed && parser->token.type != closing) {
        if (parser->token.type == FRS_TOKEN_END) {
            fail_at(parser, file, line, "%s: the list that begins here is not closed: \"%c\" is missing",
                parser->path, closing);
            break;
        }
        bool is_plain = parser->token.type != '{' && parser->token.type != '(' && parser->token.type != '[';
        if (closing == ']' && (!is_plain || parser->token.type != first))
            FAIL(parser, "%s: [ ] holds plain values of one type; write ( ) for others", parser->path);
        parse_element(parser, ++place);
        if (parser->failed || parser->token.type == closing)
            break;
        if (parser->token.type == FRS_TOKEN_END)
            continue;
        if (parser->token.type != ',')
            FAIL(parser, "%s: found %s in a list; allowed: \",\" or \"%c\"", parser->path,
                frs_token_name(&parser->token), closing);
        next(parser);
        if (parser->token.type == closing)
            FAIL(parser, "%s: a value is missing between \",\" and \"%c\"", parser->path, closing);
    }
    next(parser);
    free(file);
}

/* `value = 6 Mbit/s` and `cohort = 60 %` lack their quotes. */
static void parse_number(struct parser *parser) {
    char *number = frs_strdup(parser->token.text);
    size_t line = parser->token.line;
    next(parser);
    bool same_line = parser->token.line == line && parser->lexer.line == line;
    if (parser->token.type == FRS_TOKEN_NAME && same_line && !frs_lexer_assigns(&parser->lexer))
        FAIL(parser, "%s: a value with a unit needs double quotes: \"%s %s...\"", parser->path, number,
            parser->token.text);
    else if (parser->token.type == '%' && same_line)
        FAIL(parser, "%s: a share needs double quotes: \"%s %%\"", parser->path, number);
    free(number);
}

static void parse_name(struct parser *parser) {
    if (!frs_token_is_bool(&parser->token))
        FAIL(parser, "%s: text needs double quotes: \"%s\"", parser->path, parser->token.text);
    next(parser);
}

static void parse_value(struct parser *parser) {
    if (++parser->depth > FRS_LIMIT_NESTING)
        FAIL(parser, "groups and lists are nested too deeply; allowed: %d levels", FRS_LIMIT_NESTING);
    if (parser->failed)
        return;
    switch (parser->token.type) {
    case FRS_TOKEN_TEXT:
        while (parser->token.type == FRS_TOKEN_TEXT) /* neighbours are joined */
            next(parser);
        break;
    case FRS_TOKEN_NUMBER:
        parse_number(parser);
        break;
    case FRS_TOKEN_NAME:
        parse_name(parser);
        break;
    case '{':
        parse_group(parser);
        break;
    case '(':
        parse_elements(parser, ')');
        break;
    case '[':
        parse_elements(parser, ']');
        break;
    default:
        FAIL(parser, "%s: a value is missing before %s", parser->path, frs_token_name(&parser->token));
    }
    parser->depth--;
}

static void parse_setting(struct parser *parser, const char *group) {
    struct frs_token name = parser->token;
    parser->token = (struct frs_token){0};
    char *path = frs_scenario_join(group, name.text);
    if (strchr(name.text, FRS_SPLICE_STAR))
        frs_errors_add(&parser->scan->errors, FRS_ERR_INPUT, "%s:%zu: %s: unknown key: no name has a \"%c\"",
            name.file, name.line, path, FRS_SPLICE_STAR);
    next(parser);
    if (parser->token.type != '=' && parser->token.type != ':')
        fail_at(parser, name.file, name.line, "%s: \"=\" is missing after the name", path);
    next(parser);
    parser->path = path;
    if (!parser->failed)
        note(parser, &(struct beginning){path, &name, parser->token.type == '{'});
    if (parser->token.type == FRS_TOKEN_NUMBER)
        add_literal(parser, path, parser->token.text);
    parse_value(parser);
    parser->next_group = 0;
    if (!parser->failed && (parser->token.type == ';' || parser->token.type == ','))
        next(parser);
    parser->path = group;
    free(path);
    frs_token_fini(&name);
}

static void end_of_file(struct parser *parser, const struct frs_token *opening) {
    if (parser->lexer.comment_line > 0)
        fail_at(parser, parser->lexer.comment_file, parser->lexer.comment_line,
            "the comment that begins here is not closed: \"*/\" is missing");
    else if (parser->lexer.has_open_text)
        FAIL(parser, "a double quote is missing");
    else if (opening)
        fail_at(parser, opening->file, opening->line,
            "%s: the group that begins here is not closed: \"}\" is missing", parser->path);
}

/* To the end of the group `path` that `opening` began, or of the file. */
static void parse_settings(struct parser *parser, const char *path, const struct frs_token *opening) {
    parser->path = path;
    while (!parser->failed) {
        if (parser->token.type == '}' && opening) {
            next(parser);
            return;
        }
        if (parser->token.type == FRS_TOKEN_END) {
            end_of_file(parser, opening);
            return;
        }
        if (parser->token.type == FRS_TOKEN_NAME && !frs_token_is_bool(&parser->token))
            parse_setting(parser, path);
        else if (parser->token.type == '}')
            FAIL(parser, "\"}\" closes nothing");
        else
            FAIL(parser, "found %s; allowed: a setting such as name = value", frs_token_name(&parser->token));
    }
}

void frs_scan_init(struct frs_scan *scan, const char *path, const char *text, const char *include_dir) {
    *scan = (struct frs_scan){0};
    struct parser parser = {.scan = scan, .path = ""};
    frs_lexer_init(&parser.lexer, path, text, include_dir, &scan->splice, &scan->errors);
    next(&parser);
    parse_settings(&parser, "", NULL);
    frs_lexer_flush(&parser.lexer);
    for (size_t i = 0; i < parser.names.n; i++)
        free(parser.given[i].where);
    free(parser.given);
    frs_names_fini(&parser.names);
    frs_token_fini(&parser.token);
    frs_lexer_fini(&parser.lexer);
}

void frs_scan_fini(struct frs_scan *scan) {
    for (size_t i = 0; i < scan->n; i++) {
        free(scan->literals[i].path);
        free(scan->literals[i].text);
    }
    free(scan->literals);
    frs_splice_fini(&scan->splice);
    frs_errors_clear(&scan->errors);
}

const char *frs_scan_literal(const struct frs_scan *scan, const char *path) {
    for (size_t i = 0; i < scan->n; i++)
        if (strcmp(scan->literals[i].path, path) == 0)
            return scan->literals[i].text;
    return NULL;
}
