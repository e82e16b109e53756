#include "analysis/sentence/deciding_settings.h"
#include "analysis/sentence/sentence.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More environments than that are counted; of entries, more than that. */
enum { MOST_ENVIRONMENTS = 4, MOST_NAMES = 2 };

/* Shares that are nearer to each other than that are told of all environments at once. */
static const double ALIKE = 0.15;

/* From this share of the clients that a round asks for on, a cohort is called complete. */
static const double NEARLY_ALL = 0.9;

enum { TIME, BYTES, SHARES };

static const char *const units[SHARES] = {[TIME] = "of the time", [BYTES] = "of the bytes"};

/* One line: what decides, and its shares of each entry; 0 where an entry has none. */
struct finding {
    const char *key, *what; /* borrowed */
    double (*shares)[SHARES];
    double most;
    bool has_none; /* it decides who is missing, of which there is no share */
};

struct finder {
    const struct frs_entries *entries;
    struct frs_ranking ranking; /* for the names of entries */
    size_t n, capacity;
    struct finding *list;
};

/* ---- what decides ---- */

static size_t finding_of(struct finder *finder, const struct frs_deciding *deciding) {
    for (size_t i = 0; i < finder->n; i++)
        if (strcmp(finder->list[i].what, deciding->what) == 0)
            return i;
    finder->list = frs_grow(finder->list, finder->n + 1, &finder->capacity, sizeof *finder->list);
    finder->list[finder->n] = (struct finding){.key = deciding->key,
        .what = deciding->what,
        .shares = frs_alloc(finder->entries->n, sizeof *finder->list->shares)};
    return finder->n++;
}

static double share_in(const struct frs_run_results *run, const char *what, size_t which) {
    for (size_t i = 0; i < run->deciding.n; i++)
        if (strcmp(run->deciding.list[i].what, what) == 0)
            return which == TIME ? run->deciding.list[i].time_share : run->deciding.list[i].bytes_share;
    return 0;
}

/* The mean over the runs that say it; 0 where most of them do not. */
static double share_of(const struct frs_entry *entry, const char *what, size_t which) {
    double sum = 0;
    size_t n = 0;
    for (size_t k = 0; k < entry->n; k++) {
        double share = share_in(&entry->runs[k], what, which);
        sum += share;
        n += share > 0;
    }
    return 2 * n > entry->n ? sum / (double)n : 0;
}

static int compare(const void *a, const void *b) {
    const struct finding *left = a, *right = b;
    return (left->most < right->most) - (left->most > right->most);
}

static void find(struct finder *finder) {
    const struct frs_entries *entries = finder->entries;
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++)
            for (size_t d = 0; d < entries->list[i].runs[k].deciding.n; d++) {
                const struct frs_deciding *deciding = &entries->list[i].runs[k].deciding.list[d];
                size_t f = finding_of(finder, deciding);
                finder->list[f].has_none = !(deciding->time_share > 0) && !(deciding->bytes_share > 0);
            }
    for (size_t f = 0; f < finder->n; f++)
        for (size_t i = 0; i < entries->n; i++)
            for (size_t which = 0; which < SHARES; which++) {
                struct finding *finding = &finder->list[f];
                finding->shares[i][which] = share_of(&entries->list[i], finding->what, which);
                finding->most = fmax(finding->most, finding->shares[i][which]);
            }
    if (finder->n > 1)
        qsort(finder->list, finder->n, sizeof *finder->list, compare);
}

/* ---- in words ---- */

/* "97 %", but never all of it where something is left. */
static char *percent(double share, bool with_unit) {
    const char *unit = with_unit ? " %" : "";
    return share > 0.995 && share < 1 ? frs_format("%.1f%s", fmin(100 * share, 99.9), unit)
                                      : frs_format("%.0f%s", 100 * share, unit);
}

/* "97–98 %" */
static char *range_text(double least, double most) {
    char *low = percent(least, false), *high = percent(most, false), *whole = percent(most, true);
    char *text = strcmp(low, high) == 0 ? frs_strdup(whole) : frs_format("%s–%s", low, whole);
    free(low);
    free(high);
    free(whole);
    return text;
}

