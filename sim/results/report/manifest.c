/* manifest.json: all that is needed to repeat a run. */
#include "algorithms/kernels/algebra/library.h"
#include "sim/base/numbers/levels.h"
#include "analysis/read/run_reader.h"
#include "sim/results/report/emulation_object.h"
#include "sim/results/json_file.h"
#include "sim/results/report/writers.h"
#include "sim/results/report/summary.h"
#include "sim/results/report/library_versions.h"
#include "sim/setup/input_files.h"
#include "sim/setup/notes/data_note.h"
#include "sim/scenario/hash.h"

#include <stdlib.h>

static void set_text(void *context, const char *key, const char *text) {
    frs_json_set_text(context, key, text);
}

/* What was varied by hand, so that a comparison of two runs can tell it from what merely differs. */
static void set_puts(json_t *root, const struct frs_setup *setup) {
    json_t *puts = json_object();
    frs_scenario_each_set(setup->scenario, set_text, puts);
    if (json_object_size(puts) > 0)
        json_object_set(root, "set", puts);
    json_decref(puts);
}

static void set_files(json_t *root, const struct frs_setup *setup) {
    char text[FRS_DIGEST_TEXT];
    if (setup->n_inputs == 0)
        return;
    frs_json_set_text(root, "files_hash", frs_input_files_hash(setup, text));
    json_t *object = frs_json_add_object(root, "files");
    for (size_t i = 0; i < setup->n_inputs; i++) {
        json_t *file = frs_json_add_object(object, setup->inputs[i].key);
        frs_json_set_text(file, "path", setup->inputs[i].path);
        frs_json_set_text(file, "digest", frs_digest_text(&setup->inputs[i].digest, text));
        char *source = frs_input_file_source(setup->inputs[i].path);
        if (source)
            frs_json_set_text(file, "imported", source);
        free(source);
    }
}

enum frs_status frs_write_manifest(
    const struct frs_run_directory *directory, const struct frs_outputs *outputs, struct frs_errors *errors) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_data *data = setup->training.data;
    json_t *root = json_object();
    frs_json_set_text(root, "program", "fedrecsim");
    frs_json_set_text(root, "version", FRS_VERSION);
    frs_json_set_count(root, "format", FRS_RUN_FORMAT);
    frs_json_set_count(root, "seed", setup->training.seed);
    char hash[FRS_DIGEST_TEXT];
    frs_json_set_text(root, "scenario_hash", frs_scenario_hash(setup->scenario, hash));
    frs_scenario_each(setup->scenario, set_text, frs_json_add_object(root, "scenario"));
    frs_scenario_each_inactive_key(setup->scenario, set_text, frs_json_add_object(root, "resting"));
    set_puts(root, setup);
    set_files(root, setup);
    json_t *about = frs_json_add_object(root, "data");
    frs_json_set_text(about, "description", data->description);
    frs_json_set_text(about, "hash", data->hash);
    frs_json_set_count(about, "clients", data->population.n_clients);
    frs_json_set_count(about, "items", data->population.n_items);
    frs_json_set_count(about, "interactions", data->n_interactions);
    frs_json_set_text(about, "order", data->order);
    if (data->ties) {
        frs_json_set_text(about, "ties", data->ties);
        frs_json_set_count(about, "users_tied_at_test", data->n_ties_test);
        frs_json_set_count(about, "users_tied_at_validation", data->n_ties_validation);
    }
    json_object_set_new(about, "preparation", frs_data_steps_array(data));
    json_object_set_new(about, "notes", frs_data_notes_array(data));
    if (outputs->result->ending != FRS_ENDED_WHOLE)
        frs_json_set_text(root, "status", frs_ending_name(outputs));
    if (*outputs->result->why)
        frs_json_set_text(root, "reason", outputs->result->why);
    json_t *engine = frs_json_add_object(root, "engine");
    frs_json_set_text(engine, "network_model", frs_network_model_names[setup->network.model]);
    frs_json_set_text(engine, "backend", setup->backend->name);
    frs_json_set_text(engine, "solver",
        outputs->emulation                       ? "TCP of the kernel, in real time"
        : setup->backend == &frs_backend_simgrid ? "SimGrid"
                                                 : "water-filling (exact max-min rates)");
    if (outputs->emulation)
        frs_emulation_object(frs_json_add_object(root, "emulation"), outputs->emulation);
    json_object_set_new(root, "deterministic",
        json_boolean(frs_devices_deterministic(&setup->devices) && !outputs->emulation));
    json_t *kernels = frs_json_add_object(root, "kernels");
    frs_json_set_text(kernels, "vector_level", frs_vector_level());
    frs_json_set_text(kernels, "blas_core", frs_library_core());
    json_t *libraries = frs_json_add_object(root, "libraries");
    frs_version_each(set_text, libraries);
    return frs_json_write(directory, "manifest.json", root, errors);
}
