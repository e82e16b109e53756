#include "sim/setup/notes/data_note.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 3 };

static void print(FILE *out, int width, const char *name, const char *text) {
    frs_print_line(out, "  %-*s %s", width, name, text);
}

/* Whether a step says something that the description of the data does not. */
static bool is_told(const struct frs_data *data, size_t i) {
    return data->steps[i].given || data->steps[i].rows < data->steps[i - 1].rows;
}

static void print_split(const struct frs_data_step *parts, int width, FILE *out) {
    char *text =
        frs_format("%s = %s: %zu training, %zu validation and %zu test interactions (of %u, %u and %u users)",
            parts[0].key, parts[0].value, parts[0].rows, parts[1].rows, parts[2].rows, parts[0].users,
            parts[1].users, parts[2].users);
    print(out, width, "split", text);
    free(text);
}

static void print_steps(const struct frs_data *data, size_t n, int width, FILE *out) {
    bool any = false;
    for (size_t i = 1; i < n; i++)
        any |= is_told(data, i);
    for (size_t i = 0; any && i < n; i++) {
        const struct frs_data_step *step = &data->steps[i];
        if (i > 0 && !is_told(data, i))
            continue;
        char *text = i == 0 ? frs_format("%s: %zu rows, %u users, %u items", step->step, step->rows,
                                  step->users, step->items)
                            : frs_format("%s = %s: leaves %zu rows, %u users, %u items", step->key,
                                  step->value, step->rows, step->users, step->items);
        print(out, width, i == 0 ? "prepared" : "", text);
        free(text);
    }
}

void frs_data_steps_print(const struct frs_data *data, int width, FILE *out) {
    if (data->n_steps > PARTS) {
        print_steps(data, data->n_steps - PARTS, width, out);
        print_split(data->steps + data->n_steps - PARTS, width, out);
    }
    for (size_t i = 0; i < data->n_notes; i++)
        print(out, width, data->notes[i].topic, data->notes[i].text);
}

json_t *frs_data_steps_array(const struct frs_data *data) {
    json_t *steps = json_array();
    for (size_t i = 0; i < data->n_steps; i++) {
        const struct frs_data_step *step = &data->steps[i];
        json_t *object = json_object();
        json_object_set_new(object, "step", json_string(step->step));
        json_object_set_new(object, "key", json_string(step->key));
        json_object_set_new(object, "value", json_string(step->value));
        json_object_set_new(object, "rows", json_integer((json_int_t)step->rows));
        json_object_set_new(object, "users", json_integer(step->users));
        json_object_set_new(
            object, "items", step->items == FRS_NOT_COUNTED ? json_null() : json_integer(step->items));
        json_array_append_new(steps, object);
    }
    return steps;
}

json_t *frs_data_notes_array(const struct frs_data *data) {
    json_t *notes = json_array();
    for (size_t i = 0; i < data->n_notes; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "topic", json_string(data->notes[i].topic));
        json_object_set_new(object, "text", json_string(data->notes[i].text));
        json_array_append_new(notes, object);
    }
    return notes;
}
