/* What the program of an external method answers, and what it leaves in the memory that it shares. It is
 * refused with a reason, or what comes out is within the tables.
 *
 *   'h' lines of a hello · 't' and 'b' lines of tables, without and with budgets · 'c' a command · 'a' an
 * answer "trained ...", a newline, and the memory, which is repeated until it is full
 */
#include "sim/base/errors.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/external/answer.h"
#include "sim/external/command.h"
#include "sim/external/layout.h"
#include "sim/external/printed.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, ITEMS = 6, SAMPLES = 9 };

static void check_reason(const char *why) {
    FRS_INVARIANT(*why, "refused without a reason");
}

static void try_hello(const char *text) {
    struct frs_external external = {0};
    char why[512] = "";
    if (!frs_frames_hello(text, &external.traits, why, sizeof why)) {
        check_reason(why);
        return;
    }
    struct frs_learner *learner = frs_external_learner_create(&external);
    FRS_INVARIANT(learner->plugin.params[0].key, "a learner without keys");
    frs_external_learner_destroy(learner);
    frs_frames_keys_free(&external.traits);
}

static void try_tables(const char *text, bool takes_budgets) {
    const struct frs_external_traits traits = {
        .takes_budgets = takes_budgets, .sends_updates = takes_budgets};
    struct frs_external_tables tables;
    struct frs_layout layout;
    bool given[FRS_MAX_TABLES];
    char why[512] = "";
    if (!frs_frames_tables(text, &traits, &tables, given, why, sizeof why)) {
        check_reason(why);
        return;
    }
    FRS_INVARIANT(tables.n > 0 && tables.n <= FRS_MAX_TABLES, "%zu tables", tables.n);
    if (!frs_layout_init(&layout, &tables, ITEMS, SAMPLES, MOST_BYTES))
        return;
    for (size_t i = 0; i < tables.n; i++)
        FRS_INVARIANT(
            layout.values[i] + (tables.table[i].shared && !tables.table[i].own ? 1 : layout.most_clients) *
                                   tables.table[i].rows * tables.table[i].dim * sizeof(float) <=
                layout.bytes,
            "table %zu does not fit", i);
    FRS_INVARIANT(tables.budgets.max == 0 || (takes_budgets && tables.budgets.min > 0), "budgets");
    FRS_INVARIANT(layout.bytes <= MOST_BYTES, "%zu bytes", layout.bytes);
}

static void try_command(const char *text) {
    struct frs_command command;
    char why[512] = "";
    if (!frs_command_read(text, &command, why, sizeof why)) {
        check_reason(why);
        return;
    }
    FRS_INVARIANT(command.n > 0 && *command.words[0] && !command.words[command.n], "no words");
    frs_command_fini(&command);
}

static void check_rows(const struct frs_external_table *table, const struct frs_rows *rows, size_t dim) {
    FRS_INVARIANT(rows->n_rows == table->rows && rows->dim == dim && rows->n <= table->rows &&
                      (rows->ids || rows->n == table->rows),
        "rows of another shape");
    for (size_t i = 0; i < rows->n && rows->ids; i++)
        FRS_INVARIANT(rows->ids[i] < table->rows && (i == 0 || rows->ids[i] > rows->ids[i - 1]), "row %u",
            rows->ids[i]);
    for (size_t i = 0; i < rows->n * rows->dim; i++)
        FRS_INVARIANT(isfinite(rows->values[i]), "value %zu", i);
}

static void take(const struct frs_external_tables *tables, const struct frs_external_traits *traits,
    const struct frs_layout *layout, const char *line, const uint8_t *memory) {
    struct frs_frame_trained frame;
    struct frs_external_trained trained;
    struct frs_arena arena = {0};
    static const uint32_t items[ITEMS] = {0};
    float scores[ITEMS];
    const struct frs_scoring block[2] = {{0, items, 2, scores}, {1, items + 2, ITEMS - 2, scores + 2}};
    uint32_t budget = (uint32_t)strlen(line) % 4;
    char why[512] = "";
    if (!frs_frames_trained(line, tables, traits, 3, &frame, why, sizeof why) ||
        !frs_layout_take_trained(layout, memory, &frame, budget, &arena, &trained, why, sizeof why)) {
        check_reason(why);
    } else {
        check_rows(&tables->table[0], &trained.upload[0], budget > 0 ? budget : 3);
        check_rows(&tables->table[1], &trained.kept[1], 5);
        check_rows(&tables->table[2], &trained.upload[1], 4);
        check_rows(&tables->table[3], &trained.kept[3], 2);
        FRS_INVARIANT(
            isfinite(trained.loss) && trained.flop >= trained.post_flop && trained.epochs <= 3, "numbers");
    }
    if (frs_layout_take_scores(layout, memory, block, 2, why, sizeof why))
        FRS_INVARIANT(isfinite(scores[ITEMS - 1]), "a score");
    free(frs_layout_take_given(layout, memory, 0, why, sizeof why));
    frs_arena_fini(&arena);
}

