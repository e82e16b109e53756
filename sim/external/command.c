#include "sim/external/command.h"
#include "sim/base/buffer.h"
#include "sim/base/files/input.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_WORDS (FRS_LIMIT_COMMAND_WORDS + 1u)

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

/* Returns the word at *text without its quotes, freed by the caller, and moves *text behind it. NULL: a
 * quote does not end. */
static char *take_word(const char **text) {
    struct frs_buffer word = {0};
    const char *at = *text;
    while (*at && *at != ' ' && *at != '\t') {
        bool quoted = *at == '"' || *at == '\'';
        const char *end = quoted ? strchr(at + 1, *at) : at + strcspn(at, " \t\"'");
        if (!end) {
            frs_buffer_fini(&word);
            return NULL;
        }
        frs_buffer_put(&word, at + quoted, (size_t)(end - at) - quoted);
        at = end + quoted;
    }
    *text = at;
    char *copy = frs_format("%.*s", (int)word.n, word.n > 0 ? (const char *)word.bytes : "");
    frs_buffer_fini(&word);
    return copy;
}

static bool add_word(struct frs_command *command, const char **text, char *why, size_t size) {
    char *word = take_word(text);
    if (!word) {
        snprintf(why, size, "has a quote that does not end");
        return false;
    }
    char *expanded = frs_path_expand(word, why, size);
    free(word);
    if (!expanded)
        return false;
    command->words[command->n++] = expanded;
    if (command->n < MOST_WORDS)
        return true;
    snprintf(why, size, "has more than %u words", MOST_WORDS - 1);
    return false;
}

bool frs_command_read(const char *text, struct frs_command *command, char *why, size_t size) {
    *command = (struct frs_command){.words = frs_alloc(MOST_WORDS + 1, sizeof *command->words)};
    for (text = skip_blanks(text); *text; text = skip_blanks(text))
        if (!add_word(command, &text, why, size)) {
            frs_command_fini(command);
            return false;
        }
    if (command->n > 0 && *command->words[0])
        return true;
    snprintf(why, size, "names no program; allowed: one such as \"python3 method.py\"");
    frs_command_fini(command);
    return false;
}

void frs_command_fini(struct frs_command *command) {
    for (size_t i = 0; i < command->n; i++)
        free(command->words[i]);
    free(command->words);
    *command = (struct frs_command){0};
}

bool frs_command_file(const struct frs_command *command, size_t word, struct frs_digest *digest) {
    struct stat status;
    const char *path = command->words[word];
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && !frs_input_digest(path, digest);
}
