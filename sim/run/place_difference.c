#include "sim/run/place_difference.h"
#include "sim/base/buffer.h"
#include "sim/base/identity.h"
#include "sim/base/memory.h"
#include "sim/scenario/hash.h"
#include "sim/setup/setup.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void add_setting(void *context, const char *key, const char *text) {
    if (frs_scenario_decides_results(key))
        frs_identity_add(context, key, text);
}

static void add_file(struct frs_buffer *identity, const char *key, const char *path, const char *digest) {
    char *name = frs_format("what %s (%s) held", path, key), *value = frs_format("of digest %s", digest);
    frs_identity_add(identity, name, value);
    free(name);
    free(value);
}

/* As what a setup is, of its manifest. Only strings are settings. */
static void add_manifest(struct frs_buffer *identity, json_t *manifest) {
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(manifest, "scenario"), key, value) if (json_is_string(value))
        add_setting(identity, key, json_string_value(value));
    json_object_foreach(json_object_get(manifest, "files"), key, value) {
        const char *path = json_string_value(json_object_get(value, "path")),
                   *digest = json_string_value(json_object_get(value, "digest"));
        if (path && digest)
            add_file(identity, key, path, digest);
    }
}

char *frs_run_place_difference(const struct frs_setup *setup) {
    struct frs_buffer was = {0}, is = {0};
    char *path = frs_format("%s/manifest.json", setup->directory), *difference = NULL;
    json_t *manifest = json_load_file(path, 0, NULL);
    if (manifest) {
        add_manifest(&was, manifest);
        frs_scenario_each(setup->scenario, add_setting, &is);
        for (size_t i = 0; i < setup->n_inputs; i++) {
            char text[FRS_DIGEST_TEXT];
            add_file(&is, setup->inputs[i].key, setup->inputs[i].path,
                frs_digest_text(&setup->inputs[i].digest, text));
        }
        frs_buffer_put_u8(&was, 0);
        frs_buffer_put_u8(&is, 0);
        difference = frs_identity_difference((const char *)was.bytes, (const char *)is.bytes);
        json_decref(manifest);
    }
    frs_buffer_fini(&was);
    frs_buffer_fini(&is);
    free(path);
    return difference;
}
