/* Scenario: everything a run is told, as typed values.
 *
 * Layers, later ones win: defaults of the parameter tables, presets named in the file, keys of the file, keys
 * of the group named after a chosen plug-in (method = { name = "fedmf"; dim = 64; colr = { catchup = "ideal";
 * }; } sets catchup only while method.name is colr, so that one file can hold the settings of several
 * methods), presets named by --set, and finally the command line's other --set.
 *
 * A group named after a plug-in may hold the plug-in's keys and the section's own; it is checked even while
 * another plug-in is chosen. When --set chooses another plug-in than the file, keys that only the file's own
 * choice has stay allowed and are inactive. --set takes "section.key=value", "section.plugin.key=value"
 * (inactive while another plug-in is chosen) and "section=value" for sections with a shorthand.
 *
 * A --set other than of the seed asks "what if" about the file: keys of the file that lose their effect by it
 * are inactive. Every --set itself has to have an effect, and so has every key of the file by itself. */
#ifndef FRS_SCENARIO_SCENARIO_H
#define FRS_SCENARIO_SCENARIO_H

#include "sim/base/settings/plugin.h"
#include "sim/base/settings/setting.h"

#include <stdbool.h>
#include <stddef.h>

/* A registry as a scenario sees it: the plug-ins one section can choose from. */
struct frs_family {
    const char *kind;                        /* singular, as in `fedrecsim list learner` */
    const char *summary;                     /* one line */
    const struct frs_plugin *const *plugins; /* ended by NULL */
};

/* A registry of presets. */
struct frs_preset_family {
    const char *kind;
    const char *summary;
    const struct frs_preset *const *presets; /* ended by NULL */
};

/* A default that depends on another key: `key` has it while the scenario leaves `key` unset and the key
 * `where` has the value `says`. */
struct frs_other_default {
    const char *key, *initial; /* of the section, and its default then */
    const char *where;         /* full key, "engine.backend" */
    const char *says;          /* as `--set` would take it; NULL: anything but an empty text */
};

/* A plug-in whose keys follow from one of them: the program that it names knows which it has. */
struct frs_stand_in {
    const char *plugin, *key; /* names, of the plug-in and of its key */
    /* The plug-in that stands in for it where the key has this text. NULL after writing why there is none. */
    const struct frs_plugin *(*find)(const char *text, char *why, size_t size);
};

/* One group of the scenario file; sections form a tree by their dotted paths. */
struct frs_section {
    const char *path;                    /* "network.downlink"; "" is the top level */
    const char *help;                    /* one line */
    const struct frs_param *params;      /* own keys, or NULL */
    const struct frs_family *family;     /* plug-ins whose keys join this section, or NULL */
    const char *selector;                /* with `family`: the key that names the plug-in, e.g. "name" */
    const char *initial;                 /* with `family`: the default plug-in; NULL: has to be given */
    const struct frs_stand_in *stand_in; /* of one of the plug-ins, or NULL */
    const char *shorthand; /* `downlink = "6 Mbit/s"` means `downlink = { <shorthand> = "6 Mbit/s" }`,
                              or NULL; also chooses the plug-in that has this key */
    const struct frs_preset_family
        *presets;                    /* adds a key `preset` ("none" takes it back) to this section, or NULL */
    const char *initial_preset;      /* with `presets`: the one taken when none is named; NULL: none */
    const struct frs_plugin *plugin; /* always there, and its keys are the section's (a baseline), or NULL */
    const struct frs_family *named;  /* plug-ins that a list of this section names, each with a section of
                                        its own below this one, or NULL */
    const char *list;                /* with `named`: the key of the list */
    const char *of_plugin; /* the section is there only while the section above it chooses this plug-in: under
                              another one nothing of it has to be given, and it has no part in the manifest */
    bool is_aside;         /* says nothing about a run (`sweep`): neither part of its manifest, nor idle */
    bool given_matters;    /* a key given as its default says more than one not given: it beats a class */
    const struct frs_other_default *other_defaults; /* ended by one whose key is NULL; or NULL */
};

struct frs_scenario;

/* In place of a path: there is no file, and --set says everything. */
#define FRS_SCENARIO_NO_FILE "<declared>"

/* `sections`, here and below, is the table of all sections, ended by one whose path is NULL.
 *
 * Reads `path` (never NULL; "-": standard input), applies `sets` ("section.key=value", as given after --set),
 * validates. Collects every problem. On failure *out is NULL. */
