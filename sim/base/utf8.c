#include "sim/base/utf8.h"

uint32_t frs_utf8_character(const char *text, size_t *n) {
    static const struct {
        uint8_t mask, mark;
        uint32_t least; /* that is not written with fewer bytes */
    } kinds[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const uint8_t *bytes = (const uint8_t *)text;
    *n = 1;
    for (size_t more = 0; more < 4; more++) {
        if ((bytes[0] & kinds[more].mask) != kinds[more].mark)
            continue;
        uint32_t code = bytes[0] & (uint8_t)~kinds[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((bytes[i] & 0xC0) != 0x80)
                return FRS_NO_CHARACTER;
            code = code << 6 | (bytes[i] & 0x3F);
        }
        if (code < kinds[more].least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
            return FRS_NO_CHARACTER;
        *n = more + 1;
        return code;
    }
    return FRS_NO_CHARACTER;
}

bool frs_utf8_is_sound(const char *text) {
    for (size_t n; *text; text += n)
        if (frs_utf8_character(text, &n) == FRS_NO_CHARACTER)
            return false;
    return true;
}
