#include "analysis/expect/expect.h"
#include "analysis/expect/amount.h"
#include "analysis/statistics/metric_names.h"
#include "analysis/statistics/metrics.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parentheses within each other, and characters in all. */
#define MOST_DEPTH 100
#define MOST_CHARACTERS 8192

enum comparison { AT_MOST, AT_LEAST, BELOW, ABOVE, EQUAL, OTHER };

/* Longer ones first. */
static const struct {
    const char *sign;
    enum comparison comparison;
} signs[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"==", EQUAL}, {"!=", OTHER}, {"<", BELOW}, {">", ABOVE}};

enum kind { CLAUSE, ALL, ANY };

struct node {
    enum kind kind;
    struct node *left, *right; /* ALL and ANY */
    char *metric, *text;       /* CLAUSE; `text` is the clause as written */
    enum comparison comparison;
    double amount;
};

struct frs_expectation {
    char *where; /* or NULL */
    struct node *root;
};

static void destroy(struct node *node) {
    if (!node)
        return;
    destroy(node->left);
    destroy(node->right);
    free(node->metric);
    free(node->text);
    free(node);
}

/* ---- parsing ---- */

struct parser {
    const char *text, *at;
    const char *cut_offs;
    size_t depth;
    struct frs_errors *errors;
};

static void skip_blanks(struct parser *parser) {
    parser->at += strspn(parser->at, " \t\n");
}

/* `why` and `of` are one text. */
static struct node *refuse(struct parser *parser, const char *why, const char *of) {
    char line[80], found[40], metric[48];
    frs_errors_add(parser->errors, FRS_ERR_INPUT,
        "--expect %s: %s%s, found %s%s%s; allowed: METRIC <= AMOUNT, with <=, >=, <, >, == or !=, joined by "
        "&& and || and grouped by ( )",
        frs_text_line(parser->text, line, sizeof line), why, frs_text_line(of, metric, sizeof metric),
        *parser->at ? "\"" : "", *parser->at ? frs_text_line(parser->at, found, sizeof found) : "the end",
        *parser->at ? "\"" : "");
    return NULL;
}

/* Without blanks around it. */
static char *trimmed(const char *text, size_t length) {
    while (length > 0 && strchr(" \t\n", text[length - 1]))
        length--;
    return frs_format("%.*s", (int)length, text);
}

/* The name at the place, which moves behind it; NULL after an error. */
static char *read_metric(struct parser *parser) {
    const char *begin = parser->at;
    bool is_quoted = *begin == '"';
    size_t length = is_quoted ? strcspn(begin + 1, "\"") : strcspn(begin, " \t\n<>=!&|()");
    if (is_quoted && begin[1 + length] != '"') {
        refuse(parser, "a name in quotes has no end", "");
        return NULL;
    }
    if (length == 0) {
        refuse(parser, "expected a metric", "");
        return NULL;
    }
    parser->at += length + (is_quoted ? 2 : 0);
    char *metric = frs_format("%.*s", (int)length, begin + is_quoted);
    char *complaint = frs_metric_complaint(metric, parser->cut_offs);
    if (!complaint)
        return metric;
    frs_errors_add(parser->errors, FRS_ERR_INPUT, "--expect: %s", complaint);
    free(complaint);
    free(metric);
    return NULL;
}

static bool read_comparison(struct parser *parser, enum comparison *comparison) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].sign);
        if (strncmp(parser->at, signs[i].sign, length) != 0)
            continue;
        *comparison = signs[i].comparison;
        parser->at += length;
        return true;
    }
    return false;
}

/* Up to what follows a clause. */
static size_t amount_length(const char *text) {
    size_t length = 0;
    while (text[length] && text[length] != ')' && strncmp(text + length, "&&", 2) != 0 &&
           strncmp(text + length, "||", 2) != 0)
        length++;
    return length;
}

static enum frs_status read_amount(struct parser *parser, struct node *clause) {
    char line[80];
    size_t length = amount_length(parser->at);
    char *amount = trimmed(parser->at, length);
    char *metric = frs_amount_metric(clause->metric, amount);
    free(clause->metric);
    clause->metric = metric;
    bool good = frs_amount_read(clause->metric, amount, &clause->amount);
    if (!good)
        frs_errors_add(parser->errors, FRS_ERR_INPUT, "--expect: \"%s\" is no amount of %s; allowed: %s",
            frs_text_line(amount, line, sizeof line), clause->metric, frs_amount_units(clause->metric));
    parser->at += length;
    free(amount);
    return good ? FRS_OK : FRS_ERR_INPUT;
}

static struct node *read_clause(struct parser *parser) {
    const char *begin = parser->at;
    struct node *clause = frs_alloc(1, sizeof *clause);
    clause->kind = CLAUSE;
    clause->metric = read_metric(parser);
    bool good = clause->metric;
    skip_blanks(parser);
    if (good && !read_comparison(parser, &clause->comparison)) {
        refuse(parser, "expected a comparison behind ", clause->metric);
        good = false;
    }
    skip_blanks(parser);
    if (good && read_amount(parser, clause) == FRS_OK) {
        clause->text = trimmed(begin, (size_t)(parser->at - begin));
        return clause;
    }
    destroy(clause);
    return NULL;
}

static struct node *read_any(struct parser *parser);

