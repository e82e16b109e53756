#include "sim/setup/compose/plugins_check.h"
#include "sim/base/files/input.h"
#include "sim/base/settings/path.h"
#include "sim/base/settings/texts.h"
#include "sim/plugins/plugins.h"

#include <stdlib.h>

static bool is_loaded(const char *element) {
    struct frs_digest digest;
    char reason[320], text[FRS_DIGEST_TEXT], *path = frs_path_expand(element, reason, sizeof reason);
    bool is = path && !frs_input_digest(path, &digest) && frs_plugins_find(frs_digest_text(&digest, text));
    free(path);
    return is;
}

void frs_compose_check_plugins(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *plugins = frs_scenario_section(setup->scenario, "plugins");
    char **elements;
    size_t n = frs_texts_split(frs_values_text(plugins, "files"), &elements);
    for (size_t i = 0; i < n; i++)
        if (!is_loaded(elements[i]))
            frs_values_error(plugins, "files", errors, "\"%s\" is not loaded; allowed: with --plugin %s",
                elements[i], elements[i]);
    frs_texts_free(elements);
}
