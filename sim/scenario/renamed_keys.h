/* Renamed keys: names that keys and sections had in earlier scenarios. They are unknown now, and the
 * message about one gives the new name. */
#ifndef FRS_SCENARIO_RENAMED_KEYS_H
#define FRS_SCENARIO_RENAMED_KEYS_H

/* Returns the present name of the key or section `name` of `section` ("" is the top level); NULL: the key
 * was never renamed. */
const char *frs_renamed_key(const char *section, const char *name);

#endif
