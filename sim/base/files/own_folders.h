/* Own folders: where the scenarios and what else comes with the program are, and where data sets and caches
 * of its user belong by the XDG base directory specification. Results are freed by the caller. */
#ifndef FRS_BASE_OWN_FOLDERS_H
#define FRS_BASE_OWN_FOLDERS_H

#include <stdbool.h>

/* The folder of the scenarios that come with the program: what FEDRECSIM_SCENARIOS names, or else
 * ../share/fedrecsim/scenarios beside the folder of the installed program, or else the scenarios of the tree
 * that it was built from, to which its build folder has a link. NULL where none of them is there. */
char *frs_folder_of_scenarios(void);

/* The folder of fedrecsim.py, with which methods are written in Python: ../share/fedrecsim/python beside the
 * folder of the installed program, or else that of the tree that it was built from, likewise. */
char *frs_folder_of_python(void);

/* fedrecsim below XDG_DATA_HOME (~/.local/share where that is not set, or no absolute path), and below
 * XDG_CACHE_HOME (~/.cache); whether the folder is there or not. NULL without a home folder. */
char *frs_folder_of_data(void);
char *frs_folder_of_cache(void);

/* Whether there is a folder of this name. */
bool frs_folder_exists(const char *path);

#endif
