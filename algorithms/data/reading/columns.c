#include "algorithms/data/reading/columns.h"

#include <string.h>

/* In letters and digits alone, the more usual ones first. */
static const char *const users[] = {"userid", "user", "uid", "reviewerid", "customerid", "memberid",
    "clientid", "visitorid", "profileid", "username", "author", "sessionid", NULL};
static const char *const items[] = {"itemid", "item", "iid", "movieid", "parentasin", "asin", "businessid",
    "isbn", "bookid", "artistid", "songid", "trackid", "productid", "animeid", "venueid", "locationid",
    "placeid", "poiid", "jokeid", "gameid", "gmapid", "newsid", "articleid", "bookmarkid", "recipeid",
    "appid", "videoid", "movie", "artist", "product", "book", "title", NULL};
static const char *const values[] = {"rating", "ratings", "stars", "star", "score", "overall", "bookrating",
    "value", "weight", "count", "plays", "playcount", "preference", "interaction", NULL};
static const char *const times[] = {"timestamp", "time", "ts", "unixreviewtime", "unixtime",
    "ratingtimestamp", "datetime", "date", "checkintime", "utctime", "reviewdate", "submitted", "createdat",
    "dateadded", "eventdate", "eventtime", "tdat", NULL};
static const char *const *const names[FRS_COLUMNS] = {users, items, values, times};

enum { MOST_NAME = 32, USUAL = 100 };

const char *frs_column_text(enum frs_column column) {
    static const char *const texts[FRS_COLUMNS] = {"user id", "item id", "rating", "time"};
    return texts[column];
}

int frs_column_named(enum frs_column column, struct frs_field name) {
    char plain[MOST_NAME];
    size_t n = 0;
    for (size_t i = 0; i < name.n && n + 1 < sizeof plain; i++) {
        char letter = name.text[i];
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'))
            plain[n++] = letter;
    }
    plain[n] = '\0';
    for (int i = 0; names[column][i]; i++)
        if (strcmp(plain, names[column][i]) == 0)
            return USUAL - i;
    return 0;
}

void frs_columns_by_name(const struct frs_field *fields, size_t n, size_t columns[FRS_COLUMNS]) {
    for (int column = 0; column < FRS_COLUMNS; column++) {
        int best = 0;
        columns[column] = FRS_NO_COLUMN;
        for (size_t i = 0; i < n; i++) {
            int usual = frs_column_named((enum frs_column)column, fields[i]);
            if (usual > best) {
                best = usual;
                columns[column] = i;
            }
        }
    }
}
