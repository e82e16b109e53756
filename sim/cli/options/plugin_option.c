#include "sim/cli/options/plugin_option.h"
#include "sim/base/consent.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/path.h"
#include "sim/base/settings/texts.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/plugins/plugins.h"

#include <stdbool.h>
#include <stdlib.h>

/* One line, whatever else is wrong: `where` in front of what was found first. */
static _Noreturn void refuse(const char *where, struct frs_errors *found) {
    struct frs_errors errors = {0};
    frs_errors_add(&errors, FRS_ERR_INPUT, "%s %s", where, found->lines[0]);
    frs_errors_print(&errors, stderr);
    exit(frs_exit_code(FRS_ERR_INPUT));
}

/* What it brings has to fit into the table of sections, too: names, keys and their defaults. */
static void load(const char *where, const char *path) {
    struct frs_errors found = {0}, unfit = {0};
    if (frs_plugins_load(path, &found) == FRS_OK && frs_sections_check(frs_sections, &unfit) != FRS_OK)
        frs_errors_add(&found, FRS_ERR_INPUT, "%s: %s", path, unfit.lines[0]);
    frs_errors_clear(&unfit);
    if (found.n > 0)
        refuse(where, &found);
}

void frs_cli_plugin(const char *path) {
    char reason[320], *expanded = frs_path_expand(path, reason, sizeof reason);
    struct frs_errors errors = {0};
    if (!expanded) {
        frs_errors_add(&errors, FRS_ERR_INPUT, "%s: %s", path, reason);
        refuse("--plugin", &errors);
    }
    load("--plugin", expanded);
    free(expanded);
}

/* One that --plugin has loaded already needs no more consent. */
static bool is_loaded(const char *path) {
    struct frs_digest digest;
    char text[FRS_DIGEST_TEXT];
    return !frs_input_digest(path, &digest) && frs_plugins_find(frs_digest_text(&digest, text));
}

static void load_of_scenario(const char *where, const char *element) {
    char reason[320], *path = frs_path_expand(element, reason, sizeof reason);
    struct frs_errors errors = {0};
    if (!path)
        frs_errors_add(&errors, FRS_ERR_INPUT, "\"%s\" %s", element, reason);
    else if (!is_loaded(path) && !frs_consent_is_given())
        frs_errors_add(&errors, FRS_ERR_INPUT,
            "loads the code of \"%s\", " FRS_CONSENT_MISSING ", or --plugin %s", path, path);
    if (errors.n > 0)
        refuse(where, &errors);
    load(where, path);
    free(path);
}

void frs_cli_plugins_of_scenario(const char *file, const char *const *sets, size_t n_sets) {
    char *said_at, **elements;
    char *text = frs_scenario_early_text(frs_sections, file, sets, n_sets, "plugins", "files", &said_at);
    if (!text)
        return;
    char *where = frs_format("%s: plugins:", said_at);
    size_t n = frs_texts_split(text, &elements);
    for (size_t i = 0; i < n; i++)
        load_of_scenario(where, elements[i]);
    frs_texts_free(elements);
    free(where);
    free(said_at);
    free(text);
}
