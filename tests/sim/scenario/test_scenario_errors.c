/* Every mistake gets one line with its place, its key, what was wrong and what is allowed. */
#include "tests/sim/scenario/fixture.h"
#include "tests/support.h"

#include <sys/stat.h>

struct mistake {
    const char *file;        /* content of s.cfg */
    const char *const *sets; /* ended by NULL, or NULL */
    const char *expected;    /* lines joined by newlines */
};

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct mistake mistakes[] = {
    {"seed = ;", NULL, "s.cfg:1: seed: a value is missing before \";\""},
    {"seed 5;", NULL, "s.cfg:1: seed: \"=\" is missing after the name"},
    {"seed = 5;\nseed = 6;\n", NULL, "s.cfg:2: seed: is given twice; the first is at s.cfg:1"},
    {"method = {\n  dim = 5;\n  lr = 0.1;\n  dim = 6;\n};\ndevices = { strict = true; strict = false; };\n",
        NULL,
        "s.cfg:4: method.dim: is given twice; the first is at s.cfg:2\ns.cfg:6: devices.strict: is given "
        "twice; the first is at s.cfg:6"},
    {"network = {\n  downlink = 6 Mbit/s;\n};\n", NULL,
        "s.cfg:2: network.downlink: a value with a unit needs double quotes: \"6 Mbit...\""},
    {"rounds = { cohort = 60 %; };\n", NULL, "s.cfg:1: rounds.cohort: a share needs double quotes: \"60 %\""},
    {"method = { name = colr; };\n", NULL, "s.cfg:1: method.name: text needs double quotes: \"colr\""},
    {"method = {\n  dim = 5;\n", NULL,
        "s.cfg:1: method: the group that begins here is not closed: \"}\" is missing"},
    {"method = { dim = 5; }; };\n", NULL, "s.cfg:1: \"}\" closes nothing"},
    {"method = {\n  name = \"colr;\n  dim = 5;\n};\n", NULL,
        "s.cfg:2: the text that begins here goes on over several lines; is its closing double quote "
        "missing?"},
    {"rounds = { metrics = [\"hr\", ]; };\n", NULL,
        "s.cfg:1: rounds.metrics: a value is missing between \",\" and \"]\""},
    {"rounds = { metrics = (\"hr\" \"ndcg\" 5); };\n", NULL,
        "s.cfg:1: rounds.metrics: found \"5\" in a list; allowed: \",\" or \")\""},
    {"rounds = { metrics = [\"hr\", 5]; };\n", NULL,
        "s.cfg:1: rounds.metrics: [ ] holds plain values of one type; write ( ) for others"},
    {"rounds = {\n metrics = (\"hr\",\n", NULL,
        "s.cfg:2: rounds.metrics: the list that begins here is not closed: \")\" is missing"},
    {"/* no end\nseed = 1;\n", NULL,
        "s.cfg:1: the comment that begins here is not closed: \"*/\" is missing"},
    {"seed = 1;\n@include \"missing.cfg\"\n", NULL,
        "s.cfg:2: @include \"missing.cfg\": cannot be read: No such file or directory"},
    {"seed = 1;\n@include \".\"\n", NULL, "s.cfg:2: @include \".\": cannot be read: is a folder"},
    {"seed = @;\n", NULL, "s.cfg:1: seed: a value is missing before \"@\""},
    {"method = { name = “colr”; };\n", NULL,
        "s.cfg:1: method.name: a value is missing before “, a typographic quote; texts need straight ones, "
        "\"...\""},
    {"seed = −5;\n", NULL,
        "s.cfg:1: seed: a value is missing before −, a typographic minus or dash; numbers need the plain "
        "one, "
        "-"},
    {"seed =\xC2\xA0 5;\n", NULL,
        "s.cfg:1: seed: a value is missing before \xC2\xA0, a blank of typography, which can be invisible; "
        "settings need plain ones"},
    {"seed = é5;\n", NULL, "s.cfg:1: seed: a value is missing before \"é\""},
    {"= 5;\n", NULL, "s.cfg:1: found \"=\"; allowed: a setting such as name = value"},
    {"seed = 99999999999999999999;\n", NULL,
        "s.cfg:1: seed: \"99999999999999999999\" is out of range; allowed: an integer from 0 to "
        "9007199254740992"},
    {"sed = 1;\n", NULL, "s.cfg:1: sed: unknown key; did you mean \"seed\"?"},
    {"method = { dimm = 5; };\n", NULL, "s.cfg:1: method.dimm: unknown key; did you mean \"dim\"?"},
    {"network = { overhead = \"1 s\"; };\n", NULL,
        "s.cfg:1: network.overhead: unknown key; overhead belongs to section devices"},
    {"network = { overhed = \"1 s\"; };\n", NULL,
        "s.cfg:1: network.overhed: unknown key; did you mean devices.overhead?"},
    {"method = { frobnicate = 5; };\n", NULL,
        "s.cfg:1: method.frobnicate: unknown key (`fedrecsim explain method` lists all)"},
    {"frobnicate = 5;\n", NULL, "s.cfg:1: frobnicate: unknown key (`fedrecsim explain` lists all)"},
    {"netwrok = { model = \"exact\"; };\n", NULL,
        "s.cfg:1: netwrok: unknown section; did you mean \"network\"?"},
    {"downlink = { value = \"1 MB/s\"; };\n", NULL,
        "s.cfg:1: downlink: unknown section; downlink belongs to section network"},
    {"frobnicate = { };\n", NULL, "s.cfg:1: frobnicate: unknown section (`fedrecsim explain` lists all)"},
    {"codec = { bits = 5; };\n", NULL,
        "s.cfg:1: codec.bits: unknown key; bits belongs to section codec.uplink"},
    {"codec = { uplnk = { bits = 5; }; };\n", NULL,
        "s.cfg:1: codec.uplnk: unknown section; did you mean \"uplink\"?"},
    {"devices = { seed = 5; };\n", NULL, "s.cfg:1: devices.seed: unknown key; seed belongs to the top level"},
    {"method = { colr = { rnk = 5; }; };\n", NULL,
        "s.cfg:1: method.colr.rnk: unknown key; did you mean \"rank\"?"},
    {"method = { colr = { momentum = 0.5; }; };\n", NULL,
        "s.cfg:1: method.colr.momentum: is a key of fedmf, not of colr"},
    {"method = { colr = { name = \"fedmf\"; }; };\n", NULL,
        "s.cfg:1: method.colr.name: unknown key (`fedrecsim explain method` lists all)"},
    {"method = { colr = 5; };\n", NULL,
        "s.cfg:1: method.colr: 5 is an integer, not a group; allowed: a group { ... } with settings of "
        "colr (method.dim, method.rank, method.catchup)"},
    {"method = { rank = 5; };\n", NULL,
        "s.cfg:1: method.rank: is a key of colr, but method.name is \"fedmf\""},
    {"method = { name = \"popular\"; dim = 5; };\n", NULL,
        "s.cfg:1: method.dim: is a key of fedmf and colr, but method.name is \"popular\""},
    {"seed = \"5\";\n", NULL,
        "s.cfg:1: seed: \"5\" is text, not an integer; allowed: an integer from 0 to 9007199254740992"},
    {"seed = 5.0;\n", NULL,
        "s.cfg:1: seed: 5.0 is a real number, not an integer; allowed: an integer from 0 to "
        "9007199254740992"},
    {"seed = true;\n", NULL,
        "s.cfg:1: seed: true is a truth value, not an integer; allowed: an integer from 0 to "
        "9007199254740992"},
    {"seed = { };\n", NULL,
        "s.cfg:1: seed: is a group, not an integer; allowed: an integer from 0 to 9007199254740992"},
    {"method = 5;\n", NULL, "s.cfg:1: method: 5 is an integer, not a group; allowed: a group { ... }"},
    {"method = [ \"a\" ];\n", NULL, "s.cfg:1: method: is a list, not a group; allowed: a group { ... }"},
    {"codec = 5;\n", NULL, "s.cfg:1: codec: 5 is an integer, not a group; allowed: a group { ... }"},
    {"devices = { strict = 1; };\n", NULL,
        "s.cfg:1: devices.strict: 1 is an integer, not true or false; allowed: true or false"},
    {"devices = { note = 5; };\n", NULL,
        "s.cfg:1: devices.note: 5 is an integer, not text; allowed: text in double quotes"},
    {"method = { lr = \"x\"; };\n", NULL,
        "s.cfg:1: method.lr: \"x\" is text, not a number; allowed: a number, at least 0"},
    {"method = { name = 5; };\n", NULL,
        "s.cfg:1: method.name: 5 is an integer, not text; allowed: fedmf | colr | popular"},
    {"rounds = { metrics = \"hr\"; };\n", NULL,
        "s.cfg:1: rounds.metrics: \"hr\" is text, not a list; allowed: a list of: hr | ndcg | mae"},
    {"rounds = { metrics = (1, 2); };\n", NULL,
        "s.cfg:1: rounds.metrics: every element of the list has to be one word in double quotes; allowed: a "
        "list of: hr | ndcg | mae"},
    {"rounds = { metrics = (\"hr, mae\"); };\n", NULL,
        "s.cfg:1: rounds.metrics: every element of the list has to be one word in double quotes; allowed: a "
        "list of: hr | ndcg | mae"},
    {"rounds = { metrics = [\"hr\", \"ndgc\"]; };\n", NULL,
        "s.cfg:1: rounds.metrics: \"ndgc\" is not allowed; did you mean \"ndcg\"?; allowed: a list of: hr | "
        "ndcg | mae"},
    {"seed = -1;\n", NULL,
        "s.cfg:1: seed: \"-1\" is out of range; allowed: an integer from 0 to 9007199254740992"},
    {"seed = 9007199254740993L;\n", NULL,
        "s.cfg:1: seed: \"9007199254740993\" is out of range; allowed: an integer from 0 to "
        "9007199254740992"},
    {"method = { dim = 0; };\n", NULL,
        "s.cfg:1: method.dim: \"0\" is out of range; allowed: an integer from 1 to 512"},
    {"method = { lr = -0.5; };\n", NULL,
        "s.cfg:1: method.lr: \"-0.5\" is out of range; allowed: a number, at least 0"},
    {"method = { lr = 1e400; };\n", NULL,
        "s.cfg:1: method.lr: \"1e400\" is out of range; allowed: a number, at least 0"},
    {"method = { name = \"corl\"; rank = 4; };\n", NULL,
        "s.cfg:1: method.name: \"corl\" is not allowed; did you mean \"colr\"?; allowed: fedmf | colr | "
        "popular"},
    {"method = { name = \"neumf\"; };\n", NULL,
        "s.cfg:1: method.name: \"neumf\" is not allowed; allowed: fedmf | colr | popular"},
    {"network = { model = \"LV08\"; };\n", NULL,
        "s.cfg:1: network.model: \"LV08\" is not allowed; did you mean \"lv08\"?; allowed: exact | lv08"},
    {"network = { preset = \"fieldguid\"; };\n", NULL,
        "s.cfg:1: network.preset: \"fieldguid\" is not allowed; did you mean \"fieldguide\"?; allowed: none "
        "| fieldguide | lab"},
    {"network = { preset = \"moon\"; };\n", NULL,
        "s.cfg:1: network.preset: \"moon\" is not allowed; allowed: none | fieldguide | lab"},
    {"network = { downlink = 6; };\n", NULL,
        "s.cfg:1: network.downlink: \"6\" has no unit; allowed: text with a number and a unit (bit/s, "
        "kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to 1000000000000 bytes/s"},
    {"network = { downlink = \"6\"; };\n", NULL,
        "s.cfg:1: network.downlink: \"6\" has no unit; allowed: text with a number and a unit (bit/s, "
        "kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to 1000000000000 bytes/s"},
    {"network = { downlink = \"6 s\"; };\n", NULL,
        "s.cfg:1: network.downlink: \"6 s\" has the wrong unit; allowed: text with a number and a unit "
        "(bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to 1000000000000 bytes/s"},
    {"network = { downlink = \"6 Mb/s\"; };\n", NULL,
        "s.cfg:1: network.downlink: \"6 Mb/s\" is not a finite number with a known unit; allowed: text with "
        "a number and a unit (bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to "
        "1000000000000 bytes/s"},
    {"network = { downlink = (\"6 Mbit/s\"); };\n", NULL,
        "s.cfg:1: network.downlink: is a list, not text with a unit; allowed: text with a number and a unit "
        "(bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to 1000000000000 bytes/s"},
    {"network = { downlink = \"0 B/s\"; };\n", NULL,
        "s.cfg:1: network.downlink: \"0 B/s\" is out of range; allowed: text with a number and a unit "
        "(bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to 1000000000000 bytes/s"},
    {"devices = { overhead = 5; };\n", NULL,
        "s.cfg:1: devices.overhead: \"5\" has no unit; allowed: text with a number and a unit (ns, us, ms, "
        "s, min, h, d) from 0 to 3600 s"},
    {"devices = { overhead = \"-1 s\"; };\n", NULL,
        "s.cfg:1: devices.overhead: \"-1 s\" is out of range; allowed: text with a number and a unit (ns, "
        "us, ms, s, min, h, d) from 0 to 3600 s"},
    {"devices = { overhead = \"2 h\"; };\n", NULL,
        "s.cfg:1: devices.overhead: \"2 h\" is out of range; allowed: text with a number and a unit (ns, us, "
        "ms, s, min, h, d) from 0 to 3600 s"},
    {"devices = { overhead = \"nan s\"; };\n", NULL,
        "s.cfg:1: devices.overhead: \"nan s\" is not a finite number with a known unit; allowed: text with a "
        "number and a unit (ns, us, ms, s, min, h, d) from 0 to 3600 s"},
    {"rounds = { cohort = 0; };\n", NULL,
        "s.cfg:1: rounds.cohort: \"0\" is out of range; allowed: a count (integer of at least 1) or a share "
        "such as \"60 %\""},
    {"rounds = { cohort = 0.6; };\n", NULL,
        "s.cfg:1: rounds.cohort: \"0.6\" is neither a count nor a percentage; allowed: a count (integer of "
        "at least 1) or a share such as \"60 %\""},
    {"rounds = { cohort = \"10\"; };\n", NULL,
        "s.cfg:1: rounds.cohort: \"10\" is text without %; allowed: a count (integer of at least 1) or a "
        "share such as \"60 %\""},
    {"rounds = { cohort = \"0 %\"; };\n", NULL,
        "s.cfg:1: rounds.cohort: \"0 %\" is nobody; allowed: a count (integer of at least 1) or a "
        "share such as \"60 %\""},
    {"rounds = { cohort = \"101 %\"; };\n", NULL,
        "s.cfg:1: rounds.cohort: \"101 %\" is out of range; allowed: a count (integer of at least 1) or a "
        "share such as \"60 %\""},
    {"rounds = { cohort = 1.5; };\n", NULL,
        "s.cfg:1: rounds.cohort: \"1.5\" is out of range; allowed: a count (integer of at least 1) or a "
        "share such as \"60 %\""},
    {"", SETS("foo"), "--set foo: has to look like section.key=value"},
    {"", SETS("=5"), "--set =5: has to look like section.key=value"},
    {"", SETS("method=5"),
        "--set method=5: method: is a section; name one of its keys (`fedrecsim explain method` lists them)"},
    {"", SETS("codec=5"),
        "--set codec=5: codec: is a section; name one of its keys (`fedrecsim explain codec` lists them)"},
    {"", SETS("method.dimm=5"), "--set method.dimm=5: method.dimm: unknown key; did you mean \"dim\"?"},
    {"", SETS("metod.dim=5"), "--set metod.dim=5: metod.dim: unknown section; did you mean \"method\"?"},
    {"", SETS("network.downlnk.value=5 MB/s"),
        "--set network.downlnk.value=5 MB/s: network.downlnk.value: unknown section; did you mean "
        "\"downlink\"?"},
    {"", SETS("method.rank=5"),
        "--set method.rank=5: method.rank: is a key of colr, but method.name is \"fedmf\""},
    {"", SETS("method.dim=5x"),
        "--set method.dim=5x: method.dim: \"5x\" is not a number; allowed: an integer from 1 to 512"},
    {"", SETS("method.dim=5", "rounds.cohort=0.6"),
        "--set rounds.cohort=0.6: rounds.cohort: \"0.6\" is neither a count nor a percentage; allowed: a "
        "count (integer of at least 1) or a share such as \"60 %\""},
    {"", SETS("method.colr.rnk=5"),
        "--set method.colr.rnk=5: method.colr.rnk: unknown key; did you mean \"rank\"?"},
    {"", SETS("method.colr=5"),
        "--set method.colr=5: method.colr: \"5\" is text, not a group; allowed: a group { ... } with "
        "settings of colr (method.dim, method.rank, method.catchup)"},
    {"", SETS("network.downlink=6"),
        "--set network.downlink=6: network.downlink: \"6\" has no unit; allowed: text with a number and a "
        "unit (bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s) from 1 to 1000000000000 "
        "bytes/s"},
    {"", SETS("rounds.metrics=hr,ndgc"),
        "--set rounds.metrics=hr,ndgc: rounds.metrics: \"ndgc\" is not allowed; did you mean \"ndcg\"?; "
        "allowed: a list of: hr | ndcg | mae"},
    {"method = { rank = 5; };\n", SETS("method.name=colr", "method.momentum=0.5"),
        "--set method.momentum=0.5: method.momentum: is a key of fedmf, but method.name is \"colr\""},
    {"method = { name = \"fedmf\"; rank = 5; };\n", SETS("method.name=popular"),
        "s.cfg:1: method.rank: is a key of colr, but method.name is \"popular\""},
    {"method = { name = \"fedmf\"; momentum = 5; };\n", SETS("method.name=colr"),
        "s.cfg:1: method.momentum: \"5\" is out of range; allowed: a number from 0 to 1, or a percentage "
        "such as "
        "\"10 %\""},
    {"method = { momentum = \"0.5\"; };\n", NULL,
        "s.cfg:1: method.momentum: \"0.5\" is text, not a number; allowed: a number from 0 to 1, or a "
        "percentage "
        "such as \"10 %\""},
    {"method = { momentum = \"120 %\"; };\n", NULL,
        "s.cfg:1: method.momentum: \"120 %\" is out of range; allowed: a number from 0 to 1, or a percentage "
        "such "
        "as \"10 %\""},
    {"method = { lr = \"10 %\"; };\n", NULL,
        "s.cfg:1: method.lr: \"10 %\" is text, not a number; allowed: a number, at least 0"},
    {"seed = -1;\nmethod = { dim = 0; };\nnetwork = { overhead = \"1 s\"; };\n", SETS("rounds.count=0"),
        "s.cfg:1: seed: \"-1\" is out of range; allowed: an integer from 0 to 9007199254740992\ns.cfg:2: "
        "method.dim: \"0\" is out of range; allowed: an integer from 1 to 512\ns.cfg:3: network.overhead: "
        "unknown key; overhead belongs to section devices\n--set rounds.count=0: rounds.count: \"0\" is out "
        "of range; allowed: an integer from 1 to 100000"},
    {"a\nb", NULL, "s.cfg:1: a: \"=\" is missing after the name"},
    {"seed = 1;\nmethod =\" { name = \"fedmf\" };", NULL,
        "s.cfg:2: the text that begins here goes on over several lines; is its closing double quote "
        "missing?"},
    {"seed = 1; # last", NULL, "s.cfg:1: the file ends within a comment; it needs a line break at its end"},
    {"@include \"s.cfg\"\n", NULL, "s.cfg:1: @include \"s.cfg\": includes itself: s.cfg > s.cfg"},
    {"@include \"circle.cfg\"\n", NULL,
        "circle.cfg:2: @include \"s.cfg\": includes itself: s.cfg > circle.cfg > s.cfg"},
    /* explodes0 to 6, eight times explodes7 with 111 files, one with nine times explodes8 with 11, and the
     * next explodes8 with four: 7 + 888 + 1 + 99 + 1 + 4 = 1000. */
    {"@include \"explodes0.cfg\"\n", NULL,
        "explodes8.cfg:5: @include \"explodes9.cfg\": is too much: at most 1000 files of 16 MiB together can "
        "be included"},
    {"@include \"pipe\"\n", NULL, "s.cfg:1: @include \"pipe\": cannot be read: is not a regular file"},
    {"@include \"/dev/zero\"\n", NULL,
        "s.cfg:1: @include \"/dev/zero\": cannot be read: is not a regular file"},
    {"@include \"~/part.cfg\"\n", NULL,
        "s.cfg:1: @include \"~/part.cfg\": cannot be read: No such file or directory; the name of an "
        "included file is taken as it is written"},
    {"@include \"marked.cfg\"\n", NULL,
        "s.cfg:1: @include \"marked.cfg\": cannot be read: it begins with a byte order mark; save it as "
        "UTF-8 without one"},
    {"@include \"a\xe9.cfg\"\n", NULL, "s.cfg:1: @include \"a?.cfg\": is not UTF-8 text"},
    {"devices = {\n  note = \"caf\xe9\"; };\n", NULL, "s.cfg:2: devices.note: \"caf?\" is not UTF-8 text"},
    {"devices = { note = \"caf\\xe9\"; };\n", NULL, "s.cfg:1: devices.note: \"caf?\" is not UTF-8 text"},
    {"", SETS("devices.note=\xff\xfe"), "--set devices.note=??: devices.note: \"??\" is not UTF-8 text"},
    {"devices = { overhead = \"1e300 s\"; };\n", NULL,
        "s.cfg:1: devices.overhead: \"1e300 s\" is out of range; allowed: text with a number and a unit (ns, "
        "us, ms, s, min, h, d) from 0 to 3600 s"},
    {"seed = 1;\n@include \"part.cfg\"\n", NULL,
        "part.cfg:2: method.dimm: unknown key; did you mean \"dim\"?"},
    {"network = { downlink = \"6 Mbit/s\"; };\n",
        SETS("network.downlink.distribution=lognormal", "network.downlink.value=5 MB/s"),
        "--set network.downlink.value=5 MB/s: network.downlink.value: is a key of constant, but "
        "network.downlink.distribution is \"lognormal\""},
    {"network = { downlink = { distribution = \"lognormal\"; value = \"5 MB/s\"; }; };\n", NULL,
        "s.cfg:1: network.downlink.value: is a key of constant, but network.downlink.distribution is "
        "\"lognormal\""},
    /* A replaced value has to be valid for the plug-in for which the file was written; another value has
     * to be valid for the chosen one. */
    {"method = { dim = 600; };\n", SETS("method.name=colr", "method.dim=9"),
        "s.cfg:1: method.dim: \"600\" is out of range; allowed: an integer from 1 to 512"},
    {"method = { name = \"colr\"; dim = 400; };\n", SETS("method.dim=9"),
        "s.cfg:1: method.dim: \"400\" is out of range; allowed: an integer from 1 to 256"},
    {"method = { dim = 400; fedmf = { dim = 9; }; };\n", SETS("method.name=colr", "method.fedmf.dim=9"),
        "s.cfg:1: method.dim: \"400\" is out of range; allowed: an integer from 1 to 256"},
    {"", SETS("me\nth=5"), "--set me th=5: me th: unknown key (`fedrecsim explain` lists all)"},
};