static struct node *read_term(struct parser *parser) {
    skip_blanks(parser);
    if (*parser->at != '(')
        return read_clause(parser);
    if (++parser->depth > MOST_DEPTH)
        return refuse(parser, "expected fewer parentheses within each other", "");
    parser->at++;
    struct node *inner = read_any(parser);
    skip_blanks(parser);
    if (inner && *parser->at != ')') {
        destroy(inner);
        return refuse(parser, "expected )", "");
    }
    parser->at += inner != NULL;
    parser->depth--;
    return inner;
}

/* Operands of one kind, joined from left to right. */
static struct node *read_joined(
    struct parser *parser, enum kind kind, const char *sign, struct node *(*operand)(struct parser *parser)) {
    struct node *left = operand(parser);
    for (skip_blanks(parser); left && strncmp(parser->at, sign, 2) == 0; skip_blanks(parser)) {
        parser->at += 2;
        struct node *right = operand(parser);
        if (!right) {
            destroy(left);
            return NULL;
        }
        struct node *both = frs_alloc(1, sizeof *both);
        *both = (struct node){.kind = kind, .left = left, .right = right};
        left = both;
    }
    return left;
}

static struct node *read_all(struct parser *parser) {
    return read_joined(parser, ALL, "&&", read_term);
}

static struct node *read_any(struct parser *parser) {
    return read_joined(parser, ANY, "||", read_all);
}

/* Returns the colon that ends WHERE: the last one before the first comparison, because labels may contain
 * colons; NULL: there is none. The "=" of "axis=label" is no comparison. */
static const char *find_colon(const char *text) {
    const char *colon = NULL;
    for (const char *at = text; *at; at++) {
        if (*at == '"')
            return colon;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (strncmp(at, signs[i].sign, strlen(signs[i].sign)) == 0)
                return colon;
        if (*at == ':')
            colon = at;
    }
    return colon;
}

enum frs_status frs_expectation_parse(
    const char *text, const char *cut_offs, struct frs_expectation **out, struct frs_errors *errors) {
    const char *colon = find_colon(text);
    struct parser parser = {text, colon ? colon + 1 : text, cut_offs, 0, errors};
    *out = NULL;
    struct node *root =
        strlen(text) > MOST_CHARACTERS ? refuse(&parser, "expected a shorter text", "") : read_any(&parser);
    skip_blanks(&parser);
    if (root && *parser.at) {
        destroy(root);
        root = refuse(&parser, "expected &&, || or the end", "");
    }
    if (!root)
        return FRS_ERR_INPUT;
    *out = frs_alloc(1, sizeof **out);
    (*out)->root = root;
    const char *begin = text + strspn(text, " \t\n");
    (*out)->where = colon ? trimmed(begin, colon > begin ? (size_t)(colon - begin) : 0) : NULL;
    return FRS_OK;
}

void frs_expectation_destroy(struct frs_expectation *expectation) {
    if (!expectation)
        return;
    destroy(expectation->root);
    free(expectation->where);
    free(expectation);
}

const char *frs_expectation_where(const struct frs_expectation *expectation) {
    return expectation->where;
}

static const char *quality_of(const struct node *node) {
    bool lower;
    if (!node)
        return NULL;
    if (node->metric && frs_metric_is_quality(node->metric, &lower))
        return node->metric;
    const char *left = quality_of(node->left);
    return left ? left : quality_of(node->right);
}

const char *frs_expectation_quality(const struct frs_expectation *expectation) {
    return quality_of(expectation->root);
}

/* ---- judging ---- */

struct judge {
    frs_expectation_figure *figure;
    const void *context;
    const char *whose;
    struct frs_errors *errors;
};

static bool keeps(const struct node *clause, double value) {
    double amount = clause->amount;
    switch (clause->comparison) {
    case AT_MOST:
        return value <= amount;
    case AT_LEAST:
        return value >= amount;
    case BELOW:
        return value < amount;
    case ABOVE:
        return value > amount;
    case EQUAL:
        return value == amount;
    default:
        return !isnan(value) && value != amount;
    }
}

static bool holds(const struct node *node, const struct judge *judge) {
    if (node->kind == CLAUSE)
        return keeps(node, judge->figure(judge->context, node->metric));
    bool left = holds(node->left, judge), right = holds(node->right, judge);
    return node->kind == ALL ? left && right : left || right;
}

/* For a node that does not hold. */
static void explain(const struct node *node, const struct judge *judge) {
    if (node->kind != CLAUSE) {
        if (!holds(node->left, judge))
            explain(node->left, judge);
        if (!holds(node->right, judge))
            explain(node->right, judge);
        return;
    }
    double value = judge->figure(judge->context, node->metric);
    char *text = isnan(value) ? frs_strdup("not there") : frs_amount_describe(node->metric, value);
    frs_errors_add(judge->errors, FRS_ERR_RUN, "--expect: %s%s%s does not hold: %s is %s",
        judge->whose ? judge->whose : "", judge->whose ? ": " : "", node->text, node->metric, text);
    free(text);
}

bool frs_expectation_holds(const struct frs_expectation *expectation, const char *whose,
    frs_expectation_figure *figure, const void *context, struct frs_errors *errors) {
    const struct judge judge = {figure, context, whose, errors};
    if (holds(expectation->root, &judge))
        return true;
    explain(expectation->root, &judge);
    return false;
}
