#include "sim/external/printed.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

#define LAST_LINES 3u

void frs_printed_add(struct frs_printed *printed, const char *bytes, size_t n) {
    if (n > sizeof printed->last) {
        bytes += n - sizeof printed->last;
        n = sizeof printed->last;
    }
    size_t room = sizeof printed->last - n, kept = printed->n < room ? printed->n : room;
    memmove(printed->last, printed->last + printed->n - kept, kept);
    memcpy(printed->last + kept, bytes, n);
    printed->n = kept + n;
}

void frs_printed_quote(const struct frs_printed *printed, char *why, size_t size) {
    char text[FRS_PRINTED_BYTES + 1], shown[400];
    size_t n = printed->n, lines = 0;
    for (size_t i = 0; i < n; i++)
        text[i] = printed->last[i] == '\0' ? ' ' : printed->last[i];
    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        n--;
    text[n] = '\0';
    if (n == 0)
        return;
    size_t first = n;
    while (first > 0 && lines < LAST_LINES) {
        first--;
        lines += text[first] == '\n';
    }
    char *from = text + first;
    if (n - first > sizeof shown - 8) /* the end is what tells most */
        from = text + n - (sizeof shown - 8);
    for (char *at = from + 1; *at; at++)
        if (*at == '\n')
            *at = '|';
    size_t length = strlen(why);
    snprintf(why + length, size - length, "; it printed last: %s", frs_text_line(from, shown, sizeof shown));
}
