#include "algorithms/data/reading/lines.h"
#include "algorithms/data/reading/columns.h"
#include "sim/base/files/cells.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, HEAD_BYTES = 1 << 16 };

/* Moves what waits to the front and reads as much as there is room for. */
static void refill(struct frs_lines *lines) {
    size_t waiting = lines->end - lines->begin;
    if (waiting > 0 && lines->begin > 0)
        memmove(lines->buffer, lines->buffer + lines->begin, waiting);
    lines->begin = 0;
    lines->end = waiting;
    if (waiting == lines->size) {
        if (lines->size >= FRS_INPUT_LINE_BYTES) {
            lines->failure = "has a line longer than " FRS_INPUT_LINE_TEXT "; expected shorter ones";
            return;
        }
        lines->buffer = frs_grow(lines->buffer, lines->size + 1, &lines->size, 1);
    }
    size_t room = lines->size - waiting, n = frs_bytes_read(lines->bytes, lines->buffer + waiting, room);
    lines->end += n;
    lines->ended = n < room;
    lines->failure = lines->bytes->failure;
}

static bool has_zeros_in_turn(const char *text, size_t n) {
    size_t zeros[2] = {0, 0};
    if (n > 64)
        n = 64;
    for (size_t i = 0; i < n; i++)
        zeros[i % 2] += text[i] == '\0';
    return n >= 8 && (zeros[0] >= n / 2 - 1 || zeros[1] >= n / 2 - 1);
}

static const char *check_head(const char *text, size_t n) {
    enum { MARK_AT = 257 }; /* of the first file's header */
    const char *carriage = memchr(text, '\r', n);
    if (n > MARK_AT + 5 && memcmp(text + MARK_AT, "ustar", 5) == 0)
        return "is a tar archive; unpack it first (tar -xf) and name the file in it";
    if (has_zeros_in_turn(text, n))
        return "is UTF-16; write it as UTF-8 (iconv -f UTF-16 -t UTF-8)";
    if (carriage && !memchr(text, '\n', n) && carriage + 1 < text + n)
        return "has lines that end in CR alone, as those of old Macs; write them with LF (tr '\\r' '\\n')";
    return NULL;
}

/* ---- in front of the data ------------------------------------------------------------------------ */

/* "# user_id item_id": whether words of a comment name both. */
static bool names_columns(struct frs_field comment) {
    bool user = false, item = false;
    for (size_t i = 0; i < comment.n;) {
        size_t n = 0;
        while (i + n < comment.n && !strchr(" \t,;|", comment.text[i + n]))
            n++;
        struct frs_field word = {comment.text + i, n};
        user |= frs_column_named(FRS_COLUMN_USER, word) > 0;
        item |= frs_column_named(FRS_COLUMN_ITEM, word) > 0;
        i += n + 1;
    }
    return user && item;
}

/* The whole line that waits at `at`; *next is where the one behind it begins. */
static bool waiting_line(const struct frs_lines *lines, size_t at, struct frs_field *line, size_t *next) {
    const char *stop = at < lines->end ? memchr(lines->buffer + at, '\n', lines->end - at) : NULL;
    if (!stop)
        return false;
    *next = (size_t)(stop - lines->buffer) + 1;
    *line = (struct frs_field){lines->buffer + at, *next - 1 - at};
    if (line->n > 0 && line->text[line->n - 1] == '\r')
        line->n--;
    return true;
}

static void skip_separator(struct frs_lines *lines) {
    struct frs_field line;
    size_t next;
    if (!waiting_line(lines, lines->begin, &line, &next) || line.n != 5 || memcmp(line.text, "sep=", 4) != 0)
        return;
    lines->said_separator = line.text[4];
    lines->begin = next;
    lines->line++;
}

