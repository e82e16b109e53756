#include "analysis/read/deciding_settings.h"
#include "sim/base/memory.h"

#include <stdlib.h>

static double share_of(const json_t *object, const char *name) {
    const json_t *share = json_object_get(object, name);
    return json_is_number(share) ? json_number_value(share) : 0;
}

struct frs_deciding_list frs_deciding_read(const json_t *array) {
    struct frs_deciding_list deciding = {0};
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *object = json_array_get(array, i);
        const char *key = json_string_value(json_object_get(object, "key")),
                   *what = json_string_value(json_object_get(object, "what"));
        if (!key || !what)
            continue;
        deciding.list = frs_grow(deciding.list, deciding.n + 1, &deciding.capacity, sizeof *deciding.list);
        deciding.list[deciding.n++] = (struct frs_deciding){frs_strdup(key), frs_strdup(what),
            share_of(object, "time_share"), share_of(object, "bytes_share")};
    }
    return deciding;
}

void frs_deciding_fini(struct frs_deciding_list *deciding) {
    for (size_t i = 0; i < deciding->n; i++) {
        free(deciding->list[i].key);
        free(deciding->list[i].what);
    }
    free(deciding->list);
    *deciding = (struct frs_deciding_list){0};
}
