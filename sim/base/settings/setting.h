/* Setting: one key of a scenario and its value, as text that --set would take. */
#ifndef FRS_BASE_SETTING_H
#define FRS_BASE_SETTING_H

struct frs_setting {
    const char *key, *text;
};

#endif