static void skip_comments(struct frs_lines *lines) {
    struct frs_field line, last = {NULL, 0};
    size_t at = lines->begin, number = lines->line, last_number = 0, n = 0, next;
    for (; waiting_line(lines, at, &line, &next); at = next, number++) {
        if (frs_cell_is_comment(line.text, line.n)) {
            last = line;
            last_number = number;
            n++;
        } else if (!frs_field_is_blank(line)) {
            break;
        }
    }
    if (n == 0 || at >= lines->end) /* without data behind them they may be the data */
        return;
    lines->begin = at;
    lines->line = number;
    lines->n_comments = n;
    frs_field_show(last, lines->comment);
    if (!names_columns(last))
        return;
    const char *head = last.text + strspn(last.text, " \t#%");
    lines->begin = (size_t)(head - lines->buffer);
    lines->line = last_number;
    lines->n_comments--;
}

void frs_lines_init(struct frs_lines *lines, struct frs_bytes *bytes) {
    *lines = (struct frs_lines){.bytes = bytes, .size = BUFFER_BYTES};
    lines->buffer = frs_alloc_lazily(lines->size, 1);
    refill(lines);
    if (lines->end >= 3 && memcmp(lines->buffer, "\xef\xbb\xbf", 3) == 0)
        lines->begin = 3;
    if (!lines->failure)
        lines->failure = check_head(lines->buffer + lines->begin, lines->end - lines->begin);
    if (!lines->failure)
        skip_separator(lines);
    if (!lines->failure)
        skip_comments(lines);
}

struct frs_field frs_lines_head(const struct frs_lines *lines) {
    struct frs_field head = {lines->buffer + lines->begin, lines->end - lines->begin};
    bool all = lines->ended && head.n <= HEAD_BYTES;
    size_t n = head.n < HEAD_BYTES ? head.n : HEAD_BYTES;
    const char *last = all ? NULL : memrchr(head.text, '\n', n);
    if (!all && !last) /* one long line */
        last = memchr(head.text, '\n', head.n);
    return last ? (struct frs_field){head.text, (size_t)(last - head.text)} : head;
}

bool frs_lines_next(struct frs_lines *lines, struct frs_field *line) {
    while (!lines->failure) {
        char *at = lines->buffer + lines->begin;
        size_t n = lines->end - lines->begin;
        char *stop = n ? memchr(at, '\n', n) : NULL;
        if (!stop && !lines->ended) {
            refill(lines);
            if (lines->failure)
                lines->line++;
            continue;
        }
        if (n == 0)
            return false;
        lines->start = lines->begin;
        lines->begin = stop ? (size_t)(stop - lines->buffer) + 1 : lines->end;
        lines->line++;
        *line = (struct frs_field){at, stop ? (size_t)(stop - at) : n};
        if (line->n > 0 && at[line->n - 1] == '\r')
            line->n--;
        if (!frs_field_is_blank(*line))
            return true;
    }
    return false;
}

bool frs_lines_extend(struct frs_lines *lines, struct frs_field *line) {
    for (;;) {
        const char *at = lines->buffer + lines->begin;
        size_t n = lines->end - lines->begin, taken = lines->begin - lines->start;
        const char *stop = n ? memchr(at, '\n', n) : NULL;
        if (lines->failure || (!stop && n == 0 && lines->ended))
            return false;
        if (!stop && !lines->ended) {
            lines->begin = lines->start; /* which stays in the buffer */
            refill(lines);
            lines->start = 0;
            lines->begin = taken;
            continue;
        }
        lines->begin = stop ? (size_t)(stop - lines->buffer) + 1 : lines->end;
        lines->line++;
        *line = (struct frs_field){lines->buffer + lines->start,
            (stop ? (size_t)(stop - lines->buffer) : lines->end) - lines->start};
        if (line->text[line->n - 1] == '\r')
            line->n--;
        return true;
    }
}

void frs_lines_fini(struct frs_lines *lines) {
    free(lines->buffer);
    lines->buffer = NULL;
}

bool frs_head_line(struct frs_field *text, struct frs_field *line) {
    while (text->n > 0) {
        const char *stop = memchr(text->text, '\n', text->n);
        size_t n = stop ? (size_t)(stop - text->text) : text->n, taken = stop ? n + 1 : n;
        *line = (struct frs_field){text->text, n};
        *text = (struct frs_field){text->text + taken, text->n - taken};
        if (line->n > 0 && line->text[line->n - 1] == '\r')
            line->n--;
        if (!frs_field_is_blank(*line))
            return true;
    }
    return false;
}
