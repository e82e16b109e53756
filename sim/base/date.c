#include "sim/base/date.h"

#include <math.h>
#include <string.h>

struct cursor {
    const char *at, *end;
};

static bool digits(struct cursor *cursor, int n, int *value) {
    *value = 0;
    if (cursor->end - cursor->at < n)
        return false;
    for (int i = 0; i < n; i++, cursor->at++) {
        if (*cursor->at < '0' || *cursor->at > '9')
            return false;
        *value = 10 * *value + (*cursor->at - '0');
    }
    return true;
}

static bool take(struct cursor *cursor, char wanted) {
    if (cursor->at == cursor->end || *cursor->at != wanted)
        return false;
    cursor->at++;
    return true;
}

static int days_of(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* Days since 1970-01-01 in the Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
 */
static double days_since_epoch(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year, era = (y >= 0 ? y : y - 399) / 400;
    int of_era = y - era * 400, of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return (double)era * 146097 + day_of_era - 719468;
}

static bool is_day(int year, int month, int day) {
    return month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
}

/* "22:30", "22:30:45", "22:30:45.125" */
static bool read_clock(struct cursor *cursor, double *seconds) {
    int hour, minute, second = 0;
    if (!digits(cursor, 2, &hour) || !take(cursor, ':') || !digits(cursor, 2, &minute))
        return false;
    double fraction = 0, place = 0.1;
    if (take(cursor, ':')) {
        if (!digits(cursor, 2, &second))
            return false;
        if (take(cursor, '.') || take(cursor, ',')) {
            int digit;
            if (!digits(cursor, 1, &digit))
                return false;
            do
                fraction += digit * place;
            while (place /= 10, cursor->at < cursor->end && digits(cursor, 1, &digit));
        }
    }
    *seconds = hour * 3600.0 + minute * 60.0 + second + fraction;
    return minute <= 59 && second <= 60 && (hour <= 23 || (hour == 24 && *seconds == 24 * 3600.0));
}

/* Nothing, "Z", "UTC", "GMT", "+02", "+0200", "+02:00" */
static bool read_zone(struct cursor *cursor, double *offset_s) {
    int hours, minutes = 0, sign;
    *offset_s = 0;
    if (cursor->at == cursor->end || take(cursor, 'Z') || take(cursor, 'z'))
        return true;
    if (cursor->end - cursor->at >= 3 &&
        (memcmp(cursor->at, "UTC", 3) == 0 || memcmp(cursor->at, "GMT", 3) == 0)) {
        cursor->at += 3;
        return true;
    }
    if (take(cursor, '+'))
        sign = 1;
    else if (take(cursor, '-'))
        sign = -1;
    else
        return false;
    if (!digits(cursor, 2, &hours))
        return false;
    bool colon = take(cursor, ':');
    bool ends = cursor->at == cursor->end || *cursor->at == ' ';
    if ((colon || !ends) && !digits(cursor, 2, &minutes))
        return false;
    *offset_s = sign * (hours * 3600.0 + minutes * 60.0);
    return hours <= 15 && minutes <= 59;
}

static bool read_iso(struct cursor cursor, double *time) {
    int year, month, day;
    double clock = 0, offset = 0;
    if (!digits(&cursor, 4, &year))
        return false;
    char separator = cursor.at < cursor.end && *cursor.at == '/' ? '/' : '-';
    if (!take(&cursor, separator) || !digits(&cursor, 2, &month) || !take(&cursor, separator) ||
        !digits(&cursor, 2, &day) || !is_day(year, month, day))
        return false;
    if (cursor.at < cursor.end) {
        bool has_clock = take(&cursor, 'T') || take(&cursor, ' ') || take(&cursor, 't');
        if (has_clock && !read_clock(&cursor, &clock))
            return false;
        while (take(&cursor, ' ')) {
        }
        if (!read_zone(&cursor, &offset))
            return false;
    }
    *time = days_since_epoch(year, month, day) * 86400 + clock - offset;
    return cursor.at == cursor.end;
}

/* "Tue Apr 03 18:00:09 +0000 2012", also without the zone */
static bool read_named(struct cursor cursor, double *time) {
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int year, month = 0, day;
    double clock, offset = 0;
    if (cursor.end - cursor.at < 20 || cursor.at[3] != ' ' || cursor.at[7] != ' ')
        return false;
    for (int i = 0; i < 12; i++)
        if (memcmp(months + 3 * i, cursor.at + 4, 3) == 0)
            month = i + 1;
    cursor.at += 8;
    int wide = take(&cursor, ' ') ? 1 : 2; /* ctime pads the day with a blank */
    if (month == 0 || !digits(&cursor, wide, &day) || !take(&cursor, ' ') || !read_clock(&cursor, &clock) ||
        !take(&cursor, ' '))
        return false;
    if (cursor.at < cursor.end &&
        (*cursor.at == '+' || *cursor.at == '-' || *cursor.at == 'U' || *cursor.at == 'G'))
        if (!read_zone(&cursor, &offset) || !take(&cursor, ' '))
            return false;
    if (!digits(&cursor, 4, &year) || !is_day(year, month, day))
        return false;
    *time = days_since_epoch(year, month, day) * 86400 + clock - offset;
    return cursor.at == cursor.end;
}

/* One or two digits. */
static bool short_number(struct cursor *cursor, int *value) {
    struct cursor two = *cursor;
    if (digits(&two, 2, value)) {
        *cursor = two;
        return true;
    }
    return digits(cursor, 1, value);
}

/* "8:00", "17:06:30", and where they are allowed "8:00 AM", "12:15:00 pm" */
static bool read_short_clock(struct cursor *cursor, bool halves, double *seconds) {
    struct cursor start = *cursor;
    int hour;
    if (!short_number(cursor, &hour) || cursor->end - cursor->at > 17)
        return false;
    char padded[20];
    size_t n = (size_t)(cursor->end - cursor->at);
    padded[0] = (char)('0' + hour / 10);
    padded[1] = (char)('0' + hour % 10);
    memcpy(padded + 2, cursor->at, n);
    struct cursor rest = {padded, padded + 2 + n};
    if (!read_clock(&rest, seconds))
        return false;
    cursor->at = start.end - (rest.end - rest.at);
    struct cursor behind = *cursor;
    while (take(&behind, ' ')) {
    }
    if (!halves || behind.end - behind.at < 2 || (behind.at[1] != 'M' && behind.at[1] != 'm') ||
        (*behind.at != 'A' && *behind.at != 'a' && *behind.at != 'P' && *behind.at != 'p'))
        return true;
    bool after_noon = *behind.at == 'P' || *behind.at == 'p';
    if (hour < 1 || hour > 12)
        return false;
    *seconds += 3600 * (12.0 * after_noon - (hour == 12 ? 12 : 0));
    cursor->at = behind.at + 2;
    return true;
}

/* Two numbers and a year with a mark between them, and perhaps a time of the day. */
static bool read_marked(struct cursor cursor, char mark, int parts[3], double *clock) {
    *clock = 0;
    if (!short_number(&cursor, &parts[0]) || !take(&cursor, mark) || !short_number(&cursor, &parts[1]) ||
        !take(&cursor, mark) || !digits(&cursor, 4, &parts[2]))
        return false;
    if (cursor.at == cursor.end)
        return true;
    bool behind_comma = take(&cursor, ',');
    if (!take(&cursor, ' ') && !behind_comma)
        return false;
    return read_short_clock(&cursor, mark == '/', clock) && cursor.at == cursor.end;
}

static bool read_dotted(struct cursor cursor, double *time) {
    int parts[3];
    double clock;
    if (!read_marked(cursor, '.', parts, &clock) || !is_day(parts[2], parts[1], parts[0]))
        return false;
    *time = days_since_epoch(parts[2], parts[1], parts[0]) * 86400 + clock;
    return true;
}

enum frs_slashed frs_date_slashed(const char *text, size_t n) {
    int parts[3];
    double clock;
    if (!read_marked((struct cursor){text, text + n}, '/', parts, &clock))
        return FRS_SLASHED_NONE;
    bool day_first = is_day(parts[2], parts[1], parts[0]), month_first = is_day(parts[2], parts[0], parts[1]);
    if (day_first && month_first)
        return FRS_SLASHED_EITHER;
    return day_first ? FRS_SLASHED_DAY_FIRST : month_first ? FRS_SLASHED_MONTH_FIRST : FRS_SLASHED_NONE;
}

bool frs_date_read_slashed(const char *text, size_t n, enum frs_slashed order, double *seconds) {
    int parts[3];
    double clock;
    bool month_first = order == FRS_SLASHED_MONTH_FIRST;
    if (!read_marked((struct cursor){text, text + n}, '/', parts, &clock))
        return false;
    int month = parts[month_first ? 0 : 1], day = parts[month_first ? 1 : 0];
    if (!is_day(parts[2], month, day))
        return false;
    *seconds = days_since_epoch(parts[2], month, day) * 86400 + clock;
    return true;
}

double frs_date_swapped(double seconds) {
    double days = floor(seconds / 86400);
    /* Hinnant, as above, the other way round. */
    long z = (long)days + 719468, era = (z >= 0 ? z : z - 146096) / 146097, of_era = z - era * 146097;
    long year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365,
         of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100),
         shifted = (5 * of_year + 2) / 153, day = of_year - (153 * shifted + 2) / 5 + 1,
         month = shifted < 10 ? shifted + 3 : shifted - 9, year = year_of_era + era * 400 + (month <= 2);
    if (!is_day((int)year, (int)day, (int)month))
        return seconds;
    return days_since_epoch((int)year, (int)day, (int)month) * 86400 + (seconds - days * 86400);
}

