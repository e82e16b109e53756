#include "sim/scenario/splice.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 24 };

static void append(struct frs_splice *splice, const char *bytes, size_t n) {
    splice->bytes = frs_grow(splice->bytes, splice->n + n + 1, &splice->capacity, 1);
    memcpy(splice->bytes + splice->n, bytes, n);
    splice->n += n;
    for (size_t i = 0; i < n; i++)
        splice->line += bytes[i] == '\n';
}

void frs_splice_add(struct frs_splice *splice, const char *file, size_t line, const char *bytes, size_t n) {
    if (splice->n == 0)
        splice->line = 1;
    splice->pieces =
        frs_grow(splice->pieces, splice->n_pieces + 1, &splice->pieces_capacity, sizeof *splice->pieces);
    splice->pieces[splice->n_pieces++] =
        (struct frs_piece){.file = frs_strdup(file), .file_line = line, .line = splice->line};
    append(splice, bytes, n);
    if (n == 0 || bytes[n - 1] != '\n')
        append(splice, "\n", 1);
}

void frs_splice_again(struct frs_splice *splice, size_t end) {
    splice->again =
        frs_grow(splice->again, splice->n_again + 1, &splice->again_capacity, sizeof *splice->again);
    splice->again[splice->n_again++] = end;
}

char *frs_splice_text(const struct frs_splice *splice) {
    char *text = frs_alloc(splice->n + MOST_DIGITS * splice->n_again + 1, 1);
    size_t n = 0, taken = 0;
    for (size_t i = 0; i <= splice->n_again; i++) {
        size_t end = i < splice->n_again ? splice->again[i] : splice->n;
        if (end > taken)
            memcpy(text + n, splice->bytes + taken, end - taken);
        n += end - taken;
        taken = end;
        if (i < splice->n_again)
            n += (size_t)snprintf(text + n, MOST_DIGITS, "%c%zu", FRS_SPLICE_STAR, i);
    }
    return text;
}

char *frs_splice_place(const struct frs_splice *splice, size_t line) {
    size_t low = 0, high = splice->n_pieces; /* the last piece that begins at the line or before it */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(splice->pieces[middle].line <= line ? &low : &high) = middle;
    }
    const struct frs_piece *piece = &splice->pieces[low];
    return frs_format(
        "%s:%zu", piece->file, piece->file_line + (line > piece->line ? line - piece->line : 0));
}

void frs_splice_fini(struct frs_splice *splice) {
    for (size_t i = 0; i < splice->n_pieces; i++)
        free(splice->pieces[i].file);
    free(splice->pieces);
    free(splice->again);
    free(splice->bytes);
    *splice = (struct frs_splice){0};
}
