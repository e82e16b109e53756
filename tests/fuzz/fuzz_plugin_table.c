/* The table of a plug-in from outside: entries that lack slots, have unsuitable names, keys or defaults,
 * or have no dimension. Either the table is refused in a line, or every entry is in its registry and can
 * be listed.
 *
 *   entries, each: kind and example u8 · slot that is missing u8 · name u8 · key that changes u8 · how u8 */
#include "platforms/availability/availability.h"
#include "sim/base/errors.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/plugins/entries.h"
#include "sim/plugins/table.h"
#include "sim/scenario/explain.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 4, MOST_KEYS = 16, ENTRY_BYTES = 5, N_KINDS = 9 };

/* Room for an entry of any kind; each begins with its plug-in. */
union entry {
    struct frs_plugin plugin;
    struct frs_learner learner;
    struct frs_codec codec;
    struct frs_optimiser optimiser;
    struct frs_distribution_kind distribution;
    struct frs_availability_model availability;
    struct frs_policy policy;
    struct frs_selection selection;
    struct frs_adaptation adaptation;
    struct frs_correction correction;
};

static const struct {
    const struct frs_plugin **registry;
    size_t bytes; /* of the structure */
} kinds[N_KINDS] = {{frs_learner_plugins, sizeof(struct frs_learner)},
    {frs_codec_plugins, sizeof(struct frs_codec)}, {frs_optimiser_plugins, sizeof(struct frs_optimiser)},
    {frs_rate_distributions, sizeof(struct frs_distribution_kind)},
    {frs_availability_plugins, sizeof(struct frs_availability_model)},
    {frs_policy_plugins, sizeof(struct frs_policy)}, {frs_selection_plugins, sizeof(struct frs_selection)},
    {frs_adaptation_plugins, sizeof(struct frs_adaptation)},
    {frs_correction_plugins, sizeof(struct frs_correction)}};

static const struct frs_plugin **const others[] = {frs_time_distributions, frs_speed_distributions,
    frs_bytes_distributions, frs_message_distributions, frs_work_distributions};
enum { N_REGISTRIES = N_KINDS + sizeof others / sizeof *others };

static const struct frs_plugin **registry_of(size_t i) {
    return i < N_KINDS ? kinds[i].registry : others[i - N_KINDS];
}

static size_t count(const struct frs_plugin *const *registry) {
    size_t n = 0;
    while (registry[n])
        n++;
    return n;
}

/* ---- entries ---------------------------------------------------------------------------------- */

static const char *const names[] = {
    "mine", "yours", "dense", "fedmf", "", NULL, "a b", "error_feedback", "none", "name", "\n", "x.y", "="};

/* A copy of the entry's keys, of which one changes. */
static void change_keys(struct frs_plugin *plugin, struct frs_param *keys, uint8_t which, uint8_t how) {
    static const char *const texts[] = {"", "0", "-1", "1e999", "nan", "x", NULL};
    size_t n = 0;
    for (; plugin->params && plugin->params[n].key && n < MOST_KEYS; n++)
        keys[n] = plugin->params[n];
    keys[n] = (struct frs_param){0};
    plugin->params = keys;
    if (n == 0 || how == 0)
        return;
    struct frs_param *key = &keys[which % n];
    const char *text = texts[how / 8 % (sizeof texts / sizeof *texts)];
    switch (how % 8) {
    case 1:
        key->initial = text;
        break;
    case 2:
        key->key = text ? text : "name";
        break;
    case 3:
        key->key = keys[0].key;
        break;
    case 4:
        key->help = text;
        break;
    case 5:
        key->choices = NULL;
        break;
    case 6:
        key->type = (enum frs_type)(how / 8);
        break;
    case 7:
        key->dimension = (enum frs_dimension)(how / 8);
        break;
    default:
        key->max = key->min - 1;
    }
}

/* The pointer or flags at one place of the structure become 0. */
static void lose_slot(union entry *entry, size_t bytes, uint8_t which) {
    size_t first = sizeof(struct frs_plugin), n = (bytes - first) / sizeof(void *);
    if (which > 0)
        memset((char *)entry + first + (which - 1) % n * sizeof(void *), 0, sizeof(void *));
}

static size_t read_entry(const uint8_t *data, union entry *entry, struct frs_param *keys) {
    size_t kind = data[0] % N_KINDS, n = count(kinds[kind].registry), example = data[0] / N_KINDS % n;
    memcpy(entry, kinds[kind].registry[example], kinds[kind].bytes);
    entry->plugin.name = names[data[2] % (sizeof names / sizeof *names)];
    lose_slot(entry, kinds[kind].bytes, data[1]);
    change_keys(&entry->plugin, keys, data[3], data[4]);
    return kind;
}

/* ---- the table -------------------------------------------------------------------------------- */

/* Lists and explains what there is now. */
static void use(FILE *out) {
    struct frs_errors errors = {0};
    FRS_INVARIANT(frs_list(frs_sections, NULL, NULL, out, &errors) == FRS_OK, "%s", errors.lines[0]);
}

static void load(const struct frs_plugin_table *table, size_t n_entries) {
    static FILE *nowhere;
    size_t before[N_REGISTRIES], added = 0;
    struct frs_errors errors = {0};
    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    for (size_t i = 0; i < N_REGISTRIES; i++)
        before[i] = count(registry_of(i));
    enum frs_status status = frs_plugin_entries_add(table, "fuzz.so", &errors);
    for (size_t i = 0; i < N_REGISTRIES; i++)
        added += count(registry_of(i)) - before[i];
    FRS_INVARIANT((status == FRS_OK) == (errors.n == 0), "status %d with %zu errors", (int)status, errors.n);
    FRS_INVARIANT(status == FRS_OK || (strncmp(errors.lines[0], "fuzz.so: ", 9) == 0), "%s", errors.lines[0]);
    FRS_INVARIANT(status != FRS_OK || added >= n_entries, "%zu of %zu entries", added, n_entries);
    if (status == FRS_OK && frs_sections_check(frs_sections, &errors) == FRS_OK)
        use(nowhere);
    for (size_t i = 0; i < N_REGISTRIES; i++)
        for (size_t n = before[i]; registry_of(i)[n]; n++) /* behind the last one there are NULLs only */
            registry_of(i)[n] = NULL;
    frs_errors_clear(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static union entry entries[MOST_ENTRIES];
    static struct frs_param keys[MOST_ENTRIES][MOST_KEYS + 1];
    const void *lists[N_KINDS][MOST_ENTRIES + 1] = {{NULL}};
    size_t n[N_KINDS] = {0},
           n_entries = size / ENTRY_BYTES < MOST_ENTRIES ? size / ENTRY_BYTES : MOST_ENTRIES;
    for (size_t i = 0; i < n_entries; i++) {
        size_t kind = read_entry(data + i * ENTRY_BYTES, &entries[i], keys[i]);
        lists[kind][n[kind]++] = &entries[i];
    }
    const struct frs_plugin_table table = {FRS_PLUGIN_HEAD,
        .learners = (const struct frs_learner *const *)lists[0],
        .codecs = (const struct frs_codec *const *)lists[1],
        .optimisers = (const struct frs_optimiser *const *)lists[2],
        .distributions = (const struct frs_distribution_kind *const *)lists[3],
        .availabilities = (const struct frs_availability_model *const *)lists[4],
        .policies = (const struct frs_policy *const *)lists[5],
        .selections = (const struct frs_selection *const *)lists[6],
        .adaptations = (const struct frs_adaptation *const *)lists[7],
        .corrections = (const struct frs_correction *const *)lists[8]};
    load(&table, n_entries);
    return 0;
}
