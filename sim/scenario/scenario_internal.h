/* Inside the scenario loader: what its files share.
 *
 * Loading has four steps. The file (file.c) and the --set texts (sets.c) become a flat list of `struct
 * frs_assignment`, each one assignment with its place and its type as written. Presets join the list
 * (sets.c). Then the plug-in of every section is chosen. Finally every assignment is checked against its
 * parameter, and those that apply are stored layer by layer (resolve.c). */
#ifndef FRS_SCENARIO_SCENARIO_INTERNAL_H
#define FRS_SCENARIO_SCENARIO_INTERNAL_H

#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/splice.h"

/* How a value was written. */
enum frs_written {
    FRS_WRITTEN_PLAIN, /* after --set or in a preset, where everything is text */
    FRS_WRITTEN_TEXT,
    FRS_WRITTEN_INTEGER,
    FRS_WRITTEN_REAL,
    FRS_WRITTEN_BOOLEAN,
    FRS_WRITTEN_LIST,
    FRS_WRITTEN_GROUP,
};

/* Later layers win; see scenario.h. */
enum frs_layer {
    FRS_LAYER_PRESET,
    FRS_LAYER_FILE,
    FRS_LAYER_GROUP,      /* in a group named after a plug-in */
    FRS_LAYER_SET_PRESET, /* of a preset that --set names */
    FRS_LAYER_SET,
    FRS_LAYERS,
};

static inline bool frs_layer_is_preset(enum frs_layer layer) {
    return layer == FRS_LAYER_PRESET || layer == FRS_LAYER_SET_PRESET;
}

/* One assignment. */
struct frs_assignment {
    enum frs_layer layer;
    size_t section;                 /* index into the section table */
    const struct frs_plugin *group; /* the plug-in whose group it stands in, or NULL */
    char *path;                     /* as written, for messages: "method.colr.catchup" */
    const char *key;                /* within the section; the tail of `path` or a string of the table */
    enum frs_written written;
    char *text;
    char *where;
    bool mixed_list;               /* a list with elements that are not text */
    bool not_given;                /* comes from outside, but stands for what was not given */
    char *problem;                 /* already known to be wrong: the message behind "path: " */
    const struct frs_param *param; /* what it sets; NULL: nothing (then an error was added) */
    bool applies;                  /* false: checked, but of a plug-in that is not chosen */
    bool was_replaced;             /* and that is because --set chose another one */
};

struct frs_assignments {
    struct frs_assignment *assignments;
    size_t n, capacity;
};

/* One section of the table within a scenario. */
struct frs_state {
    const struct frs_section *section;
    struct frs_values values;
    struct frs_param selector, preset;         /* key NULL: the section has none */
    const char **plugin_names, **preset_names; /* their choices */
    const struct frs_plugin *chosen;
    const struct frs_plugin *before_sets; /* what would be chosen without --set */
    const struct frs_plugin *stands_in;   /* for the plug-in of its rule; NULL: none does */
    const struct frs_preset *chosen_preset;
    const struct frs_preset *preset_before_sets;
    bool lacks_stand_in; /* none could be found */
    bool lacks_preset;   /* it names one that does not exist */
    char *where;         /* of its group in the file, or NULL */
};

/* A key of the file whose plug-in --set has replaced. */
struct frs_left {
    char *key, *text;
};

/* A key that --set has set. */
struct frs_put {
    char *key, *text;
};

struct frs_scenario {
    struct frs_state *states;
    size_t n;
    char *source;      /* as given: a path, or "-" */
    char *path, *name; /* of it in messages and results */
    struct frs_assignments assignments;
    struct frs_left *left;
    size_t n_left, left_capacity;
    struct frs_put *puts;
    size_t n_puts, puts_capacity;
    char *replaced; /* lines of frs_scenario_replaced, or NULL */
    bool what_if;   /* something was put on top of the file, whose keys may be inactive therefore */
    bool may_lack;  /* keys that have to be given: the levels of an axis will give them */
};

/* --- explain_json.c --- */

/* Name, summary and source of a plug-in or preset. */
struct json_t *frs_list_entry_json(const struct frs_plugin *plugin);

/* --- states.c: the section table made searchable --- */

/* A scenario without values. Never NULL. */
struct frs_scenario *frs_states_create(const struct frs_section *sections);

/* Index of the section with exactly this path (of `length` bytes), or SIZE_MAX. */
size_t frs_states_find(const struct frs_scenario *scenario, const char *path, size_t length);

/* Whether `path` is a section, or the beginning of a section's path (as "codec" is of "codec.uplink"). */
bool frs_states_is_group(const struct frs_scenario *scenario, const char *path);

/* The section's own keys, or NULL. */
const struct frs_param *frs_section_params(const struct frs_section *section);

/* The section's own key, its selector or its key `preset`; or NULL. */
const struct frs_param *frs_state_own(const struct frs_state *state, const char *key);

/* What else is allowed than a refusal says: a plug-in from outside, where the value names a plug-in;
 * otherwise
 * "". */
const char *frs_states_also_allow(
    const struct frs_scenario *scenario, const struct frs_assignment *assignment);

/* Whether the first is a section that is there while the second chooses this plug-in. */
bool frs_state_is_below(
    const struct frs_state *state, const struct frs_state *above, const struct frs_plugin *plugin);

/* Whether the section of state i is there (struct frs_section, of_plugin). */
bool frs_states_is_there(const struct frs_scenario *scenario, size_t i);