enum { N_MISTAKES = sizeof mistakes / sizeof *mistakes };

static void expect(enum frs_status status, struct frs_errors *errors, const char *expected) {
    char *lines = fixture_lines(errors);
    ck_assert_str_eq(lines, expected);
    ck_assert_int_eq(status, FRS_ERR_INPUT);
    free(lines);
    frs_errors_clear(errors);
}

START_TEST(mistakes_are_named_with_file_and_line) {
    const struct mistake *mistake = &mistakes[_i];
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    enum frs_status status = fixture_load(fixture, mistake->file, mistake->sets, &scenario, &errors);
    ck_assert_ptr_null(scenario);
    expect(status, &errors, mistake->expected);
}
END_TEST

START_TEST(test_missing_keys_are_named_with_their_group) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    enum frs_status status =
        fixture_load(fixture_strict, "seed = 1;\n\noutput = { };\n", NULL, &scenario, &errors);
    expect(status, &errors,
        "s.cfg: method.name: has to be given; allowed: fedmf | colr | popular\n"
        "s.cfg:3: output.directory: has to be given; allowed: text in double quotes");
}
END_TEST

START_TEST(test_wrong_choice_is_not_missing_too) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    enum frs_status status = fixture_load(fixture_strict,
        "method = { name = \"fedmff\"; dim = 8; rank = 3; };\noutput = { directory = \"x\"; };\n", NULL,
        &scenario, &errors);
    expect(status, &errors,
        "s.cfg:1: method.name: \"fedmff\" is not allowed; did you mean \"fedmf\"?; allowed: fedmf | colr | "
        "popular");
}
END_TEST

