#include "sim/base/files/base64.h"
#include "sim/base/memory.h"

#include <sodium/utils.h>
#include <stdlib.h>
#include <string.h>

char *frs_base64_write(const void *bytes, size_t n) {
    size_t size = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);
    char *text = frs_alloc(size, 1);
    return sodium_bin2base64(text, size, bytes, n, sodium_base64_VARIANT_ORIGINAL);
}

void *frs_base64_read(const char *text, size_t *n) {
    size_t length = strlen(text), most = length / 4 * 3;
    unsigned char *bytes = frs_alloc(most + 1, 1);
    const char *end;
    if (sodium_base642bin(bytes, most, text, length, NULL, n, &end, sodium_base64_VARIANT_ORIGINAL) == 0 &&
        *end == '\0')
        return bytes;
    free(bytes);
    return NULL;
}
