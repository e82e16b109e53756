/* Scenario: everything that a run is told, as typed values.
 *
 * Layers, from weakest to strongest: defaults of the parameter tables; presets named in the file; keys of
 * the file; keys of the group named after a chosen plug-in; presets named by --set; the other --set of the
 * command line. In method = { name = "fedmf"; dim = 64; colr = { catchup = "ideal"; }; } the last key sets
 * catchup only while method.name is colr, so that one file can hold the settings of several methods.
 *
 * A group named after a plug-in may hold the plug-in's keys and the section's own; it is checked even
 * while another plug-in is chosen. When --set chooses another plug-in than the file, keys that only the
 * file's own choice has stay allowed and are inactive. --set takes "section.key=value",
 * "section.plugin.key=value" (inactive while another plug-in is chosen) and "section=value" for sections
 * with a shorthand.
 *
 * A --set of anything but the seed asks "what if" about the file: keys of the file that lose their effect
 * by it are inactive. Every --set itself has to have an effect, and so has every key of the file by
 * itself. */
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
    bool is_open;                            /* plug-ins from outside of the program may join it */
};

/* A registry of presets. */
struct frs_preset_family {
    const char *kind;
    const char *summary;
    const struct frs_preset *const *presets; /* ended by NULL */
};

/* A default that depends on another key: it applies to `key` while the scenario leaves `key` unset and the
 * key `where` has the value `says`. */
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
    const struct frs_family *named;  /* plug-ins that a list of this section names, each with a section of its
                                        own below this one; or NULL */
    const char *list;                /* with `named`: the key of the list */
    const char
        *of_plugin; /* the section exists only while the section above it chooses this plug-in. Under another
                       plug-in none of its keys are required, and it is left out of the manifest */
    bool is_aside;  /* says nothing about a run (`sweep`): neither part of its manifest, nor idle */
    bool given_matters; /* a key given as its default says more than one not given: it beats a class */
    const struct frs_other_default *other_defaults; /* ended by one whose key is NULL; or NULL */
};

struct frs_scenario;

/* In place of a path: there is no file, and --set says everything. */
#define FRS_SCENARIO_NO_FILE "<declared>"

/* `sections`, here and below, is the table of all sections, ended by one whose path is NULL.
 *
 * Reads `path` (never NULL; "-": standard input), applies `sets` ("section.key=value", as given after
 * --set), and validates. Collects every problem. On failure *out is NULL. */