struct part {
    double least, most;
    size_t n, of; /* entries that have a share, and all of them */
    const char **names;
};

static struct part part_of(
    const struct finder *finder, const struct finding *finding, size_t which, size_t environment) {
    const struct frs_entries *entries = finder->entries;
    struct part part = {.least = INFINITY, .names = frs_alloc(entries->n, sizeof *part.names)};
    for (size_t i = 0; i < entries->n; i++) {
        double share = finding->shares[i][which];
        if (entries->list[i].environment != environment || entries->list[i].n == 0)
            continue;
        part.of++;
        if (!(share > 0))
            continue;
        part.least = fmin(part.least, share);
        part.most = fmax(part.most, share);
        part.names[part.n++] = finder->ranking.list[i].name;
    }
    return part;
}

static bool is_whole(const struct part *part) {
    return part->n == part->of;
}

/* "for colr", where others of these environments have none; freed with free(). */
static char *whom_text(const struct part *part) {
    char *names = frs_listed(part->names, part->n, MOST_NAMES);
    char *text = !is_whole(part) ? frs_format("for %s", names) : frs_strdup("");
    free(names);
    return text;
}

/* "under loss=0.3 for colr: 31 %"; without a place and for all "31 %". */
static char *part_text(const struct part *part, const char *place) {
    char *range = range_text(part->least, part->most), *whom = whom_text(part);
    char *text =
        frs_format("%s%s%s%s%s", place, *place && *whom ? " " : "", whom, *place || *whom ? ": " : "", range);
    free(range);
    free(whom);
    return text;
}

static void append(char **text, const char *between, char *more) {
    char *longer = frs_format("%s%s%s", *text, **text ? between : "", more);
    free(*text);
    free(more);
    *text = longer;
}

/* Adds a part to all of them. Their names are those of the first one. False: other entries have a share
 * here. */
static bool join(struct part *all, const struct part *part) {
    bool alike = !all->names || (is_whole(all) ? is_whole(part) : all->n == part->n && !is_whole(part));
    for (size_t i = 0; alike && all->names && !is_whole(part) && i < part->n; i++)
        alike = strcmp(all->names[i], part->names[i]) == 0;
    all->least = fmin(all->least, part->least);
    all->most = fmax(all->most, part->most);
    if (!all->names) {
        all->names = part->names;
        all->n = part->n;
        all->of = part->of;
    }
    return alike;
}

/* "under 7 of 12 environments: 40–98 %", with names where all of them have the same. */
static char *many_text(struct part *all, size_t n, size_t n_environments, bool alike) {
    char *place = n < n_environments ? frs_format("under %zu of %zu environments", n, n_environments)
                  : n == 1           ? frs_strdup("")
                                     : frs_format("under all %zu environments", n);
    char *text = alike ? part_text(all, place)
                       : frs_format("%s for some of what is compared: %.0f–%.0f %%", place, 100 * all->least,
                             100 * all->most);
    free(place);
    return text;
}

/* Of one share: "under loss=0.3: 97–98 %, under loss=0.6: 98 %"; "": there is none. */
static char *places_text(const struct finder *finder, const struct finding *finding, size_t which) {
    size_t n_environments = finder->entries->n_environments, n = 0;
    struct part *parts = frs_alloc(n_environments, sizeof *parts), all = {.least = INFINITY};
    char *text = frs_strdup("");
    bool alike = true;
    for (size_t c = 0; c < n_environments; c++) {
        parts[c] = part_of(finder, finding, which, c);
        if (parts[c].n == 0)
            continue;
        char *place = frs_format("under %s", finder->entries->environments[c]);
        alike = join(&all, &parts[c]) && alike;
        append(&text, ", ", part_text(&parts[c], place));
        free(place);
        n++;
    }
    bool at_once = n == n_environments && (n == 1 || (alike && all.most - all.least <= ALIKE));
    if (n > MOST_ENVIRONMENTS || at_once) {
        free(text);
        text = many_text(&all, n, n_environments, alike);
    }
    for (size_t c = 0; c < n_environments; c++)
        free(parts[c].names);
    free(parts);
    return text;
}

