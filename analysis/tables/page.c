#include "analysis/tables/page.h"
#include "analysis/read/files.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char end_line[] = "<!-- end of tables -->\n";

/* The place right behind the one line `wanted` at or after `text`; NULL: there is none, or more than one. */
static const char *behind_line(const char *text, const char *wanted, bool *several) {
    const char *found = NULL;
    size_t length = strlen(wanted);
    for (const char *line = text; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        if (strncmp(line, wanted, length) != 0)
            continue;
        *several = found != NULL;
        if (*several)
            return NULL;
        found = line + length;
    }
    return found;
}

struct place {
    char *text;             /* of the page; owned */
    const char *from, *end; /* what is replaced */
};

static enum frs_status find(
    const char *path, const char *name, struct place *place, struct frs_errors *errors) {
    bool several = false;
    *place = (struct place){0};
    enum frs_status status = frs_contents_read(path, &place->text, errors);
    if (status != FRS_OK)
        return status;
    char *start_line = frs_format("<!-- tables of %s -->\n", name);
    place->from = behind_line(place->text, start_line, &several);
    place->end = place->from ? strstr(place->from, end_line) : NULL;
    const char *next = place->from ? strstr(place->from, "<!-- tables of ") : NULL;
    if (!place->end || (next && next < place->end)) {
        frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: needs the lines \"<!-- tables of %s -->\" and, after it, \"%.*s\"%s", path, name,
            (int)strlen(end_line) - 1, end_line, several ? ", the first of them once" : "");
        free(place->text);
        status = FRS_ERR_INPUT;
    }
    free(start_line);
    return status;
}

enum frs_status frs_page_check(const char *path, const char *name, struct frs_errors *errors) {
    struct place place;
    enum frs_status status = find(path, name, &place, errors);
    if (status == FRS_OK)
        free(place.text);
    return status;
}

enum frs_status frs_page_update(
    const char *path, const char *name, const char *tables, struct frs_errors *errors) {
    struct place place;
    struct frs_draft draft;
    enum frs_status status = find(path, name, &place, errors);
    if (status != FRS_OK)
        return status;
    char *target = realpath(path, NULL); /* a page that is a link stays one */
    status = frs_draft_open(&draft, target ? target : path, errors);
    free(target);
    if (status == FRS_OK) {
        fprintf(draft.file, "%.*s\n%s\n%s", (int)(place.from - place.text), place.text, tables, place.end);
        status = frs_draft_commit(&draft, errors);
    }
    free(place.text);
    return status;
}