/* Ten files one below the other, each of which includes the next one ten times: 10^9 in all. */
static void write_explosion(void) {
    for (int level = 0; level < 9; level++) {
        char *name = frs_format("explodes%d.cfg", level), *text = frs_strdup("");
        for (int i = 0; i < 10; i++) {
            char *longer = frs_format("%s@include \"explodes%d.cfg\"\n", text, level + 1);
            free(text);
            text = longer;
        }
        fixture_write(name, text);
        free(text);
        free(name);
    }
    fixture_write("explodes9.cfg", "");
}

static void enter(void) {
    fixture_enter();
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    fixture_write("marked.cfg", "\xef\xbb\xbfseed = 1;\n");
    fixture_write("circle.cfg", "seed = 1;\n@include \"s.cfg\"\n");
    write_explosion();
    fixture_write("part.cfg", "# part\nmethod = { dimm = 5; };\n");
}

int main(void) {
    Suite *suite = suite_create("scenario errors");
    TCase *tests = tcase_create("all");
    tcase_add_unchecked_fixture(tests, enter, fixture_leave);
    tcase_add_loop_test(tests, mistakes_are_named_with_file_and_line, 0, N_MISTAKES);
    tcase_add_test(tests, test_missing_keys_are_named_with_their_group);
    tcase_add_test(tests, test_wrong_choice_is_not_missing_too);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
