/* Renamed keys: names that keys and sections had in earlier scenarios. They are unknown now, and the message
 * about one names its successor. */
#ifndef FRS_SCENARIO_RENAMED_KEYS_H
#define FRS_SCENARIO_RENAMED_KEYS_H

/* The present name of the key or section `name` of `section` ("" is the top level); NULL: it never had
 * another one. */
const char *frs_renamed_key(const char *section, const char *name);

#endif