enum frs_status frs_scenario_load(const struct frs_section *sections, const char *path,
    const char *const *sets, size_t n_sets, struct frs_scenario **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* The same for a file that an axis completes: required keys may be missing and then have no value. Used
 * for reading other sections; runs are loaded with the settings of their levels. */
enum frs_status frs_scenario_load_unfinished(const struct frs_section *sections, const char *path,
    const char *const *sets, size_t n_sets, struct frs_scenario **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns a scenario from all its values as frs_scenario_each gave them (from a manifest, or a plan).
 * There is no file, and idle keys are not checked. Keys that are not among the values have their defaults.
 * `name` becomes its name and begins every message. On failure *out is NULL. */
enum frs_status frs_scenario_load_settings(const struct frs_section *sections, const char *name,
    const struct frs_setting *settings, size_t n_settings, struct frs_scenario **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns the same scenario with other values of n keys, including keys that it did not have before (those
 * of another plug-in). Idle keys are not checked. On failure *out is NULL. */
enum frs_status frs_scenario_changed(const struct frs_scenario *scenario, const struct frs_setting *changes,
    size_t n, struct frs_scenario **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns the text of one key of a section with is_aside, as the file and `sets` have it, for what has to
 * be done before the scenario can be loaded. *where: its place. Both are freed by the caller. NULL: the
 * key is not given, or the file cannot be read, which loading it reports. */
char *frs_scenario_early_text(const struct frs_section *sections, const char *path, const char *const *sets,
    size_t n_sets, const char *section, const char *key, char **where);

void frs_scenario_destroy(struct frs_scenario *scenario);

/* The values of a section of the table; panics when there is no such section. */
const struct frs_values *frs_scenario_section(const struct frs_scenario *scenario, const char *path);

/* The plug-in a section with a family has chosen. */
const struct frs_plugin *frs_scenario_plugin(const struct frs_scenario *scenario, const char *path);

/* All it could have chosen, ended by NULL. */
const struct frs_plugin *const *frs_scenario_plugins(const struct frs_scenario *scenario, const char *path);

/* Returns the preset that sections above this one take by default, if this section ("network.downlink")
 * has exactly the values of that preset. NULL if it has other values or there is no such preset. */
const struct frs_preset *frs_scenario_initial_preset(const struct frs_scenario *scenario, const char *path);

/* File the scenario came from; its name without folder and ".cfg". */
const char *frs_scenario_path(const struct frs_scenario *scenario);
const char *frs_scenario_name(const struct frs_scenario *scenario);

/* Call after everything has been set up. Adds one error for every key that the user gave and no code has
 * read, because such a key changes nothing ("devices.overhead: has no effect here"). With a --set, reports
 * only keys given there. */
enum frs_status frs_scenario_check_unread(
    const struct frs_scenario *scenario, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same for a file by itself (frs_scenario_load_alone) and the scenario that runs, with something on
 * top of it, once both have been set up. Adds one error for every key of the file that has an effect in
 * neither. The reason is the one from the scenario that runs. */
enum frs_status frs_scenario_check_file(const struct frs_scenario *file, const struct frs_scenario *on_top,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Calls `each` for the inactive keys of the file, with their values as text, once everything has been set
 * up. These are keys that --set or the level of an axis, on top of the file, has left without effect. */
void frs_scenario_each_inactive_key(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context);

/* Returns the same as one line, "method.rank = 6, rounds.cohort = 3"; empty when no key is inactive. Freed
 * by the caller. */
char *frs_scenario_inactive_keys(const struct frs_scenario *scenario);

/* Returns where --set has replaced a distribution that the file chooses, itself or by its preset:
 * "network.uplink is constant, and lognormal in the file; to keep lognormal, set ...". There is one line
 * for each section, separated by newlines; empty where there is none. Freed by the caller. */
char *frs_scenario_replaced(const struct frs_scenario *scenario);

/* Calls `each` for what --set has set, except the seed: key and text, each key once, with the last text.
 * For a section with a shorthand, and for the plug-in of a distribution, the key is that of the section,
 * because all keys of the section follow. */
void frs_scenario_each_set(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context);

/* Returns the file of a scenario without anything on top, with the scenario's seed. A key that has no
 * effect there, nor with what was put on top, is a mistake. NULL when nothing was put on top, when there
 * is no file, or when it cannot be loaded by itself. */
struct frs_scenario *frs_scenario_load_alone(const struct frs_scenario *scenario);

#define FRS_SCENARIO_GIVEN "given"
#define FRS_SCENARIO_FILE "file"
#define FRS_SCENARIO_PLACES "places"

/* Calls `each` for all values with defaults, in table order, as "section.key" and text that --set would
 * take; for the manifest and its hash. Leaves out `preset`, whose effect is listed itself, and the keys of
 * sections with is_aside. Then, unless it would be empty, comes FRS_SCENARIO_GIVEN with the keys that were
 * given (separated by spaces) of sections where that matters. Last, where something was put on top of the
 * file, comes FRS_SCENARIO_FILE with the content of the file, which does not enter the hash. A path is what
 * the scenario says, relative to the scenario; FRS_SCENARIO_PLACES has those from the working folder,
 * "data.path=../ratings.csv", which do not enter the hash either. */
void frs_scenario_each(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *text), void *context);

/* Calls `each` for the keys that name a file or a folder, with the paths they lead to
 * (sim/base/settings/path.h), once everything has been set up. Leaves out sections with is_aside. */
void frs_scenario_each_path(const struct frs_scenario *scenario,
    void (*each)(void *context, const char *key, const char *path), void *context);

/* Says where the file of a key is, whatever the scenario says, which stays as it is in the manifest and in
 * the hash. Before anything is set up. Does nothing where the key names no file. */
void frs_scenario_put_file(struct frs_scenario *scenario, const char *key, const char *path);

/* What `check` says of relative paths whose file is in the working folder, where they were looked for before:
 * alone, or beside the one that is taken. NULL: nothing. Freed by the caller. */
char *frs_scenario_paths_note(const struct frs_scenario *scenario);

/* Checks what the compiler cannot: names have no dots and do not collide, and defaults and presets parse.
 * One error per mistake. */
enum frs_status frs_sections_check(
    const struct frs_section *sections, struct frs_errors *errors) FRS_MUST_CHECK;

/* For the tests that every key of the table is used. Call `each` for every existing key, as "section.key"
 * or, for a plug-in, "section.plugin.key"; for those that have been read from `scenario` so far; and for
 * those that it gives, itself or by a preset, or that differ from their default. */
void frs_scenario_each_known(
    const struct frs_section *sections, void (*each)(void *context, const char *key), void *context);
void frs_scenario_each_read(
    const struct frs_scenario *scenario, void (*each)(void *context, const char *key), void *context);
void frs_scenario_each_used(
    const struct frs_scenario *scenario, void (*each)(void *context, const char *key), void *context);

#endif
