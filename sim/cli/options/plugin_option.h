/* The option --plugin, of commands that know the keys of scenarios, and the plug-ins that scenarios name
 * themselves. Each plug-in is loaded before a scenario is read; one that does not fit ends the process
 * with 2. */
#ifndef FRS_CLI_PLUGIN_OPTION_H
#define FRS_CLI_PLUGIN_OPTION_H

#include <stddef.h>

/* Other options without a letter begin at 256. */
enum { FRS_KEY_PLUGIN = 0x701 };

#define FRS_PLUGIN_ARGP                                                                                      \
    {                                                                                                        \
        "plugin", FRS_KEY_PLUGIN, "FILE", 0,                                                                 \
            "A shared object with learners, codecs or other plug-ins of your own, whose code is loaded; "    \
            "may be repeated",                                                                               \
            3                                                                                                \
    }

/* What --plugin says. */
void frs_cli_plugin(const char *path);

/* What section `plugins` of a scenario says, with --set on top; it needs consent. */
void frs_cli_plugins_of_scenario(const char *file, const char *const *sets, size_t n_sets);

#endif
