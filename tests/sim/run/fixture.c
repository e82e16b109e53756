#include "tests/sim/run/fixture.h"
#include "tests/sim/run/columns_fixture.h"
#include "analysis/read/run_reader.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/errors.h"
#include "sim/cli/commands.h"
#include "sim/base/files/program.h"

#include <signal.h>
#include <wordexp.h>

char frs_said[8192];

char frs_folder[64];

bool frs_keeps_what_ifs;
unsigned frs_most_s;

void folder_setup(void) {
    strcpy(frs_folder, "/tmp/fedrecsim-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(frs_folder));
}

int shell(const char *format, ...) {
    va_list arguments;
    char *command = NULL;
    va_start(arguments, format);
    ck_assert_int_ge(vasprintf(&command, format, arguments), 0);
    va_end(arguments);
    char *line = frs_format("cd '%s' && { %s; }", frs_folder, command);
    int status = system(line);
    free(line);
    free(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

void folder_teardown(void) {
    shell("rm -rf \"$PWD\"");
}

FILE *folder_open(const char *name, const char *mode) {
    char *path = frs_format("%s/%s", frs_folder, name);
    FILE *file = fopen(path, mode);
    ck_assert_msg(file, "%s cannot be opened", path);
    free(path);
    return file;
}

void write_text(const char *name, const char *text) {
    FILE *file = folder_open(name, "w");
    fputs(text, file);
    fclose(file);
}

char *read_text(const char *name) {
    FILE *file = folder_open(name, "r");
    char *text = NULL;
    size_t n = 0;
    ssize_t length = getdelim(&text, &n, '\0', file);
    fclose(file);
    if (length >= 0)
        return text;
    free(text);
    return frs_strdup("");
}

/* In the child: the arguments as a shell would split them, in the test's folder, with its streams. */
__attribute__((noreturn)) static void be_program(const char *line) {
    wordexp_t words = {.we_offs = 1};
    if (chdir(frs_folder) != 0 || wordexp(line, &words, WRDE_DOOFFS | WRDE_NOCMD) != 0 ||
        !freopen("/dev/null", "r", stdin) || !freopen("said", "w", stdout) || dup2(1, 2) < 0)
        _exit(99);
    words.we_wordv[0] = (char[]){"fedrecsim"};
    alarm(frs_most_s);
    exit(frs_cli_main((int)words.we_wordc + 1, words.we_wordv, "tests"));
}

/* Check ends its whole process group by these signals; a program that gets one before it has handlers of its
 * own ends by itself. */
static void forget_handlers(const sigset_t *before) {
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
}

static bool plays_what_ifs(const char *line) {
    return frs_keeps_what_ifs || strncmp(line, "run ", 4) != 0 || strstr(line, "--resume") ||
           strstr(line, "what_if");
}

static pid_t start_line(char *line) {
    sigset_t ending, before;
    if (!plays_what_ifs(line)) {
        char *without = frs_format("%s --set output.what_if=none", line);
        free(line);
        line = without;
    }
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    write_text("said", "");
    fflush(NULL);         /* what was not written yet is the test's, not the child's */
    frs_program_digest(); /* so that no child has to read this large program */
    sigprocmask(SIG_BLOCK, &ending, &before);
    pid_t pid = fork();
    if (pid == 0) {
        forget_handlers(&before);
        be_program(line);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    ck_assert_int_gt(pid, 0);
    free(line);
    return pid;
}

pid_t start_program(const char *format, ...) {
    va_list arguments;
    char *line = NULL;
    va_start(arguments, format);
    ck_assert_int_ge(vasprintf(&line, format, arguments), 0);
    va_end(arguments);
    return start_line(line);
}

int end_of_program(pid_t pid) {
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    char *text = read_text("said");
    snprintf(frs_said, sizeof frs_said, "%s", text);
    free(text);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

int run_program(const char *format, ...) {
    va_list arguments;
    char *line = NULL;
    va_start(arguments, format);
    ck_assert_int_ge(vasprintf(&line, format, arguments), 0);
    va_end(arguments);
    return end_of_program(start_line(line));
}

/* What a run can be asked for before there is one (analysis/statistics/metric_names.h) is all that any run
 * has. */
static void check_figures_are_known(const char *out) {
    struct frs_errors errors = {0};
    struct frs_run_results run;
    char *path = frs_format("%s/%s", frs_folder, out);
    ck_assert_msg(frs_run_read(path, &run, &errors) == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    for (size_t i = 0; i < run.metrics.n; i++)
        ck_assert_msg(frs_metric_is_known(run.metrics.list[i].name, frs_run_setting(&run, "evaluation.k")),
            "%s: %s is no known figure", out, run.metrics.list[i].name);
    frs_run_fini(&run);
    free(path);
}

void run_scenario(const char *scenario, const char *out, const char *options) {
    int code = run_program("run %s --quiet --out %s %s", scenario, out, options);
    ck_assert_msg(code == 0, "%s %s: exit code %d: %s", scenario, options, code, frs_said);
    check_figures_are_known(out);
    char *directory = frs_format("%s/%s", frs_folder, out);
    check_columns_are_documented(directory);
    free(directory);
}

/* Splits a line at its commas in place; returns the number of fields. */
static size_t split_line(char *line, char **fields, size_t max) {
    size_t n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *field; (field = strsep(&line, ",")) && n < max;)
        fields[n++] = field;
    return n;
}

/* Every field but an empty one has to be a finite number and nothing else. */
static double number_of(const char *name, const char *field) {
    char *end;
    if (!*field)
        return NAN;
    double value = strtod(field, &end);
    ck_assert_msg(*end == '\0' && isfinite(value), "%s: \"%s\" is not a number", name, field);
    return value;
}

/* Columns of names (…_class) are not numbers and read as NaN; a reason in column `lost` reads as 1. */
static double field_value(const char *name, const char *column, const char *field) {
    if (strstr(column, "_class"))
        return NAN;
    bool is_reason = strcmp(column, "lost") == 0 && strpbrk(field, "_abcdefghijklmnopqrstuvwxyz");
    return is_reason ? 1 : number_of(name, field);
}

enum { MOST_COLUMNS = 256 };

struct table table_load(const char *out, const char *name) {
    char *path = frs_format("%s/%s", out, name), *line = NULL, *fields[MOST_COLUMNS];
    FILE *file = folder_open(path, "r");
    size_t size = 0, capacity = 0;
    struct table table = {0};
    ck_assert_msg(getline(&line, &size, file) > 0, "%s is empty", path);
    table.n_columns = split_line(line, fields, MOST_COLUMNS);
    table.names = frs_alloc(table.n_columns, sizeof *table.names);
    for (size_t i = 0; i < table.n_columns; i++)
        table.names[i] = frs_strdup(fields[i]);
    while (getline(&line, &size, file) > 0) {
        ck_assert_msg(
            split_line(line, fields, MOST_COLUMNS) == table.n_columns, "%s: row %zu", path, table.n_rows + 1);
        table.values =
            frs_grow(table.values, (table.n_rows + 1) * table.n_columns, &capacity, sizeof *table.values);
        for (size_t i = 0; i < table.n_columns; i++)
            table.values[table.n_rows * table.n_columns + i] = field_value(path, table.names[i], fields[i]);
        table.n_rows++;
    }
    fclose(file);
    free(line);
    free(path);
    return table;
}

void table_fini(struct table *table) {
    for (size_t i = 0; i < table->n_columns; i++)
        free(table->names[i]);
    free(table->names);
    free(table->values);
    *table = (struct table){0};
}

double cell(const struct table *table, size_t row, const char *column) {
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->names[i], column) == 0)
            return table->values[row * table->n_columns + i];
    ck_abort_msg("there is no column %s", column);
    return NAN;
}

double column_sum(const struct table *table, const char *column) {
    double sum = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        sum += cell(table, row, column);
    return sum;
}

double json_of(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    ck_assert_msg(json_is_number(value), "\"%s\" is missing or no number", key);
    return json_number_value(value);
}

json_t *next_line(FILE *file) {
    char *line = NULL;
    size_t size = 0;
    json_t *object = NULL;
    if (getline(&line, &size, file) > 0) {
        object = json_loads(line, 0, NULL);
        ck_assert_msg(object, "no JSON: %s", line);
    }
    free(line);
    return object;
}

/* What the server does before its messages leave, connecting, and a device beside them, is passed over. */
static json_t *next_phase(FILE *file) {
    static const char *const passed[] = {"encode", "setup", "queue", "post"};
    for (json_t *object; (object = next_line(file)) != NULL; json_decref(object)) {
        const char *phase = json_string_value(json_object_get(object, "phase"));
        size_t i = 0;
        while (i < 4 && !(phase && strcmp(phase, passed[i]) == 0))
            i++;
        if (i == 4)
            return object;
    }
    return NULL;
}

bool next_event(FILE *file, struct event *event) {
    static const char *const phases[] = {"down", "compute", "up"};
    for (size_t i = 0; i < 3; i++) {
        json_t *object = next_phase(file);
        if (!object && i == 0)
            return false;
        ck_assert_ptr_nonnull(object);
        ck_assert_str_eq(json_string_value(json_object_get(object, "phase")), phases[i]);
        uint32_t client = (uint32_t)json_of(object, "client"), round = (uint32_t)json_of(object, "round");
        if (i == 0)
            *event = (struct event){.client = client, .round = round, .t = {json_of(object, "t0_s")}};
        ck_assert_uint_eq(event->client, client);
        ck_assert_uint_eq(event->round, round);
        ck_assert_double_eq(event->t[i], json_of(object, "t0_s"));
        event->t[i + 1] = json_of(object, "t1_s");
        event->flop += json_of(object, "flop");
        *(i == 0 ? &event->down_bytes : &event->up_bytes) += json_of(object, "bytes");
        json_t *outcome = json_object_get(object, "outcome");
        ck_assert_int_eq(outcome != NULL, i == 2);
        if (outcome)
            ck_assert_str_eq(json_string_value(outcome), "delivered");
        json_decref(object);
    }
    return true;
}

json_t *load_json(const char *out, const char *name) {
    char *path = frs_format("%s/%s", out, name);
    FILE *file = folder_open(path, "r");
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(root, "%s is no JSON", path);
    fclose(file);
    free(path);
    return root;
}

double json_path(json_t *root, const char *first, const char *second) {
    json_t *object = json_object_get(root, first);
    ck_assert_msg(object, "\"%s\" is missing", first);
    return second ? json_of(object, second) : json_number_value(object);
}

bool close_to(double a, double b, double relative) {
    return fabs(a - b) <= relative * fmax(fabs(a), fabs(b)) + 1e-12;
}
