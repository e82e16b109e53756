#include "platforms/availability/device_state.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

const char *const frs_device_link_names[] = {
    [FRS_LINK_OFF] = "off", [FRS_LINK_METERED] = "metered", [FRS_LINK_WIFI] = "wifi", NULL};

static char *trimmed(char *text) {
    text += strspn(text, " \t");
    for (size_t n = strlen(text); n > 0 && strchr(" \t", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

bool frs_eligible_read(const struct frs_values *values, const char *key, struct frs_eligible *eligible,
    struct frs_errors *errors) {
    const struct {
        const char *name;
        bool *wanted;
    } words[] = {{"wifi", &eligible->wifi}, {"charging", &eligible->charging}, {"idle", &eligible->idle}};
    const char *text = frs_values_text(values, key);
    *eligible = (struct frs_eligible){0};
    if (strcmp(text, "any") == 0)
        return true;
    char *copy = frs_strdup(text), *rest = copy, *field, shown[48];
    bool good = true;
    while (good && (field = strsep(&rest, ","))) {
        size_t i = 0;
        const char *word = trimmed(field);
        while (i < 3 && strcmp(words[i].name, word) != 0)
            i++;
        good = i < 3;
        if (good)
            *words[i].wanted = true;
        else
            frs_values_error(values, key, errors,
                "\"%s\" is no state of a device; allowed: \"any\", or some of wifi, charging, idle separated "
                "by commas",
                frs_text_line(word, shown, sizeof shown));
    }
    free(copy);
    return good;
}
