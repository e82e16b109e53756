#include "sim/results/report/sent_line.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"

#include <stdlib.h>

char *frs_sent_line(struct frs_sent sent) {
    const struct {
        uint64_t bytes;
        const char *what;
    } parts[] = {{sent.connecting, "for connecting"}, {sent.edges, "between edges and the server"}};
    char text[64], *list = frs_strdup("");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].bytes == 0)
            continue;
        frs_units_format((double)parts[i].bytes, FRS_BYTES, text, sizeof text);
        char *longer = *list ? frs_format("%s, %s %s", list, text, parts[i].what)
                             : frs_format("%s of it %s", text, parts[i].what);
        free(list);
        list = longer;
    }
    frs_units_format((double)sent.all, FRS_BYTES, text, sizeof text);
    char *line = *list ? frs_format("%-14s (%s)", text, list) : frs_strdup(text);
    free(list);
    return line;
}
