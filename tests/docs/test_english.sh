#!/bin/sh
# What .ci/english.awk counts: each pattern in each kind of text is found where it is meant, and only there.
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch"

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

cat >a.c <<'END'
/* Nobody waits. Of these the second is sent. A round that came to its
 * end comes to 3 s, which nobody looked
 * at. Of `nobody` nothing is said, and on this side of a course nothing either. */
static const char *text = "nobody is told /* whoever */";
int x = 'n'; /* somebody's */
struct frs_param p = {.key = "whoever", .help = "how many "
    "everybody has", .initial = "nobody"};
struct frs_param q = {
    .help =
        "what it comes to"};
int y = 4 / 2; /* a comment of 111 columns, with × and ε as one column each, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx */
int z = 4 / 2; /* a comment of 110 columns, with × and ε as one column each, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx */
END
cat >a.md <<'END'
# Of headings

Whoever reads `somebody` and [nobody](whoever.md).
Twenty come to the server, and
Of course: everything comes to 12.

```
nobody
```

| Of a table | looked at |
END

# found: FILE:LINE: word, of both files.
LC_ALL=C awk -v list=1 -f "$source/.ci/english.awk" a.c a.md >out || true
grep -E '^a\.(c|md):' out | sed 's/ …$//' | sort >found
sort >expected <<'END'
a.c:1: Nobody
a.c:1: Of these
a.c:2: comes to
a.c:2: nobody
a.c:2: looked at
a.c:3: Of X
a.c:5: somebody
a.c:7: everybody
a.c:10: comes to
a.c:11: a comment of 111 columns
a.md:1: Of headings
a.md:3: Whoever
a.md:3: nobody
a.md:5: comes to
a.md:11: Of a
a.md:11: looked at
END
diff expected found >&2 || fail "what is counted"

# The table has as many, and the limit decides.
grep -qE '^comments +[0-9]+ +3 +2 +1 +1 ' out || fail "counts of comments: $(grep '^comments' out)"
grep -qE '^help texts +[0-9]+ +1 +0 +1 +0 ' out || fail "counts of help texts: $(grep '^help' out)"
echo '/* The server waits. */' >good.c
LC_ALL=C awk -f "$source/.ci/english.awk" good.c >/dev/null || fail "a good file is refused"
! LC_ALL=C awk -f "$source/.ci/english.awk" a.c >/dev/null || fail "a bad file passes"
