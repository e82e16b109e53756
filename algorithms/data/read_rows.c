#include "algorithms/data/read_rows.h"
#include "algorithms/data/formats/format.h"
#include "algorithms/data/settings.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const path_keys[FRS_DATA_FILES] = {"path", "validation_path", "test_path"};

void frs_read_ids_fini(struct frs_read_ids *ids) {
    frs_ids_fini(&ids->users);
    frs_ids_fini(&ids->items);
    free(ids->user_numbers);
    free(ids->item_numbers);
    *ids = (struct frs_read_ids){0};
}

bool frs_data_is_generated(const struct frs_values *data) {
    enum frs_format_choice format = (enum frs_format_choice)frs_values_choice(data, "format");
    if (format == FRS_FORMAT_AUTO)
        return !*frs_values_find(data, "path")->text; /* reading it counts where it is used */
    return format == FRS_FORMAT_SYNTHETIC;
}

/* One file while it is read. */
struct one_file {
    const struct frs_values *data;
    const char *key, *path; /* key: NULL: it is no file */
    struct frs_row_builder *builder;
    const struct frs_data_format *format; /* of the file before, or NULL */
    bool guessed;
};

static enum frs_status read_lines(struct one_file *file, struct frs_bytes *bytes, struct frs_errors *errors) {
    struct frs_row_builder *builder = file->builder;
    struct frs_lines lines;
    struct frs_layout layout;
    enum frs_status status = FRS_OK;
    size_t rows_before = builder->rows->n;
    builder->path = file->path;
    builder->line = 0;
    builder->leaves_out_empty = frs_values_choice(file->data, "empty_ids") == FRS_EMPTY_LEAVE_OUT;
    builder->keeps_words = frs_values_choice(file->data, "empty_ids") == FRS_EMPTY_KEEP;
    builder->leaves_out_unrated = frs_values_choice(file->data, "empty_ratings") == FRS_EMPTY_LEAVE_OUT;
    frs_lines_init(&lines, bytes);
    struct frs_reading reading = {.data = file->data,
        .lines = &lines,
        .builder = builder,
        .head = frs_lines_head(&lines),
        .errors = errors};
    size_t format = frs_values_choice(file->data, "format");
    file->guessed = reading.guessed = format == FRS_FORMAT_AUTO;
    if (!lines.failure && reading.head.n == 0)
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: is empty; expected one interaction per line", file->path);
    if (!lines.failure && status == FRS_OK) {
        if (!file->guessed)
            file->format = frs_data_format_at(format - FRS_FORMAT_FIRST_FILE);
        else if (!file->format)
            file->format = frs_data_format_recognise(reading.head);
        if (file->format->lay_out)
            status = file->format->lay_out(&reading, &layout);
        if (status == FRS_OK && file->format->lay_out)
            frs_delimited_read(&layout, &lines, builder);
        else if (status == FRS_OK)
            file->format->read(&reading);
    }
    if (status == FRS_OK && lines.n_comments > 0 && rows_before == 0)
        frs_row_note(
            builder, frs_format("; %zu line%s of comments in front of the data %s passed over (\"%s\")",
                         lines.n_comments, lines.n_comments == 1 ? "" : "s",
                         lines.n_comments == 1 ? "is" : "are", lines.comment));
    if (lines.failure)
        status = lines.line ? frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: the file %s", file->path,
                                  lines.line, lines.failure)
                            : frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", file->path, lines.failure);
    frs_lines_fini(&lines);
    return builder->n_errors > 0 ? FRS_ERR_INPUT : status;
}

static enum frs_status read_file(
    struct one_file *file, struct frs_digest *digest, struct frs_errors *errors) {
    struct frs_bytes bytes;
    const char *reason = frs_bytes_open(&bytes, file->path);
    if (reason)
        return frs_values_error(file->data, file->key, errors, "%s: cannot be read: %s", file->path, reason);
    enum frs_status status = read_lines(file, &bytes, errors);
    *digest = frs_digester_finish(&bytes.digester);
    frs_bytes_close(&bytes);
    return status;
}

