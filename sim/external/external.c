#include "sim/external/external.h"
#include "sim/base/buffer.h"
#include "sim/base/consent.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/external/session.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long a program may take to say what it is: what it imports can lie on a slow disk. */
#define HELLO_S 120.0

/* Items to be scored that a frame has room for, and all items if there are more. */
#define ITEMS_AT_ONCE ((size_t)1 << 17)

/* One command, in the registry of those that this process has asked. */
struct program {
    struct frs_external external; /* first: what the learner is given */
    struct program *next;
    char *text;
    struct frs_command command;
    char *hello; /* NULL: it could not be asked, */
    char *why;   /* because of this */
    struct frs_learner *learner;
    struct frs_begun *begun;
    size_t n_begun, capacity;
};

/* The registry: commands are added, and none is changed or removed. Scenarios are read by one thread. */
static struct program *programs;

/* ---- begin ----------------------------------------------------------------------------------- */

static void put_line(struct frs_buffer *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_line(struct frs_buffer *text, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    frs_buffer_put(text, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* Freed by the caller. NULL: a setting cannot be told in one line. */
static char *question_of(const struct frs_external_begin *begin, char *why, size_t size) {
    const struct frs_population *population = begin->setup->population;
    struct frs_buffer text = {0};
    put_line(&text, "begin\nclients %u\nitems %u\nseed %" PRIu64 "\nnegatives %zu\n", population->n_clients,
        population->n_items, population->seed, begin->setup->negatives_per_positive);
    put_line(&text, "ratings %.9g %.9g\n", (double)population->rating_min, (double)population->rating_max);
    for (size_t i = 0; i < begin->n_settings; i++) {
        const char *value = begin->settings[i].text;
        if (strpbrk(value, "\r\n")) {
            snprintf(
                why, size, "cannot be told method.%s, which has more than one line", begin->settings[i].key);
            frs_buffer_fini(&text);
            return NULL;
        }
        put_line(&text, "set %s ", begin->settings[i].key);
        frs_buffer_put(&text, value, strlen(value));
        frs_buffer_put(&text, "\n", 1);
    }
    frs_buffer_put(&text, "end\n", sizeof "end\n");
    return (char *)text.bytes;
}

static const struct frs_external_tables *find_begun(const struct program *program, const char *question) {
    for (size_t i = 0; i < program->n_begun; i++)
        if (strcmp(program->begun[i].question, question) == 0)
            return &program->begun[i].tables;
    return NULL;
}

static void keep_begun(
    struct program *program, const char *question, const struct frs_external_tables *tables) {
    program->begun =
        frs_grow(program->begun, program->n_begun + 1, &program->capacity, sizeof *program->begun);
    program->begun[program->n_begun++] = (struct frs_begun){frs_strdup(question), *tables};
}

static void *begin(const struct frs_external *external, const struct frs_external_begin *asked,
    struct frs_external_tables *tables, char *why, size_t size) {
    struct program *program = (struct program *)external;
    char *question = question_of(asked, why, size);
    if (!question)
        return NULL;
    size_t n_items = asked->setup->population->n_items;
    struct frs_session *session =
        frs_session_create(&(struct frs_session_settings){.command = &program->command,
            .traits = &external->traits,
            .hello = program->hello,
            .question = question,
            .most_items = n_items > ITEMS_AT_ONCE ? n_items : ITEMS_AT_ONCE,
            .most_samples = asked->most_samples,
            .patience_s = asked->patience_s,
            .copies = asked->copies});
    const struct frs_external_tables *known = find_begun(program, question);
    bool is_known = known != NULL;
    if (is_known)
        *tables = *known;
    bool good = frs_session_begin(session, known, tables, why, size);
    if (good && !is_known)
        keep_begun(program, question, tables);
    free(question);
    if (good)
        return session;
    frs_session_end(session);
    return NULL;
}

/* ---- hello ----------------------------------------------------------------------------------- */

/* Asks a child that does nothing else. */
static bool say_hello(struct program *program, char *why, size_t size) {
    struct frs_child child;
    if (!frs_child_start(&child, &program->command, why, size))
        return false;
    const char *answer = frs_child_ask(&child, FRS_EXTERNAL_GREETING, true, HELLO_S, why, size);
    const char *error = answer ? frs_frames_error(answer) : NULL;
    bool good = answer && !error && frs_frames_hello(answer, &program->external.traits, why, size);
    if (good)
        program->hello = frs_strdup(answer);
    if (error)
        snprintf(why, size, "says: %.600s", error);
    if (!good)
        frs_child_quote(&child, why, size);
    frs_child_end(&child, good);
    return good;
}

static struct program *find(const char *text) {
    for (struct program *program = programs; program; program = program->next)
        if (strcmp(program->text, text) == 0)
            return program;
    return NULL;
}

static struct program *ask(const char *text) {
    struct program *program = frs_alloc(1, sizeof *program);
    char why[1024];
    program->text = frs_strdup(text);
    program->next = programs;
    programs = program;
    program->external.begin = begin;
    program->external.train = frs_session_train;
    program->external.score = frs_session_score;
    program->external.failure = frs_session_failure;
    program->external.end = frs_session_end;
    if (!frs_command_read(text, &program->command, why, sizeof why) || !say_hello(program, why, sizeof why)) {
        char shown[200];
        program->why = frs_format("\"%s\" %s", frs_text_line(text, shown, sizeof shown), why);
    } else {
        program->learner = frs_external_learner_create(&program->external);
    }
    return program;
}

const struct frs_plugin *frs_external_plugin(const char *command, char *why, size_t size) {
    if (!frs_consent_is_given()) {
        char shown[200];
        snprintf(why, size, "runs \"%s\", " FRS_CONSENT_MISSING, frs_text_line(command, shown, sizeof shown));
        return NULL;
    }
    struct program *program = find(command);
    if (!program)
        program = ask(command);
    if (!program->learner)
        snprintf(why, size, "%s", program->why);
    return program->learner ? &program->learner->plugin : NULL;
}

void frs_external_each_file(const char *text,
    void (*each)(void *context, size_t word, const char *path, const struct frs_digest *digest),
    void *context) {
    struct frs_command command;
    struct frs_digest digest;
    char why[256];
    if (!frs_command_read(text, &command, why, sizeof why))
        return;
    for (size_t i = 0; i < command.n; i++)
        if (frs_command_file(&command, i, &digest))
            each(context, i, command.words[i], &digest);
    frs_command_fini(&command);
}
