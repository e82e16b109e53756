/* The page around its data. */
#include "analysis/report/embedded.h"
#include "analysis/report/report_internal.h"
#include "analysis/report/so_far.h"
#include "sim/base/files/digest.h"
#include "sim/base/invariant.h"

#include <stdlib.h>
#include <string.h>

bool frs_report_has_charts(void) {
    return *frs_report_charts != 0;
}

/* Inside a <script>, HTML looks for nothing but "<": as an escape it is none, and the JSON stays the same. */
static void print_json(const char *text, FILE *out) {
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, out);
}

struct marks {
    const char *json;
    bool is_live;
    char nonce[FRS_DIGEST_TEXT];
};

/* Prints what replaces one mark in page.html. */
static void print_mark(const struct marks *marks, const char *name, size_t length, FILE *out) {
    const struct {
        const char *name;
        const void *text;
    } texts[] = {{"NONCE", marks->nonce}, {"STYLE", frs_report_style}, {"SCRIPT", frs_report_script},
        {"BEGIN", marks->is_live ? frs_report_live : frs_report_begin},
        {"CONNECT", marks->is_live ? "; connect-src 'self'" : ""}, {"CHARTS", frs_report_charts},
        {"LICENCE", frs_report_licence}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strlen(texts[i].name) == length && strncmp(texts[i].name, name, length) == 0) {
            fputs(texts[i].text, out);
            return;
        }
    FRS_INVARIANT(length == 4 && strncmp(name, "DATA", 4) == 0, "page.html has a mark that is none: %.*s",
        (int)length, name);
    print_json(marks->json, out);
}

/* The page runs only scripts with its nonce. The nonce is a digest of the data, which therefore cannot
 * contain it. */
static void print_page(const char *json, bool is_live, FILE *out) {
    struct frs_digester digester = frs_digester_init();
    struct marks marks = {.json = json, .is_live = is_live};
    frs_digester_add_text(&digester, json);
    struct frs_digest digest = frs_digester_finish(&digester);
    frs_digest_text(&digest, marks.nonce);
    const char *at = (const char *)frs_report_page;
    for (const char *mark; (mark = strchr(at, '@')); at = mark + 1) {
        fwrite(at, 1, (size_t)(mark - at), out);
        at = mark + 1;
        mark = strchr(at, '@');
        print_mark(&marks, at, (size_t)(mark - at), out);
    }
    fputs(at, out);
}

void frs_report_print(const json_t *data, FILE *out) {
    char *json = json_dumps(data, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
    FRS_INVARIANT(json, "the data of a page cannot be written as JSON");
    print_page(json, false, out);
    free(json);
}

void frs_report_print_live(FILE *out) {
    print_page("null", true, out);
}
