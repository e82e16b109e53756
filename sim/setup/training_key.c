#include "sim/setup/training_key.h"
#include "algorithms/kernels/algebra/library.h"
#include "sim/base/buffer.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/files/program.h"
#include "sim/base/settings/params.h"
#include "sim/base/identity.h"
#include "sim/plugins/plugins.h"
#include "sim/scenario/hash.h"
#include "sim/setup/input_files.h"

#include <stdlib.h>
#include <string.h>

/* The program itself, and the plug-ins it has loaded: a journal must not outlive a change of the kernels. */
static void add_program(struct frs_digester *digester) {
    frs_digester_add_text(digester, FRS_VERSION);
    frs_digester_add_text(digester, frs_vector_level());
    frs_digester_add_text(digester, frs_library_core());
    frs_digester_add(digester, frs_program_digest()->bytes, FRS_DIGEST_BYTES);
    const struct frs_loaded_plugin *plugins;
    size_t n = frs_plugins_loaded(&plugins);
    for (size_t i = 0; i < n; i++)
        frs_digester_add(digester, plugins[i].digest.bytes, FRS_DIGEST_BYTES);
}

/* Another program that trains is another training. */
static void add_command(struct frs_digester *digester, const struct frs_setup *setup) {
    for (size_t i = 0; i < setup->n_inputs; i++)
        if (strncmp(setup->inputs[i].key, FRS_COMMAND_KEY, strlen(FRS_COMMAND_KEY)) == 0)
            frs_digester_add(digester, setup->inputs[i].digest.bytes, FRS_DIGEST_BYTES);
}

/* The probabilities by which a correction weighs uploads also follow from settings that are no part of
 * training. */
static void add_probabilities(struct frs_digester *digester, const struct frs_setup *setup) {
    size_t n;
    const double *probabilities =
        frs_corrected_sum_probabilities(&setup->training.server_step.correction, &n);
    if (probabilities)
        frs_digester_add(digester, probabilities, n * sizeof *probabilities);
}

/* Sums of the uploads of an edge are rounded. */
static void add_edges(struct frs_digester *digester, const struct frs_setup *setup) {
    if (setup->training.edge_of_client)
        frs_digester_add(digester, setup->training.edge_of_client,
            setup->training.data->population.n_clients * sizeof *setup->training.edge_of_client);
}

struct frs_digest frs_training_key(const struct frs_setup *setup) {
    struct frs_digester digester = frs_digester_init();
    char hash[FRS_DIGEST_TEXT];
    add_program(&digester);
    frs_digester_add_text(&digester, frs_scenario_training_hash(setup->scenario, hash));
    frs_digester_add_text(&digester, setup->training.data->hash);
    add_command(&digester, setup);
    add_probabilities(&digester, setup);
    add_edges(&digester, setup);
    return frs_digester_finish(&digester);
}

static void add_setting(void *context, const char *key, const char *text) {
    if (frs_scenario_decides_learning(key))
        frs_identity_add(context, key, text);
}

static void add_digest(struct frs_buffer *identity, const char *name, const struct frs_digest *digest) {
    char text[FRS_DIGEST_TEXT], *value = frs_format("of digest %s", frs_digest_text(digest, text));
    frs_identity_add(identity, name, value);
    free(value);
}

char *frs_training_identity(const struct frs_setup *setup) {
    struct frs_buffer identity = {0};
    const struct frs_loaded_plugin *plugins;
    size_t n = frs_plugins_loaded(&plugins);
    frs_scenario_each(setup->scenario, add_setting, &identity);
    char *data = frs_format("of digest %s", setup->training.data->hash);
    frs_identity_add(&identity, "the data set", data);
    free(data);
    for (size_t i = 0; i < setup->n_inputs; i++)
        if (strncmp(setup->inputs[i].key, FRS_COMMAND_KEY, strlen(FRS_COMMAND_KEY)) == 0)
            add_digest(&identity, setup->inputs[i].path, &setup->inputs[i].digest);
    for (size_t i = 0; i < n; i++) {
        char *name = frs_format("plug-in %s", plugins[i].path);
        add_digest(&identity, name, &plugins[i].digest);
        free(name);
    }
    add_digest(&identity, "the program", frs_program_digest());
    if (setup->training.edge_of_client)
        frs_identity_add(&identity, "network.edges", "which add up uploads");
    frs_identity_add(&identity, "the version", FRS_VERSION);
    frs_identity_add(&identity, "the vector level of the processor", frs_vector_level());
    frs_identity_add(&identity, "the core of OpenBLAS", frs_library_core());
    frs_buffer_put_u8(&identity, 0);
    return (char *)identity.bytes;
}

static void add_section(struct frs_digester *digester, const struct frs_values *values) {
    for (size_t i = 0; i < values->n; i++) {
        const struct frs_value *value = &values->values[i];
        char *text = value->said ? frs_strdup(value->said) : frs_value_format(value);
        frs_digester_add_text(digester, text);
        free(text);
    }
}

struct frs_digest frs_non_federated_key(const struct frs_setup *setup) {
    struct frs_digester digester = frs_digester_init();
    add_program(&digester);
    frs_digester_add_text(&digester, "references");
    frs_digester_add_u64(&digester, setup->training.seed);
    frs_digester_add_text(&digester, setup->training.data->hash);
    add_section(&digester, frs_scenario_section(setup->scenario, "data"));
    add_section(&digester, frs_scenario_section(setup->scenario, "evaluation"));
    return frs_digester_finish(&digester);
}
