#include "platforms/networks/platform_file.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <expat.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct examination {
    XML_Parser parser;
    const char *path;
    struct frs_errors *errors;
    enum frs_status status;
    int depth, n_outermost; /* of elements; zones that are in no other */
};

static const char *attribute(const XML_Char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* host "client1", or the element alone where it has no name. */
static char *name_of(const char *element, const XML_Char **attributes) {
    const char *id = attribute(attributes, "id");
    return id ? frs_format("%s \"%s\"", element, id) : frs_format("<%s>", element);
}

/* The attribute that names a profile; NULL: none. */
static const char *profile_of(const XML_Char **attributes) {
    for (; *attributes; attributes += 2) {
        size_t n = strlen(attributes[0]);
        if (n > 5 && strcmp(attributes[0] + n - 5, "_file") == 0)
            return attributes[0];
    }
    return NULL;
}

static bool is(const char *value, const char *name) {
    return value && strcasecmp(value, name) == 0;
}

static bool is_zone(const char *element) {
    return strcmp(element, "zone") == 0 || strcmp(element, "AS") == 0;
}

/* Whether a quantity, or each of several with commas between them, begins with a number of 0 or more. What
 * follows it is SimGrid's to judge. */
static bool is_quantity(const char *text) {
    for (;; text++) {
        char *end;
        double value = frs_decimal_read(text, 1, 0, &end);
        if (end == text || !(value >= 0 && value < INFINITY))
            return false;
        text = strchr(end, ',');
        if (!text)
            return true;
    }
}

/* SimGrid takes numbers below 0, and stops in the middle of a run. */
static char *wrong_quantity(const XML_Char **attributes) {
    static const char *const names[] = {"bandwidth", "latency", "bw", "lat", "bb_bw", "bb_lat", "bw_in",
        "bw_out", "loopback_bw", "loopback_lat", "limiter_link", "speed"};
    for (; *attributes; attributes += 2)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcmp(attributes[0], names[i]) == 0 && !is_quantity(attributes[1])) {
                char shown[64];
                return frs_format("%s=\"%s\": is no quantity; allowed: a number of 0 or more, with a unit",
                    names[i], frs_text_line(attributes[1], shown, sizeof shown));
            }
    return NULL;
}

/* Star is known to later versions of SimGrid. */
static char *unknown_routing(const char *routing) {
    static const char *const known[] = {
        "Cluster", "Dijkstra", "DijkstraCache", "Floyd", "Full", "None", "Star", "Vivaldi"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!routing || strcasecmp(routing, known[i]) == 0)
            return NULL;
    char shown[64];
    return frs_format("routing=\"%s\": is not known; allowed: Cluster | Dijkstra | DijkstraCache | Floyd | "
                      "Full | None | Vivaldi",
        frs_text_line(routing, shown, sizeof shown));
}

/* What is not simulated, and what is allowed instead; NULL: nothing. The caller frees it. */
static char *objection(const char *element, const XML_Char **attributes) {
    const char *profile = profile_of(attributes);
    if (profile)
        return frs_format("%s: profiles are not simulated on a platform of your own; allowed: no %s (on "
                          "generated links network.trace, availability and failures vary them)",
            profile, profile);
    if (strcmp(element, "trace") == 0 || strcmp(element, "trace_connect") == 0)
        return frs_format("profiles are not simulated on a platform of your own; allowed: no <%s> (on "
                          "generated links network.trace, availability and failures vary them)",
            element);
    if (is(attribute(attributes, "sharing_policy"), "WIFI"))
        return frs_format("sharing_policy=\"WIFI\": Wi-Fi cells are not simulated, for each station would "
                          "need a rate of its own; allowed: SHARED | FATPIPE | SPLITDUPLEX");
    if (is_zone(element) && is(attribute(attributes, "routing"), "Wifi"))
        return frs_format("routing=\"%s\": Wi-Fi cells are not simulated, for each station would need a rate "
                          "of its own; allowed: any other routing",
            attribute(attributes, "routing"));
    if (strcmp(element, "config") == 0)
        return frs_format("options of SimGrid in a platform would overrule the scenario's; allowed: none, "
                          "and the scenario says which model is simulated (network.model = \"exact\" | "
                          "\"lv08\")");
    if (strcmp(element, "actor") == 0 || strcmp(element, "process") == 0)
        return frs_format("a deployment is not taken from a platform: the server and the clients are "
                          "fedrecsim's; allowed: hosts, links and routes");
    if (strcmp(element, "include") == 0)
        return frs_format("other files are not read; allowed: one file with all hosts, links and routes");
    char *wrong = is_zone(element) ? unknown_routing(attribute(attributes, "routing")) : NULL;
    return wrong ? wrong : wrong_quantity(attributes);
}

static void XMLCALL begin_of_element(void *data, const XML_Char *element, const XML_Char **attributes) {
    struct examination *examination = data;
    char *said = objection(element, attributes);
    if (!said && examination->depth == 1 && is_zone(element) && ++examination->n_outermost == 2)
        said = frs_format("is the second one that is in no other; allowed: one zone with all others in it");
    examination->depth++;
    if (!said)
        return;
    char *name = name_of(element, attributes);
    examination->status = frs_errors_add(examination->errors, FRS_ERR_INPUT, "%s:%lu: %s: %s",
        examination->path, XML_GetCurrentLineNumber(examination->parser), name, said);
    free(name);
    free(said);
    XML_StopParser(examination->parser, XML_FALSE);
}

static void XMLCALL end_of_element(void *data, const XML_Char *element) {
    (void)element;
    ((struct examination *)data)->depth--;
}

/* Expat takes an int of bytes at a time. */
static bool parse(XML_Parser parser, const char *bytes, size_t n) {
    for (const size_t most = INT_MAX / 2; n > most; bytes += most, n -= most)
        if (XML_Parse(parser, bytes, (int)most, XML_FALSE) != XML_STATUS_OK)
            return false;
    return XML_Parse(parser, bytes, (int)n, XML_TRUE) == XML_STATUS_OK;
}

enum frs_status frs_platform_file_check(const char *path, struct frs_errors *errors) {
    char *bytes;
    size_t n;
    const char *reason = frs_input_read(path, FRS_INPUT_DATA, &bytes, &n);
    if (reason)
        return frs_errors_add(errors, FRS_ERR_INPUT, "\"%s\" cannot be read: %s", path, reason);
    struct examination examination = {
        .parser = XML_ParserCreate(NULL), .path = path, .errors = errors, .status = FRS_OK};
    FRS_INVARIANT(examination.parser, "no memory for a parser of XML");
    XML_SetUserData(examination.parser, &examination);
    XML_SetElementHandler(examination.parser, begin_of_element, end_of_element);
    if (!parse(examination.parser, bytes, n) && examination.status == FRS_OK)
        examination.status =
            frs_errors_add(errors, FRS_ERR_INPUT, "%s:%lu: %s; allowed: a SimGrid platform in XML", path,
                XML_GetCurrentLineNumber(examination.parser),
                XML_ErrorString(XML_GetErrorCode(examination.parser)));
    XML_ParserFree(examination.parser);
    free(bytes);
    return examination.status;
}
