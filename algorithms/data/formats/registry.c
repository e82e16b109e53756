/* The table of formats, and what several of them share. */
#include "algorithms/data/formats/format.h"

#include <math.h>

#define DATA_FORMAT(name, text) extern const struct frs_data_format frs_data_format_##name;
#include "algorithms/data/formats/formats.def"
#undef DATA_FORMAT

static const struct frs_data_format *const formats[] = {
#define DATA_FORMAT(name, text) &frs_data_format_##name,
#include "algorithms/data/formats/formats.def"
#undef DATA_FORMAT
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

const struct frs_data_format *frs_data_format_at(size_t index) {
    FRS_INVARIANT(index < N_FORMATS, "there is no format %zu", index);
    return formats[index];
}

const struct frs_data_format *frs_data_format_recognise(struct frs_field head) {
    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i]->recognise && formats[i]->recognise(head))
            return formats[i];
    return formats[N_FORMATS - 1];
}

bool frs_head_split(struct frs_field *head, const char *separator, struct frs_fields *fields) {
    struct frs_separator at = frs_separator_of(separator);
    struct frs_field line;
    return frs_head_line(head, &line) && frs_fields_split(fields, &at, line);
}

struct frs_layout frs_layout_plain(const char *separator, size_t n_fields, double max_value) {
    return (struct frs_layout){
        .separator = frs_separator_of(separator),
        .n_fields = n_fields,
        .columns = {0, 1, 2, n_fields > 3 ? 3 : FRS_NO_COLUMN},
        .ids_are_numbers = true,
        .max_value = max_value,
    };
}
