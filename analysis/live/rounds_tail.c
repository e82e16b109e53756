#include "analysis/live/rounds_tail.h"
#include "sim/base/memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is read at a time: many lines, and more than the longest. */
enum { PIECE = 1 << 18 };

/* Rows begin "round,attempt,lost,": an attempt that was lost is of a round that will be repeated. */
static size_t kept_until(const char *line) {
    char *end;
    size_t round = strtoul(line, &end, 10);
    const char *lost = *end == ',' ? strchr(end + 1, ',') : NULL;
    return lost && lost[1] != ',' && round > 0 ? round - 1 : round;
}

/* Takes the whole lines of a piece, which has a zero behind its end; returns their bytes. */
static size_t take_lines(struct frs_rounds_tail *tail, const char *piece) {
    const char *line = piece;
    for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
        if (tail->n_lines++ == 0)
            continue; /* the names of the columns */
        tail->n_rows++;
        tail->n_rounds = kept_until(line);
    }
    return (size_t)(line - piece);
}

void frs_rounds_tail_read(struct frs_rounds_tail *tail, const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(file);
        return;
    }
    if (status.st_ino != tail->file || status.st_size < tail->offset)
        *tail = (struct frs_rounds_tail){.file = status.st_ino};
    char *piece = frs_alloc(PIECE + 1, 1);
    for (size_t taken = 1; taken > 0;) {
        ssize_t n = pread(file, piece, PIECE, tail->offset);
        if (n <= 0)
            break;
        piece[n] = '\0';
        taken = take_lines(tail, piece);
        tail->offset += (off_t)taken;
    }
    free(piece);
    close(file);
}