enum frs_status frs_scenario_load(const struct frs_section *sections, const char *path,
    const char *const *sets, size_t n_sets, struct frs_scenario **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* The same of a file that an axis completes: keys that have to be given may be missing, and have no value.
 * For reading other sections; what is run is loaded with the settings of its levels. */
enum frs_status frs_scenario_load_unfinished(const struct frs_section *sections, const char *path,
    const char *const *sets, size_t n_sets, struct frs_scenario **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* A scenario from all its values as frs_scenario_each gave them (from a manifest, or a plan): no file, and
 * idle keys are not checked. Keys that are not among them have their defaults. `name` becomes its name and
 * begins every message. On failure *out is NULL. */
enum frs_status frs_scenario_load_settings(const struct frs_section *sections, const char *name,
    const struct frs_setting *settings, size_t n_settings, struct frs_scenario **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* The same scenario with other values of n keys, also of keys that it does not have as it is (those of
 * another plug-in). Idle keys are not checked. On failure *out is NULL. */
enum frs_status frs_scenario_changed(const struct frs_scenario *scenario, const struct frs_setting *changes,
    size_t n, struct frs_scenario **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* The text of a key of a section aside as the file and `sets` have it, for what has to be done before the
 * scenario can be loaded; *where: its place. Both are freed by the caller. NULL: it is not given, or the file
 * cannot be read, which loading it reports. */
char *frs_scenario_early_text(const struct frs_section *sections, const char *path, const char *const *sets,
    size_t n_sets, const char *section, const char *key, char **where);

void frs_scenario_destroy(struct frs_scenario *scenario);

/* The values of a section of the table; panics when there is no such section. */
const struct frs_values *frs_scenario_section(const struct frs_scenario *scenario, const char *path);

/* The plug-in a section with a family has chosen. */
const struct frs_plugin *frs_scenario_plugin(const struct frs_scenario *scenario, const char *path);

/* All it could have chosen, ended by NULL. */
const struct frs_plugin *const *frs_scenario_plugins(const struct frs_scenario *scenario, const char *path);

/* The preset that sections above this one take by default, where this section ("network.downlink") has
 * exactly what that preset says; NULL where it has something else, or there is no such preset. */
const struct frs_preset *frs_scenario_initial_preset(const struct frs_scenario *scenario, const char *path);

/* File the scenario came from; its name without folder and ".cfg". */
const char *frs_scenario_path(const struct frs_scenario *scenario);
const char *frs_scenario_name(const struct frs_scenario *scenario);

/* After everything has been set up: one error for every key the user gave that nothing has read, because such
 * a key changes nothing ("devices.overhead: has no effect here"). With a --set, only keys given there. */
enum frs_status frs_scenario_check_unread(
    const struct frs_scenario *scenario, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same for a file by itself (frs_scenario_load_alone) and what runs with something on top of it, once
 * both have been set up: one error for every key of the file that has an effect in neither. The reason is
 * that of what runs. */
enum frs_status frs_scenario_check_file(const struct frs_scenario *file, const struct frs_scenario *on_top,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* The inactive keys of the file, with their values as text, once everything has been set up: keys that --set
 * or the level of an axis, on top of the file, has left without effect. */
void frs_scenario_each_inactive_key(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context);

/* The same as one line, "method.rank = 6, rounds.cohort = 3"; empty when no key is inactive. Freed by the
 * caller. */
char *frs_scenario_inactive_keys(const struct frs_scenario *scenario);

/* Where --set has put one distribution in the place of another one that the file chooses, itself or by the
 * preset it names: "network.uplink is constant, and lognormal in the file; to keep lognormal, set ...", one
 * line for each section, separated by newlines; empty where there is none. Freed by the caller. */
char *frs_scenario_replaced(const struct frs_scenario *scenario);

/* What --set has set, the seed left out: key and text, each key once, with the last text. The key of a
 * section with a shorthand, and that of the plug-in of a distribution, is the section's, because all keys of
 * the section follow. */
void frs_scenario_each_set(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context);

/* The file of a scenario as it stands, with the scenario's seed: what has no effect there, and none with what
 * was put on top either, is a mistake. NULL when nothing was, when there is no file, or when it cannot be
 * loaded by itself. */
struct frs_scenario *frs_scenario_load_alone(const struct frs_scenario *scenario);

#define FRS_SCENARIO_GIVEN "given"
#define FRS_SCENARIO_FILE "file"

/* All values with defaults, in table order, as "section.key" and text that --set would take; for the manifest
 * and its hash. Calls `each` for every key except `preset`, whose effect is listed itself, and those of
 * sections aside; then, unless it would be empty, with FRS_SCENARIO_GIVEN and the keys that were given
 * (separated by spaces) of sections where that matters; and with
 * FRS_SCENARIO_FILE and what the file says, where something was put on top of it, which is no part of the
 * hash. */
void frs_scenario_each(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context);

/* The keys that name a file or a folder, with what they lead to (sim/base/settings/path.h), once everything
 * has been set up. Leaves out sections with is_aside. */
void frs_scenario_each_path(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *path), void *context);

/* Checks what the compiler cannot: names without dots that do not collide, defaults and presets that parse.
 * One error per mistake. */
enum frs_status frs_sections_check(
    const struct frs_section *sections, struct frs_errors *errors) FRS_MUST_CHECK;

/* For the tests that nothing in the table is idle: every key there is, as "section.key" or, of a plug-in,
 * "section.plugin.key"; those of them that have been read from `scenario` so far; and those that it says
 * something about, itself or by a preset: given, or not as by default. */
void frs_scenario_each_known(
    const struct frs_section *sections, void (*each)(void *context, const char *key), void *context);
void frs_scenario_each_read(
    const struct frs_scenario *scenario, void (*each)(void *context, const char *key), void *context);
void frs_scenario_each_used(
    const struct frs_scenario *scenario, void (*each)(void *context, const char *key), void *context);

#endif
