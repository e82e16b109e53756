#include "sim/scenario/hash.h"

#include <stdbool.h>
#include <string.h>

struct hash {
    struct frs_digester digester;
    bool (*takes)(const char *key);
};

/* Whether `key` is `section` or lies in it. */
static bool is_in(const char *key, const char *section) {
    size_t length = strlen(section);
    return strncmp(key, section, length) == 0 && (key[length] == '\0' || key[length] == '.');
}

bool frs_scenario_decides_results(const char *key) {
    return !is_in(key, "output") && strcmp(key, FRS_SCENARIO_FILE) != 0 &&
           strcmp(key, FRS_SCENARIO_PLACES) != 0;
}

/* Settings of non-federated baselines, which learn from no clients. */
static bool is_of_reference(const char *key) {
    return is_in(key, "evaluation") && strchr(key, '.') != strrchr(key, '.');
}

/* Settings of how masks are agreed on and removed: they do not change the sum, and the history records
 * which clients are missing from it. */
static bool is_of_protocol(const char *key) {
    static const char *const keys[] = {
        "neighbours", "count", "threshold", "max_attempts", "patience", "arithmetic"};
    const char *last = strrchr(key, '.');
    if (!is_in(key, "privacy") || !last)
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(last + 1, keys[i]) == 0)
            return true;
    return false;
}

/* How long the server tries to reach a client that is not online. As with links, its effect on which
 * clients arrive is in the names of the records, and not in the key. */
static bool is_of_time(const char *key) {
    return is_in(key, "rounds.selection.contact_timeout");
}

bool frs_scenario_decides_learning(const char *key) {
    static const char *const sections[] = {"seed", "data", "method", "codec", "privacy", "training",
        "evaluation", "adaptation", "observations", "rounds.count", "rounds.cohort", "rounds.selection",
        "rounds.policy.name", "rounds.policy.staleness", "peers"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (is_in(key, sections[i]))
            return !is_of_reference(key) && !is_of_protocol(key) && !is_of_time(key);
    return false;
}

static void add(void *context, const char *key, const char *text) {
    struct hash *hash = context;
    if (!hash->takes(key))
        return;
    frs_digester_add_text(&hash->digester, key);
    frs_digester_add_text(&hash->digester, text);
}

static char *digest_of(
    const struct frs_scenario *scenario, bool (*takes)(const char *key), char text[FRS_DIGEST_TEXT]) {
    struct hash hash = {.digester = frs_digester_init(), .takes = takes};
    frs_scenario_each(scenario, add, &hash);
    struct frs_digest digest = frs_digester_finish(&hash.digester);
    return frs_digest_text(&digest, text);
}

char *frs_scenario_hash(const struct frs_scenario *scenario, char text[FRS_DIGEST_TEXT]) {
    return digest_of(scenario, frs_scenario_decides_results, text);
}

char *frs_scenario_training_hash(const struct frs_scenario *scenario, char text[FRS_DIGEST_TEXT]) {
    return digest_of(scenario, frs_scenario_decides_learning, text);
}