/* "7,184" */
static char *counted(double n) {
    if (n < 1000)
        return frs_format("%.0f", n);
    char *rest = counted(floor(n / 1000)), *text = frs_format("%s,%03.0f", rest, fmod(n, 1000));
    free(rest);
    return text;
}

/* ": 7,184 of 9,000 calls reached no client", of the entries that wait for them. */
static char *calls_text(const struct finder *finder, const struct finding *finding) {
    double missed = 0, all = 0;
    if (strcmp(finding->key, "rounds.selection.contact_timeout") != 0)
        return frs_strdup("");
    for (size_t i = 0; i < finder->entries->n; i++)
        for (size_t k = 0; finding->shares[i][TIME] > 0 && k < finder->entries->list[i].n; k++) {
            const struct frs_metrics *metrics = &finder->entries->list[i].runs[k].metrics;
            missed += frs_metrics_get(metrics, "outcomes.unavailable");
            all += frs_metrics_get(metrics, "participations");
        }
    char *some = counted(missed), *of = counted(all);
    char *text = all > 0 ? frs_format(": %s of %s calls reached no client", some, of) : frs_strdup("");
    free(some);
    free(of);
    return text;
}

static void capitalise(char *text) {
    if (*text >= 'a' && *text <= 'z')
        *text = (char)(*text - 'a' + 'A');
}

static char *bare_line_of(const struct finding *finding) {
    char *line = frs_format("%s.", finding->what);
    capitalise(line);
    return line;
}

static char *line_of(const struct finder *finder, const struct finding *finding) {
    char *line = frs_strdup(""), *calls = calls_text(finder, finding);
    for (size_t which = 0; which < SHARES; which++) {
        char *places = places_text(finder, finding, which);
        if (*places)
            append(&line, " and ", frs_format("%s %s", places, units[which]));
        free(places);
    }
    append(&line, " ", frs_format("%s%s.", finding->what, calls));
    capitalise(line);
    free(calls);
    return line;
}

/* ---- cohorts ---- */

/* The share of the clients asked for that a round has on average; 0: nearly all. */
static double cohort_share(const struct frs_entry *entry) {
    double requested = frs_replicates_figure(&entry->replicates, "cohort.requested").estimate.mean,
           mean = frs_replicates_figure(&entry->replicates, "cohort.mean").estimate.mean;
    return mean < NEARLY_ALL * requested ? mean / requested : 0;
}

/* "Under loss=0.6: 5–11 % of the clients that a round asks for were in it, on average."; NULL: nearly all. */
static char *cohort_line(const struct finder *finder) {
    struct finding finding = {.shares = frs_alloc(finder->entries->n, sizeof *finding.shares)};
    for (size_t i = 0; i < finder->entries->n; i++)
        finding.shares[i][TIME] = cohort_share(&finder->entries->list[i]);
    char *places = places_text(finder, &finding, TIME), *line = NULL;
    if (*places) {
        line = frs_format("%s of the clients that a round asks for were in it, on average.", places);
        capitalise(line);
    }
    free(places);
    free(finding.shares);
    return line;
}

/* ---- all of it ---- */

struct frs_decided_by frs_decided_by_of(const struct frs_entries *entries) {
    struct finder finder = {.entries = entries, .ranking = frs_ranking_of_entries(entries)};
    find(&finder);
    struct frs_decided_by decided = {0, frs_alloc(finder.n + 1, sizeof *decided.lines)};
    for (size_t i = 0; i < finder.n; i++)
        if (finder.list[i].most > 0)
            decided.lines[decided.n++] = line_of(&finder, &finder.list[i]);
        else if (finder.list[i].has_none)
            decided.lines[decided.n++] = bare_line_of(&finder.list[i]);
    char *cohorts = cohort_line(&finder);
    if (cohorts)
        decided.lines[decided.n++] = cohorts;
    for (size_t i = 0; i < finder.n; i++)
        free(finder.list[i].shares);
    free(finder.list);
    frs_ranking_fini(&finder.ranking);
    return decided;
}

void frs_decided_by_fini(struct frs_decided_by *decided) {
    for (size_t i = 0; i < decided->n; i++)
        free(decided->lines[i]);
    free(decided->lines);
    *decided = (struct frs_decided_by){0};
}
