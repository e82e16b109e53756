#!/bin/sh
# Layers: what each folder may use (tests/layers.txt), held against every include and every symbol; and no circle,
# neither between folders nor between files.
#   test_layers.sh BUILD_FOLDER   checks the tree, then plants violations in a copy and checks that each is found
#   test_layers.sh --picture      prints the picture of the folders in docs/architecture.md
set -eu

if [ $# -ne 1 ]; then
    echo "usage: tests/test_layers.sh BUILD_FOLDER | --picture" >&2
    exit 2
fi
source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
list=$source/tests/layers.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Functions of awk on the list. A file belongs to the nearest folder above it that is listed.
cat >"$scratch/list.awk" <<'AWK'
function read_list(file,   line, words, n, i, folder) {
    while ((getline line <file) > 0) {
        n = split(line, words, " ")
        if (n == 0 || words[1] ~ /^#/)
            continue
        if (words[1] == "library") {
            pattern[++n_libraries] = words[2]
            for (i = 3; i <= n; i++)
                reader[n_libraries, ++n_readers[n_libraries]] = words[i]
        } else if (words[1] == "uses") {
            for (i = 2; i <= n; i++)
                may_use[folder, words[i]]
        } else if (words[1] == "shows") {
            for (i = 2; i <= n; i++)
                shown[folder "/" words[i]]
        } else {
            folder = words[1]
            folders[++n_folders] = folder
            is_listed[folder]
        }
    }
    close(file)
}
function folder_of(path) {
    while (path != "" && !(path in is_listed))
        if (!sub(/\/[^\/]*$/, "", path))
            return ""
    return path
}
function has_prefix(path, folder) { return path == folder || index(path, folder "/") == 1 }
AWK

# ---- includes -------------------------------------------------------------------------------------------------

# A line "file: header" for every include below folder $1 (relative names); a header in quotes keeps the first one.
list_includes() {
    (cd "$1" && for folder in sim algorithms actors platforms analysis; do
        [ ! -d "$folder" ] || find "$folder" -type f \( -name '*.[ch]' -o -name '*.def' \) -exec awk '
            /^[ \t]*#[ \t]*include/ {
                sub(/^[^"<]*<?/, "")
                sub(/[">][^">]*$/, "")
                print FILENAME ": " $0
            }' {} +
    done)
}

# One line per include below $1 that the list does not allow.
check_includes() {
    list_includes "$1" | awk -v list="$list" -f "$scratch/list.awk" -f /dev/fd/3 3<<'AWK'
    function deny(why) { print file ": includes " $2 ": " why }
    BEGIN { read_list(list) }
    {
        file = $1
        sub(/:$/, "", file)
        quoted = sub(/^"/, "", $2)
        from = folder_of(file); to = quoted ? folder_of($2) : ""
        if (from == "")
            deny("tests/layers.txt does not know its folder")
        if (quoted && to == "")
            deny("project files are named from the top of the tree")
        if (to != "" && to != from && !((from, to) in may_use))
            deny(from " does not use " to)
        else if (to != "" && to != from && !($2 in shown))
            deny("it is private to " to)
        for (i = 1; i <= n_libraries; i++) {
            allowed = $2 !~ pattern[i]
            for (k = 1; k <= n_readers[i]; k++)
                allowed = allowed || has_prefix(file, reader[i, k])
            if (!allowed)
                deny("the library belongs to others")
        }
    }
AWK
}

# What the list shows and nobody else includes.
check_shown() {
    list_includes "$1" | awk -v list="$list" -f "$scratch/list.awk" -f /dev/fd/3 3<<'AWK'
    BEGIN { read_list(list) }
    {
        sub(/:$/, "", $1)
        if (sub(/^"/, "", $2) && folder_of($1) != folder_of($2))
            wanted[$2]
    }
    END {
        for (header in shown)
            if (!(header in wanted))
                print "tests/layers.txt shows " header ", which nobody else includes"
    }
AWK
}

# ---- circles --------------------------------------------------------------------------------------------------

# From lines "a b" (a uses b) those that lie on a circle, or between two of them.
circles() {
    awk '
    $1 != $2 && !(($1, $2) in seen) { seen[$1, $2]; from[++n] = $1; to[n] = $2; out[$1]++; into[$2]++ }
    END {
        do {
            removed = 0
            for (i = 1; i <= n; i++)
                if (from[i] != "" && (!out[to[i]] || !into[from[i]])) {
                    out[from[i]]--; into[to[i]]--
                    from[i] = ""
                    removed = 1
                }
        } while (removed)
        for (i = 1; i <= n; i++)
            if (from[i] != "")
                print "circle: " from[i] " uses " to[i]
    }'
}

list_uses() {
    awk -v list="$1" -f "$scratch/list.awk" -f /dev/fd/3 3<<'AWK'
    BEGIN {
        read_list(list)
        for (pair in may_use) {
            split(pair, ends, SUBSEP)
            print ends[1], ends[2]
        }
    }
AWK
}

# A header, one of its name with _internal behind, and the sources and lists named like them are one.
check_file_circles() {
    list_includes "$1" | awk '
    function unit(path) { sub(/(_internal)?\.(c|h|def)$/, "", path); return path }
    { sub(/:$/, "", $1); if (sub(/^"/, "", $2)) print unit($1), unit($2) }' | circles
}

# ---- symbols --------------------------------------------------------------------------------------------------

shared_library() {
    nm -D --defined-only "$(cc -print-file-name="$1")" | awk '{ sub(/@.*/, "", $3); print $3 }'
}

# Symbols that anything may need: libc without what `algorithms` must not have, and what compilers insert.
collect_system_symbols() {
    shared_library libc.so.6 >"$scratch/libc"
    shared_library libm.so.6 >"$scratch/libm"
    {
        nm --defined-only "$(cc -print-libgcc-file-name)" 2>/dev/null | awk 'NF == 3 { print $3 }'
        shared_library libgcc_s.so.1
        echo _GLOBAL_OFFSET_TABLE_
        echo __tls_get_addr
    } >"$scratch/compiler"
    # Output, files, clocks, environment, other randomness: a method is a function of what it is given.
    grep -Evx '_?_?(v?d?f?w?printf|f?put[sc]|f?putw?c|putchar|putw|fwrite|perror|psignal)(_chk|_unlocked)?|stdout|stderr|stdin|write|pwrite|syslog|f?open(64)?|clock|clock_gettime|gettimeofday|time|times|ftime|timespec_get|getrusage|rand|srand|random|[a-z]rand48|rand_r|getrandom|(secure_)?getenv' \
        "$scratch/libc" >"$scratch/quiet_libc"
    cat "$scratch/compiler" "$scratch/libc" >"$scratch/allow_base_only"
    { cat "$scratch/allow_base_only" "$scratch/libm"
        shared_library libexpat.so; } >"$scratch/allow_platforms"
    { cat "$scratch/allow_base_only" "$scratch/libm"
        shared_library libsodium.so; } >"$scratch/allow_base"
    { cat "$scratch/allow_base_only" "$scratch/libm"
        shared_library libjansson.so
        shared_library libsqlite3.so; } >"$scratch/allow_analysis"
    { cat "$scratch/compiler" "$scratch/quiet_libc" "$scratch/libm"
        shared_library libopenblas.so
        shared_library liblapacke.so
        shared_library libjansson.so
        shared_library libz.so
        shared_library libzstd.so
        shared_library liblzma.so
        shared_library libsodium.so | grep -v '^randombytes'; } >"$scratch/allow_algorithms"
    { cat "$scratch/allow_base_only"
        shared_library libssl.so
        shared_library libseccomp.so
        shared_library libcrypto.so; } >"$scratch/allow_actors"
}

defined_in() {
    nm --defined-only -g "$1" 2>/dev/null | awk 'NF == 3 { print $3 }'
}

# One line per symbol that library $2 (of layer $1) needs and may not have. $3: library of sim/base.
check_symbols() {
    [ -f "$2" ] || return 0
    { defined_in "$2"
        [ ! -f "$3" ] || defined_in "$3"
        cat "$scratch/allow_$1"; } >"$scratch/known"
    nm -A -u "$2" 2>/dev/null | awk -v layer="$1" '
    NR == FNR { known[$1]; next }
    $NF in known || $NF ~ /^__(asan|ubsan|tsan|sanitizer|gcov)_/ { next }
    { object = $1; sub(/.*:[^:]*\//, "", object); sub(/:$/, "", object); sub(/.*lib[^:]*:/, "", object)
      print layer ": " object " needs " $NF }' "$scratch/known" -
}

check_all_symbols() {
    for layer in base algorithms platforms actors analysis; do
        check_symbols "$layer" "$1/libfrs_$layer.a" "$1/libfrs_base.a"
    done
}

# Lines "source: defines|needs symbol" of all objects in build folder $1 whose sources are there.
list_symbols() {
    (cd "$source" && find sim algorithms platforms actors analysis -name '*.c') >"$scratch/sources"
    find "$1/CMakeFiles" -path '*/frs_*.dir/*' -name '*.c.o' -exec nm -A -g {} + | awk '
        NR == FNR { is_there[$0]; next }
        {
            file = $0
            sub(/\.o:.*/, "", file)
            sub(/.*\/frs_[^\/]*\.dir\//, "", file)
            if (file in is_there)
                print file ": " ($0 ~ /\.o: / ? "needs " : "defines ") $NF
        }' "$scratch/sources" -
}

# From the lines of list_symbols, one per symbol that a folder needs of another that it may not use.
check_symbols_of_folders() {
    awk -v list="$list" -f "$scratch/list.awk" -f /dev/fd/3 "$1" "$1" 3<<'AWK'
    BEGIN { read_list(list) }
    { sub(/:$/, "", $1) }
    NR == FNR { if ($2 == "defines") home[$3] = folder_of($1); next }
    $2 == "needs" && ($3 in home) {
        from = folder_of($1); to = home[$3]
        if (from != to && !((from, to) in may_use))
            print $1 ": needs " $3 ": " from " does not use " to
    }
AWK
}

# What the list allows and nothing needs, neither by an include nor by a symbol (lines of list_symbols in $2).
check_unused() {
    { list_includes "$1"
        cat "$2" "$2"; } | awk -v list="$list" -f "$scratch/list.awk" -f /dev/fd/3 3<<'AWK'
    BEGIN { read_list(list) }
    { sub(/:$/, "", $1) }
    NF == 2 && sub(/^"/, "", $2) { used[folder_of($1), folder_of($2)] }
    $2 == "defines" { home[$3] = folder_of($1) }
    $2 == "needs" && ($3 in home) { used[folder_of($1), home[$3]] }
    END {
        for (pair in may_use)
            if (!(pair in used)) {
                split(pair, ends, SUBSEP)
                print "tests/layers.txt lets " ends[1] " use " ends[2] ", which it does not need"
            }
    }
AWK
}

# ---- the picture ----------------------------------------------------------------------------------------------

# The list as a Mermaid graph; what follows from other arrows is left out.
print_picture() {
    list_uses "$list" | sort | awk '
    { uses[$1, $2]; names[$1]; names[$2]; from[NR] = $1; to[NR] = $2 }
    function id(name) { gsub(/[^a-z]/, "_", name); return name }
    END {
        for (middle in names)
            for (a in names)
                if ((a, middle) in uses || (a, middle) in reach)
                    for (b in names)
                        if ((middle, b) in uses || (middle, b) in reach)
                            reach[a, b]
        print "```mermaid"
        print "graph TD"
        for (i = 1; i <= NR; i++)
            if (!((from[i], to[i]) in reach))
                print "    " id(from[i]) "[" from[i] "] --> " id(to[i]) "[" to[i] "]"
        print "```"
    }'
}

check_picture() {
    print_picture >"$scratch/picture"
    awk '/^```mermaid$/ { on = 1 } on { print } /^```$/ { on = 0 }' "$source/docs/architecture.md" |
        cmp -s - "$scratch/picture" ||
        echo "docs/architecture.md: the picture is not that of tests/layers.txt (tests/test_layers.sh --picture)"
}

if [ "$1" = --picture ]; then
    print_picture
    exit
fi
build=$1

# ---- this test can fail ---------------------------------------------------------------------------------------

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# plant FILE INCLUDE: the include must be reported for exactly this file.
plant() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$1")"
    printf '#include %s\n' "$2" >"$scratch/tree/$1"
    check_includes "$scratch/tree" | grep -q "^$1: " || fail "self-check: $2 in $1 was not found"
}

# accept FILE INCLUDE: the include must not be reported.
accept() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$1")"
    printf '#include %s\n' "$2" >"$scratch/tree/$1"
    [ -z "$(check_includes "$scratch/tree")" ] || fail "self-check: $2 in $1 was reported"
}

# compile LAYER CODE: a library of one object, in $scratch/planted.a.
compile() {
    printf '%s\n' "$2" >"$scratch/planted.c"
    cc -O0 -w -c "$scratch/planted.c" -o "$scratch/planted.o"
    rm -f "$scratch/planted.a"
    ar rc "$scratch/planted.a" "$scratch/planted.o"
    found=$(check_symbols "$1" "$scratch/planted.a" "$build/libfrs_base.a")
}

plant_symbol() {
    compile "$1" "$2"
    [ -n "$found" ] || fail "self-check: a library of $1 was accepted with: $2"
}

accept_symbol() {
    compile "$1" "$2"
    [ -z "$found" ] || fail "self-check: $found"
}

# plant_files FILE INCLUDE FILE INCLUDE: a tree of two files.
plant_files() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$1")" "$scratch/tree/$(dirname "$3")"
    printf '#include "%s"\n' "$2" >"$scratch/tree/$1"
    printf '#include "%s"\n' "$4" >"$scratch/tree/$3"
}

self_check_of_circles() {
    plant_files actors/x.h actors/y.h actors/y.c actors/x.h
    [ -n "$(check_file_circles "$scratch/tree")" ] || fail "self-check: a circle of two files was not found"
    plant_files actors/x.c actors/x_internal.h actors/x_internal.h actors/x.h
    [ -z "$(check_file_circles "$scratch/tree")" ] || fail "self-check: a header of its own made a circle"
    plant_files actors/x.c actors/y.h actors/y.c actors/z.h
    [ -z "$(check_file_circles "$scratch/tree")" ] || fail "self-check: a chain of files was taken for a circle"
    printf '%s\n' 'a b' 'b c' 'c a' 'c d' | circles | grep -q '^circle: c uses a$' ||
        fail "self-check: a circle of three folders was not found"
}

# One that is seen to be needed and must not be, and one that nothing needs.
self_check_of_folder_symbols() {
    printf '%s\n' 'actors/x.c: defines frs_x' 'platforms/x.c: needs frs_x' >"$scratch/planted"
    [ -n "$(check_symbols_of_folders "$scratch/planted")" ] || fail "self-check: a symbol of another folder was not found"
    printf '%s\n' 'sim/base/x.c: defines frs_x' 'platforms/x.c: needs frs_x' >"$scratch/planted"
    [ -z "$(check_symbols_of_folders "$scratch/planted")" ] || fail "self-check: a symbol of sim/base was reported"
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    [ -n "$(check_unused "$scratch/tree" "$scratch/planted")" ] || fail "self-check: an idle line of the list was not found"
    [ -n "$(check_shown "$scratch/tree")" ] || fail "self-check: a header that nobody includes was not found"
}

# A list of its own, so that what is planted does not hang on how the tree is divided.
write_planted_list() {
    grep '^library ' "$source/tests/layers.txt"
    printf '%s\n' sim/base '    shows ground.h clock.h' \
        algorithms '    uses sim/base' '    shows learner.h' \
        platforms '    uses sim/base' \
        actors '    uses sim/base' '    shows x.h' \
        analysis '    uses sim/base' \
        algorithms/data '    uses algorithms sim/base' \
        sim/ledger '    uses actors sim/base' \
        sim/run '    uses actors algorithms platforms sim/base algorithms/data sim/ledger' '    shows run.h'
}

self_check() {
    list=$scratch/layers.txt
    write_planted_list >"$list"
    plant sim/base/x.c '"algorithms/rows.h"'
    plant sim/base/x.h '"algorithms/data/data.h"'
    plant algorithms/learners/x.c '"sim/run/run.h"'
    plant algorithms/learners/x.c '"actors/x.h"'
    plant algorithms/x.c '<simgrid/engine.h>'
    plant algorithms/x.c '<time.h>'
    plant algorithms/learners/x.c '<cblas.h>'
    plant actors/policies/x.c '"algorithms/learner.h"'
    plant actors/x.h '"sim/ledger/ledger.h"'
    plant platforms/networks/x.c '<simgrid/host.h>'
    plant platforms/x.c '"actors/x.h"'
    plant analysis/x.c '"sim/run/run.h"'
    plant algorithms/x.c '<jansson.h>'
    plant sim/run/x.c '<sqlite3.h>'
    plant actors/x.c '<sodium.h>'
    accept analysis/x.c '<sqlite3.h>'
    plant algorithms/x.c '"rows.h"'
    plant sim/ledger/x.c '<simgrid/engine.h>'
    plant algorithms/data/x.c '  <lapacke.h>'
    plant sim/run/x.c '<simgrid/engine.h>'
    accept sim/run/x.c '"algorithms/learner.h"'
    accept algorithms/kernels/x.c '<lapacke.h>'
    accept algorithms/x.c '"algorithms/learners/learners.def"'
    accept actors/x.c '<simgrid/actor.h>'
    accept platforms/x.c '"sim/base/ground.h"'
    plant sim/run/x.c '"actors/lifecycle.h"'
    plant analysis/x.c '"sim/base/no_such.h"'
    plant algorithms/x.c '"sim/base/clock.h"'
    plant sim/nowhere/x.c '"sim/base/ground.h"'
    self_check_of_circles
    self_check_of_folder_symbols
    plant_symbol algorithms 'int frs_run(void); int f(void) { return frs_run(); }'
    plant_symbol algorithms 'int puts(const char *); int f(void) { return puts("x"); }'
    plant_symbol algorithms 'int printf(const char *, ...); int f(int i) { return printf("%d", i); }'
    plant_symbol algorithms 'extern void *stderr; void *f(void) { return stderr; }'
    plant_symbol algorithms 'long time(long *); long f(void) { return time(0); }'
    plant_symbol algorithms 'int clock_gettime(int, void *); int f(void *t) { return clock_gettime(0, t); }'
    plant_symbol algorithms 'void sg_actor_sleep_for(double); void f(void) { sg_actor_sleep_for(1); }'
    plant_symbol actors 'double pow(double, double); double f(double x) { return pow(x, x); }'
    plant_symbol actors 'void cblas_sscal(int, float, float *, int); void f(float *x) { cblas_sscal(1, 1, x, 1); }'
    plant_symbol actors 'void sg_actor_sleep_for(double); void f(void) { sg_actor_sleep_for(1); }'
    plant_symbol platforms 'void sg_actor_sleep_for(double); void f(void) { sg_actor_sleep_for(1); }'
    plant_symbol base 'int frs_data_load(void); int f(void) { return frs_data_load(); }'
    accept_symbol algorithms 'double log(double); void free(void *); double f(double x) { free(0); return log(x); }'
    accept_symbol algorithms 'int snprintf(char *, unsigned long, const char *, ...); int f(char *t) { return snprintf(t, 9, "%p", t); }'
    accept_symbol algorithms 'void cblas_sscal(int, float, float *, int); void f(float *x) { cblas_sscal(1, 1, x, 1); }'
}

collect_system_symbols
self_check
list=$source/tests/layers.txt
[ -f "$build/libfrs_base.a" ] || echo "SKIPPED layers_symbols: there are no libraries in $build"
list_symbols "$build" >"$scratch/symbols"
violations=$(check_includes "$source"
    check_shown "$source"
    list_uses "$list" | circles
    check_file_circles "$source"
    check_all_symbols "$build"
    check_symbols_of_folders "$scratch/symbols"
    [ ! -s "$scratch/symbols" ] || check_unused "$source" "$scratch/symbols"
    check_picture)
[ -z "$violations" ] || fail "$violations"