bool frs_date_clock(const char *text, size_t n, double *seconds) {
    struct cursor cursor = {text, text + n};
    double time;
    if (!read_short_clock(&cursor, true, &time) || cursor.at != cursor.end)
        return false;
    *seconds = time;
    return true;
}

bool frs_date_read(const char *text, size_t n, double *seconds) {
    struct cursor cursor = {text, text + n};
    double time;
    if (!read_iso(cursor, &time) && !read_named(cursor, &time) && !read_dotted(cursor, &time))
        return false;
    *seconds = time;
    return true;
}

bool frs_date_of_digits(const char *text, size_t n, double *seconds) {
    struct cursor cursor = {text, text + n};
    int year, month, day, hour = 0, minute = 0, second = 0;
    if ((n != 8 && n != 14) || !digits(&cursor, 4, &year) || !digits(&cursor, 2, &month) ||
        !digits(&cursor, 2, &day) || year < 1900 || year > 2099 || !is_day(year, month, day))
        return false;
    if (n == 14 && (!digits(&cursor, 2, &hour) || !digits(&cursor, 2, &minute) ||
                       !digits(&cursor, 2, &second) || hour > 23 || minute > 59 || second > 60))
        return false;
    *seconds = days_since_epoch(year, month, day) * 86400 + hour * 3600.0 + minute * 60.0 + second;
    return true;
}