/* By name among the plug-ins of the section's family; or NULL. */
const struct frs_plugin *frs_state_plugin(const struct frs_state *state, const char *name);
const struct frs_preset *frs_state_find_preset(const struct frs_state *state, const char *name);
const struct frs_param *frs_plugin_param(const struct frs_plugin *plugin, const char *key);

/* The next plug-in after `plugin` (NULL: from the first) that has `key`; or NULL. */
const struct frs_plugin *frs_state_plugin_with(
    const struct frs_state *state, const char *key, const struct frs_plugin *after);

/* "section.key", or "key" for the top level. */
char *frs_scenario_join(const char *section, const char *key);

/* --- assignments.c --- */

/* Appends an assignment; `path`, `text` and `where` are copied, and texts may be NULL. The result is valid
 * until the next call. */
struct frs_assignment *frs_assignments_add(struct frs_assignments *assignments, enum frs_layer layer,
    const char *path, enum frs_written written, const char *text, const char *where);
void frs_assignments_fini(struct frs_assignments *assignments);

/* Notes a problem of `assignment`, unless it has one already. */
void frs_assignment_problem(struct frs_assignment *assignment, const char *format, ...) FRS_PRINTF(2, 3);

/* Notes that `assignment` is of another type than expected ("a list"). */
void frs_assignment_wrong_type(struct frs_assignment *assignment, const char *expected, const char *allowed);

/* Finds section, plug-in group and key of a path such as "method.colr.catchup"; adds a problem when there
 * is no such section. Handles shorthands, which also choose the plug-in that has the key. */
void frs_assignments_locate(struct frs_scenario *scenario, size_t assignment);

/* Returns the plug-in that a section's shorthand chooses: its default if that has the key, else the first
 * that has it; NULL when the key is the section's own. */
const struct frs_plugin *frs_state_shorthand(const struct frs_state *state);

/* "an integer", "text": the type something was written as. */
const char *frs_written_name(enum frs_written written);

/* --- source.c --- */

/* Whether a path means standard input: "-". */
bool frs_source_is_stream(const char *path);

/* Reads the text of a scenario. Returns NULL, or the reason why the text cannot be read, which is valid
 * until the next call; *bytes is then NULL. */
const char *frs_source_read(const char *path, char **bytes, size_t *n);

/* --- inactive_keys.c --- */

/* Keeps the keys of the file that are inactive already, because their plug-in was replaced. */
void frs_inactive_keys_collect(struct frs_scenario *scenario);
void frs_inactive_keys_fini(struct frs_scenario *scenario);

/* All keys of the file that something was put on top of, as one text, and back; freed by the caller. */
char *frs_inactive_keys_write(const struct frs_scenario *scenario);
void frs_inactive_keys_read(struct frs_scenario *scenario, const char *text);

/* places.c: adds to the text of FRS_SCENARIO_PLACES where the file of a key is; puts the paths of such a text
 * into the place of those that the scenario says, unless they have been changed since. */
void frs_scenario_places_add(char **all, const char *key, const char *place);
void frs_scenario_places_read(struct frs_scenario *scenario, const char *text);

/* Takes over where the files of keys are whose text is the same in both. */
void frs_scenario_places_copy(const struct frs_scenario *from, struct frs_scenario *to);

/* --- puts.c --- */

/* Keeps what --set has set, and which distributions it has replaced; once plug-ins are chosen. */
void frs_puts_collect(struct frs_scenario *scenario);
void frs_puts_fini(struct frs_scenario *scenario);

/* --- the steps --- */

/* explains: messages say what is wrong with the text, and quote its numbers as they were written. */
enum frs_status frs_scenario_read_file(
    struct frs_scenario *scenario, bool explains, struct frs_errors *errors) FRS_MUST_CHECK;
void frs_scenario_read_sets(struct frs_scenario *scenario, const char *const *sets, size_t n_sets);
void frs_scenario_read_settings(
    struct frs_scenario *scenario, const struct frs_setting *settings, size_t n_settings);
void frs_scenario_read_presets(struct frs_scenario *scenario);
/* Chooses plug-ins and checks what was given, but does not ask for what is missing and stores nothing. */
enum frs_status frs_scenario_resolve_given(
    struct frs_scenario *scenario, struct frs_errors *errors) FRS_MUST_CHECK;
enum frs_status frs_scenario_resolve(struct frs_scenario *scenario, struct frs_errors *errors) FRS_MUST_CHECK;

/* A number as it was written; `path` is its full key. */
struct frs_literal {
    char *path, *text;
};

/* --- misreadings.c --- */

/* Whether libconfig might take something in a text wrongly without a word. */
bool frs_scenario_may_be_misread(const char *text);

/* --- scan.c --- */

/* What the scan of a scenario file found (scan.c). Zeroed: it was not scanned. */
struct frs_scan {
    struct frs_errors errors;
    struct frs_literal *literals;
    size_t n, capacity;
    struct frs_splice splice; /* what libconfig reads */
};

void frs_scan_init(struct frs_scan *scan, const char *path, const char *text, const char *include_dir);
void frs_scan_fini(struct frs_scan *scan);

/* The number a key was given, as text that frs_param_parse reads; NULL when it was given none. */
const char *frs_scan_literal(const struct frs_scan *scan, const char *path);

/* Returns the message about a name that `section` does not have: "unknown key; did you mean \"dim\"?".
 * Freed by the caller. */
char *frs_scenario_suggest(
    const struct frs_scenario *scenario, const char *section, const char *name, bool is_group);

#endif
