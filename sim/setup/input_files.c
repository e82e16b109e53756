#include "sim/setup/input_files.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/external/external.h"
#include "sim/plugins/plugins.h"

#include <stdlib.h>
#include <string.h>

/* Where results go is no input. */
static const char output[] = "output.";
static const char command[] = FRS_COMMAND_KEY;

struct noting {
    struct frs_setup *setup;
    size_t capacity;
};

static void add(struct noting *noting, const char *key, const char *path, const struct frs_digest *digest) {
    struct frs_setup *setup = noting->setup;
    setup->inputs = frs_grow(setup->inputs, setup->n_inputs + 1, &noting->capacity, sizeof *setup->inputs);
    setup->inputs[setup->n_inputs++] =
        (struct frs_input_file){.key = frs_strdup(key), .path = frs_strdup(path), .digest = *digest};
}

static bool is_of_data(const struct frs_data *data, const char *key) {
    for (size_t i = 0; i < data->n_inputs; i++)
        if (strcmp(data->inputs[i].key, key) == 0)
            return true;
    return false;
}

/* Data may have been read for another scenario (dataset_cache.h), and keep their digest from that time. A
 * file that was read a moment ago and cannot be read any more gets the digest of an empty text. */
static void note(void *context, const char *key, const char *path) {
    struct frs_digest digest;
    const struct noting *noting = context;
    if (strncmp(key, output, strlen(output)) == 0 || is_of_data(noting->setup->training.data, key))
        return;
    const char *ignored = frs_input_digest(path, &digest);
    (void)ignored;
    add(context, key, path, &digest);
}

/* As they were when they were loaded. */
static void note_plugins(struct noting *noting) {
    const struct frs_loaded_plugin *plugins;
    size_t n = frs_plugins_loaded(&plugins);
    for (size_t i = 0; i < n; i++) {
        char *key = frs_format(FRS_PLUGINS_KEY "%zu", i + 1);
        add(noting, key, plugins[i].path, &plugins[i].digest);
        free(key);
    }
}

/* The program of an external method, and what it is given: each word that names a file. */
static void note_word(void *context, size_t word, const char *path, const struct frs_digest *digest) {
    char *key = frs_format("%s.%zu", command, word);
    add(context, key, path, digest);
    free(key);
}

void frs_input_files_note(struct frs_setup *setup) {
    struct noting noting = {.setup = setup};
    note_plugins(&noting);
    const struct frs_data *data = setup->training.data;
    for (size_t i = 0; i < data->n_inputs; i++)
        add(&noting, data->inputs[i].key, data->inputs[i].path, &data->inputs[i].digest);
    frs_scenario_each_path(setup->scenario, note, &noting);
    if (setup->training.learner->external)
        frs_external_each_file(
            frs_values_text(frs_scenario_section(setup->scenario, "method"), "command"), note_word, &noting);
}

/* The first lines of what it writes say so (platforms/imports/import.h). */
char *frs_input_file_source(const char *path) {
    static const char mark[] = "# fedrecsim import ";
    char bytes[4096], *source = NULL;
    FILE *file;
    if (frs_input_open(path, &file))
        return NULL;
    size_t n = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    bytes[n] = '\0';
    for (char *line = bytes, *end; strncmp(line, mark, sizeof mark - 1) == 0 && (end = strchr(line, '\n'));
         line = end + 1) {
        *end = '\0';
        char *longer = frs_format("%s%s%s", source ? source : "", source ? "; " : "", line + sizeof mark - 1);
        free(source);
        source = longer;
    }
    return source;
}

char *frs_input_files_hash(const struct frs_setup *setup, char text[FRS_DIGEST_TEXT]) {
    struct frs_digester digester = frs_digester_init();
    text[0] = '\0';
    if (setup->n_inputs == 0)
        return text;
    for (size_t i = 0; i < setup->n_inputs; i++) {
        frs_digester_add_text(&digester, setup->inputs[i].key);
        frs_digester_add(&digester, setup->inputs[i].digest.bytes, FRS_DIGEST_BYTES);
    }
    struct frs_digest digest = frs_digester_finish(&digester);
    return frs_digest_text(&digest, text);
}
