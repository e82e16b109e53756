#include "sim/base/identity.h"
#include "sim/base/buffer.h"
#include "sim/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void put(struct frs_buffer *identity, const char *text, char end) {
    for (const char *c = text; *c; c++)
        frs_buffer_put_u8(identity, (unsigned char)*c < ' ' ? ' ' : (uint8_t)*c);
    frs_buffer_put_u8(identity, (uint8_t)end);
}

void frs_identity_add(struct frs_buffer *identity, const char *name, const char *value) {
    put(identity, name, '\t');
    put(identity, value, '\n');
}

bool frs_identity_take(struct frs_reader *in, char **identity) {
    uint64_t n = frs_reader_u64(in);
    const uint8_t *bytes = n <= in->n - in->at ? frs_reader_take(in, (size_t)n) : NULL;
    *identity = bytes ? frs_format("%.*s", (int)n, (const char *)bytes) : frs_strdup("");
    return bytes;
}

/* A line: its name and its value, without their ends. */
struct line {
    const char *name, *value;
    size_t name_length, value_length;
};

/* The line that begins at `text`; returns the next one, or NULL behind the last. */
static const char *take(const char *text, struct line *line) {
    const char *end = strchr(text, '\n'), *tab = strchr(text, '\t');
    if (!end || !tab || tab > end)
        return NULL;
    *line = (struct line){text, tab + 1, (size_t)(tab - text), (size_t)(end - tab - 1)};
    return end + 1;
}

/* Whether a text has a line of this name, and which. */
static bool find(const char *text, const struct line *wanted, struct line *found) {
    while ((text = take(text, found)))
        if (found->name_length == wanted->name_length &&
            memcmp(found->name, wanted->name, wanted->name_length) == 0)
            return true;
    return false;
}

/* Lines of one identity that another has not, or has with another value. */
struct differences {
    struct line here, there; /* the first, and what the other has in its place: empty, if nothing */
    size_t n;
};

/* `with_values` false: only lines whose name the other has not count. */
static struct differences compare(const char *from, const char *in, bool with_values) {
    struct differences found = {.n = 0};
    struct line here, there;
    while ((from = take(from, &here))) {
        bool is_there = find(in, &here, &there);
        if (is_there && (!with_values || (there.value_length == here.value_length &&
                                             memcmp(there.value, here.value, here.value_length) == 0)))
            continue;
        if (found.n++ == 0) {
            found.here = here;
            found.there = is_there ? there : (struct line){0};
        }
    }
    return found;
}

static char *value_of(const struct line *line) {
    enum { MOST = 200 };
    if (!line->name)
        return frs_strdup("not there");
    if (line->value_length == 0)
        return frs_strdup("\"\"");
    bool whole = line->value_length <= MOST;
    return frs_format("%.*s%s", whole ? (int)line->value_length : MOST, line->value, whole ? "" : "...");
}

char *frs_identity_difference(const char *was, const char *is) {
    struct differences now = compare(is, was, true), gone = compare(was, is, false);
    if (now.n + gone.n == 0)
        return NULL;
    const struct line *named = now.n > 0 ? &now.here : &gone.here;
    char *old = value_of(now.n > 0 ? &now.there : &gone.here), *new = value_of(&now.here);
    size_t others = now.n + gone.n - 1;
    char *text = others > 0
                     ? frs_format("%.*s was %s and is %s, and %zu more differ", (int)named->name_length,
                           named->name, old, new, others)
                     : frs_format("%.*s was %s and is %s", (int)named->name_length, named->name, old, new);
    free(old);
    free(new);
    return text;
}