/* "recbole, tab, 3 columns, 100,000 rows (user id = user_id:token, …)" of a format that was recognised. */
static char *describe(const struct one_file *file) {
    const struct frs_row_builder *builder = file->builder;
    char n_columns[40] = "", count[FRS_TEXT_COUNT_CHARS];
    if (!file->guessed)
        return frs_strdup(file->format->name);
    if (builder->n_columns)
        snprintf(n_columns, sizeof n_columns, ", %zu columns", builder->n_columns);
    char *columns = frs_row_builder_columns(builder);
    char *text = frs_format("%s, %s%s, %s rows%s%s%s", file->format->name, builder->separated, n_columns,
        frs_text_count(builder->rows->n, count), *columns ? " (" : "", columns, *columns ? ")" : "");
    free(columns);
    return text;
}

static char *settings_of(const struct one_file *file) {
    const char *reading = file->builder->reading;
    const struct frs_row_builder *builder = file->builder;
    char *columns = frs_row_builder_settings(file->builder);
    const char *empty = builder->leaves_out_empty ? " empty_ids = \"leave_out\";"
                        : builder->keeps_words    ? " empty_ids = \"keep_words\";"
                                                  : "";
    char *text = frs_format("format = \"%s\";%s%s%s%s%s%s", file->format->name, *reading ? " " : "", reading,
        *columns ? " " : "", columns, empty,
        builder->leaves_out_unrated ? " empty_ratings = \"leave_out\";" : "");
    free(columns);
    return text;
}

static enum frs_status finish(
    struct one_file *file, enum frs_status status, bool counts, struct frs_read_ids *ids) {
    struct frs_row_builder *builder = file->builder;
    struct frs_rows *rows = builder->rows;
    if (status != FRS_OK)
        frs_rows_fini(rows);
    else
        status =
            frs_row_builder_finish(builder, ids ? &ids->user_numbers : NULL, ids ? &ids->item_numbers : NULL);
    if (status == FRS_OK) {
        rows->layout = describe(file);
        rows->settings = settings_of(file);
        rows->rated &= !counts;
    }
    if (ids && status == FRS_OK) {
        ids->users = builder->users;
        ids->items = builder->items;
        builder->users = builder->items = (struct frs_ids){0};
    }
    frs_row_builder_fini(builder);
    return status;
}

enum frs_status frs_read_rows(const struct frs_values *data, const char *const paths[FRS_DATA_FILES],
    struct frs_rows *rows, struct frs_read_ids *ids, struct frs_digest digests[FRS_DATA_FILES],
    struct frs_errors *errors) {
    struct frs_row_builder builder;
    enum frs_status status = FRS_OK;
    bool counts = false;
    if (ids)
        *ids = (struct frs_read_ids){0};
    frs_row_builder_init(&builder, rows, errors);
    struct one_file file = {.data = data, .builder = &builder};
    for (int i = 0; i < FRS_DATA_FILES && status == FRS_OK; i++) {
        if (!paths[i])
            continue;
        file.key = path_keys[i];
        file.path = paths[i];
        if (i > 0)
            rows->given_starts[i - 1] = rows->n;
        status = read_file(&file, &digests[i], errors);
        counts |= status == FRS_OK && file.format->counts;
    }
    return finish(&file, status, counts, ids);
}

enum frs_status frs_read_rows_of(const struct frs_values *data, const char *name, const char *text, size_t n,
    struct frs_rows *rows, struct frs_errors *errors) {
    struct frs_row_builder builder;
    struct frs_bytes bytes;
    frs_row_builder_init(&builder, rows, errors);
    struct one_file file = {.data = data, .path = name, .builder = &builder};
    const char *reason = frs_bytes_of(&bytes, text, n);
    if (reason)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", name, reason);
    enum frs_status status = read_lines(&file, &bytes, errors);
    frs_bytes_close(&bytes);
    return finish(&file, status, status == FRS_OK && file.format->counts, NULL);
}
