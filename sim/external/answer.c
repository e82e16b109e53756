#include "sim/external/answer.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void frs_answer_init(struct frs_answer *answer, size_t size) {
    *answer = (struct frs_answer){.text = frs_alloc(size, 1), .size = size};
}

void frs_answer_fini(struct frs_answer *answer) {
    free(answer->text);
    *answer = (struct frs_answer){0};
}

void frs_answer_clear(struct frs_answer *answer) {
    answer->n = 0;
}

char *frs_answer_room(struct frs_answer *answer, size_t *room, char *why, size_t size) {
    *room = answer->size - 1 - answer->n;
    if (*room > 0)
        return answer->text + answer->n;
    snprintf(why, size, "has answered %zu bytes without an end", answer->size);
    return NULL;
}

bool frs_answer_add(struct frs_answer *answer, size_t n, char *why, size_t size) {
    if (memchr(answer->text + answer->n, '\0', n)) {
        snprintf(why, size, "has answered something else than lines of text");
        return false;
    }
    answer->n += n;
    return true;
}

static bool begins_with_error(const struct frs_answer *answer, size_t at, size_t end) {
    return end - at > 6 && memcmp(answer->text + at, "error ", 6) == 0;
}

/* Where the line that ends the answer begins, and ends. */
static bool find_end(const struct frs_answer *answer, bool block, size_t *begin, size_t *end) {
    for (size_t at = 0; at < answer->n; at = *end) {
        const char *newline = memchr(answer->text + at, '\n', answer->n - at);
        if (!newline)
            return false;
        *begin = at;
        *end = (size_t)(newline - answer->text) + 1;
        bool says_end = *end - at == 4 && memcmp(answer->text + at, "end", 3) == 0;
        if (!block || says_end || begins_with_error(answer, at, *end))
            return true;
    }
    return false;
}

bool frs_answer_is_whole(const struct frs_answer *answer, bool block) {
    size_t begin, end;
    return find_end(answer, block, &begin, &end);
}

const char *frs_answer_take(struct frs_answer *answer, bool block, char *why, size_t size) {
    size_t begin = 0, end = 0;
    if (!find_end(answer, block, &begin, &end) || end < answer->n) {
        snprintf(why, size, "has answered more than it was asked");
        return NULL;
    }
    if (begins_with_error(answer, begin, end)) {
        answer->text[end - 1] = '\0';
        return answer->text + begin;
    }
    answer->text[block ? begin : end - 1] = '\0'; /* a line loses its end, a block its last line */
    return answer->text;
}