static void try_answer(const char *text, const uint8_t *rest, size_t n) {
    const struct frs_external_tables tables = {.n = 4,
        .table = {{.name = "items", .shared = true, .rows = 7, .dim = 3, .by_budget = true},
            {.name = "users", .rows = 1, .dim = 5},
            {.name = "network", .shared = true, .own = true, .rows = 1, .dim = 4},
            {.name = "notes", .rows = 6, .dim = 2}}};
    const struct frs_external_traits traits = {.limits_epochs = true, .works_on = true};
    struct frs_layout layout;
    FRS_INVARIANT(frs_layout_init(&layout, &tables, ITEMS, SAMPLES, MOST_BYTES), "no room");
    uint8_t *memory = frs_alloc_aligned(layout.bytes, 1); /* not a byte more */
    for (size_t i = 0; i < layout.bytes && n > 0; i++)
        memory[i] = rest[i % n];
    take(&tables, &traits, &layout, text, memory);
    free(memory);
}

/* ---- what arrives ---------------------------------------------------------------------------- */

enum { ANSWER_BYTES = 200, WHY_BYTES = 700 };

/* What a whole answer is taken as. What it says goes where the conversation takes it. */
static void take_answer(struct frs_answer *answer, bool block) {
    char why[WHY_BYTES] = "";
    size_t arrived = answer->n;
    const char *text = frs_answer_take(answer, block, why, sizeof why);
    if (!text) {
        check_reason(why);
        return;
    }
    size_t n = strlen(text);
    FRS_INVARIANT(text >= answer->text && text + n < answer->text + answer->size && n < arrived,
        "an answer of %zu bytes among %zu", n, arrived);
    FRS_INVARIANT(
        !block || n == 0 || text[n - 1] == '\n' || frs_frames_error(text), "a block without an end");
    FRS_INVARIANT(block || !strchr(text, '\n'), "a line of several");
    if (block) {
        try_hello(text);
        try_tables(text, false);
    }
}

/* Byte k of the input is the length of the piece that follows. */
static void try_arrival(const uint8_t *data, size_t size, bool block) {
    struct frs_answer answer;
    char why[WHY_BYTES] = "";
    frs_answer_init(&answer, ANSWER_BYTES);
    while (size > 1 && !frs_answer_is_whole(&answer, block)) {
        size_t room, n = data[0] % 64u + 1;
        char *at = frs_answer_room(&answer, &room, why, sizeof why);
        n = n < size - 1 ? n : size - 1;
        n = n < room ? n : room;
        if (at)
            memcpy(at, data + 1, n);
        if (!at || !frs_answer_add(&answer, n, why, sizeof why)) {
            check_reason(why);
            break;
        }
        data += 1 + n;
        size -= 1 + n;
    }
    FRS_INVARIANT(answer.n < answer.size, "%zu bytes", answer.n);
    if (!*why && frs_answer_is_whole(&answer, block))
        take_answer(&answer, block);
    frs_answer_clear(&answer);
    frs_answer_fini(&answer);
}

static void try_print(const uint8_t *data, size_t size) {
    struct frs_printed *printed = frs_alloc(1, sizeof *printed);
    char *why = frs_alloc(WHY_BYTES, 1);
    memcpy(why, "ended", 6);
    while (size > 1) {
        size_t n = data[0] * 32u + 1;
        n = n < size - 1 ? n : size - 1;
        frs_printed_add(printed, (const char *)data + 1, n);
        data += 1 + n;
        size -= 1 + n;
    }
    FRS_INVARIANT(printed->n <= sizeof printed->last, "%zu bytes are kept", printed->n);
    frs_printed_quote(printed, why, WHY_BYTES);
    for (const char *at = why; *at; at++)
        FRS_INVARIANT((unsigned char)*at >= ' ' && *at != 0x7f, "a control character in a message");
    free(why);
    free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    char *text = frs_alloc(size, 1); /* with a zero behind it */
    memcpy(text, data + 1, size - 1);
    size_t line = strcspn(text, "\n");
    switch (data[0]) {
    case 'l':
    case 'k':
        try_arrival(data + 1, size - 1, data[0] == 'k');
        break;
    case 'p':
        try_print(data + 1, size - 1);
        break;
    case 'h':
        try_hello(text);
        break;
    case 't':
    case 'b':
        try_tables(text, data[0] == 'b');
        break;
    case 'c':
        try_command(text);
        break;
    default:
        text[line] = '\0';
        try_answer(text, data + 1 + line, size - 1 - line);
    }
    free(text);
    return 0;
}
