#include "algorithms/data/reading/columns.h"

#include <string.h>

/* In letters and digits alone, without accents, the more usual ones first. Names of ids stand before those of
 * things, and English ones before others. */
static const char *const users[] = {"userid", "user", "uid", "reviewerid", "customerid", "memberid",
    "clientid", "visitorid", "profileid", "username", "author", "sessionid", "learnerid", "listenerid",
    "studentid", "personid", "accountid", "authorid", "buyerid", "subscriberid", "raterid", "readerid",
    "viewerid", "userno", "usernumber", "usersha1", "userindex", "useridx", "reviewername", "profilename",
    "membername", "customername", "authorname", "reviewer", "customer", "member", "visitor", "learner",
    "listener", "shopper", "student", "buyer", "subscriber", "rater", "reader", "viewer", "player",
    "playerid", "profile", "account", "customernumber", "customerno", "kundennummer", "kundennr", "kundenid",
    "kundeid", "kunde", "nutzerid", "nutzer", "nutzername", "benutzerid", "benutzer", "benutzername",
    "mitglied", "utilisateurid", "utilisateur", "idutilisateur", "clientnumero", "idclient", "client",
    "membre", "usuarioid", "usuario", "idusuario", "clienteid", "cliente", "idcliente", "utente", "idutente",
    "\xe7\x94\xa8\xe6\x88\xb7", "\xe7\x94\xa8\xe6\x88\xb7id", NULL};
static const char *const items[] = {"itemid", "item", "iid", "movieid", "parentasin", "asin", "businessid",
    "isbn", "bookid", "artistid", "songid", "trackid", "productid", "animeid", "venueid", "locationid",
    "placeid", "poiid", "jokeid", "gameid", "gmapid", "newsid", "articleid", "bookmarkid", "recipeid",
    "appid", "videoid", "courseid", "filmid", "hotelid", "restaurantid", "beerid", "beerbeerid", "wineid",
    "stockcode", "productcode", "itemcode", "clothingid", "sku", "showid", "podcastid", "albumid", "itemno",
    "itemnumber", "itemindex", "itemidx", "contentid", "postid", "paperid", "\xe5\x95\x86\xe5\x93\x81",
    "\xe5\x95\x86\xe5\x93\x81id", "movie", "artist", "product", "book", "title", "course", "film", "song",
    "track", "album", "recipe", "hotel", "restaurant", "business", "beer", "wine", "game", "anime", "joke",
    "hotelname", "businessname", "productname", "itemname", "songname", "trackname", "artistname",
    "coursename", "moviename", "movietitle", "booktitle", "filmtitle", "articleno", "articlenumber",
    "productno", "productnumber", "artikelnummer", "artikelnr", "artikelid", "artikel", "produktid",
    "produktnummer", "produkt", "filmtitel", "buch", "lied", "produitid", "produit", "idproduit", "livre",
    "chanson", "peliculaid", "pelicula", "idpelicula", "productoid", "producto", "idproducto", "libro",
    "cancion", "prodotto", "idprodotto", NULL};
static const char *const values[] = {"rating", "ratings", "stars", "star", "score", "overall", "bookrating",
    "value", "weight", "count", "plays", "playcount", "preference", "interaction", "userrating",
    "useroverall", "ratingvalue", "clicks", "bewertung", "punkte", "sterne", "wertung", "evaluation",
    "valoracion", "calificacion", "puntuacion", "valutazione", "voto", "\xe8\xaf\x84\xe5\x88\x86", NULL};
static const char *const times[] = {"timestamp", "time", "ts", "unixreviewtime", "unixtime",
    "ratingtimestamp", "datetime", "date", "checkintime", "utctime", "reviewdate", "submitted", "createdat",
    "dateadded", "eventdate", "eventtime", "tdat", "invoicedate", "orderdate", "purchasedate",
    "transactiondate", "ratingdate", "ratingtime", "playedat", "listenedat", "createdate", "datecreated",
    "created", "visitdate", "datum", "zeit", "zeitstempel", "zeitpunkt", "bestelldatum", "horodatage",
    "fecha", "\xe6\x97\xb6\xe9\x97\xb4", NULL};
static const char *const *const names[FRS_COLUMNS] = {users, items, values, times};

enum { MOST_NAME = 32, USUAL = 1000 };

const char *frs_column_text(enum frs_column column) {
    static const char *const texts[FRS_COLUMNS] = {"user id", "item id", "rating", "time"};
    return texts[column];
}

/* The letter without its accent that begins a text in UTF-8, from U+00C0 to U+00FF; 0: it is another one. */
static char without_accent(const char *text, size_t n) {
    static const char letters[] = "aaaaaaaceeeeiiiidnooooo*ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy";
    if (n < 2 || (unsigned char)text[0] != 0xC3 || ((unsigned char)text[1] & 0xC0) != 0x80)
        return 0;
    return letters[(unsigned char)text[1] & 0x3F];
}

/* Small letters, digits, and what is beyond Latin ones. */
static void plain_name(struct frs_field name, char plain[MOST_NAME]) {
    size_t n = 0;
    for (size_t i = 0; i < name.n && n + 1 < MOST_NAME; i++) {
        char letter = name.text[i], bare = without_accent(name.text + i, name.n - i);
        if (bare) {
            letter = bare;
            i++;
        }
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || (letter & 0x80))
            plain[n++] = letter;
    }
    plain[n] = '\0';
}

static int usual_name(enum frs_column column, const char *plain) {
    for (int i = 0; *plain && names[column][i]; i++)
        if (strcmp(plain, names[column][i]) == 0)
            return USUAL - i;
    return 0;
}

/* "review/score" and "review_profilename" begin with what the rest is of. */
int frs_column_named(enum frs_column column, struct frs_field name) {
    static const char prefix[] = "review";
    const size_t n = sizeof prefix - 1;
    char plain[MOST_NAME] = "";
    plain_name(name, plain);
    int usual = usual_name(column, plain);
    if (usual == 0 && strncmp(plain, prefix, n) == 0)
        usual = usual_name(column, plain + n) / 2;
    return usual;
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
