/* Own folders: where the scenarios and other files of the program are, and where its user's data sets and
 * caches belong by the XDG base directory specification. The caller frees the results. */
#ifndef FRS_BASE_OWN_FOLDERS_H
#define FRS_BASE_OWN_FOLDERS_H

#include <stdbool.h>

/* Returns the folder of the scenarios that come with the program. This is the folder that
 * FEDRECSIM_SCENARIOS names; or else ../share/fedrecsim/scenarios beside the folder of the installed
 * program; or else the scenarios of the source tree, to which its build folder has a link. NULL where none
 * of them exists. */
char *frs_folder_of_scenarios(void);

/* Returns the folder of fedrecsim.py, with which methods are written in Python. This is
 * ../share/fedrecsim/python beside the folder of the installed program, or else the one of the source
 * tree. */
char *frs_folder_of_python(void);

/* Return the folder `fedrecsim` below XDG_DATA_HOME (~/.local/share where the variable is not set or no
 * absolute path), and the one below XDG_CACHE_HOME (~/.cache), whether or not it exists. NULL without a
 * home folder. */
char *frs_folder_of_data(void);
char *frs_folder_of_cache(void);

/* Whether there is a folder of this name. */
bool frs_folder_exists(const char *path);

#endif
