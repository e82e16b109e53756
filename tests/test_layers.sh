#!/bin/sh
# Layers: what each folder may include, and which symbols its library may need (docs/conventions.md, "Layers").
#   test_layers.sh BUILD_FOLDER   checks the tree, then plants violations in a copy and checks that each is found
set -eu

build=$1
source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

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

# One line per include that its layer does not allow.
check_includes() {
    list_includes "$1" | awk '
    function layer(path) {
        if (path ~ /^sim\/base\//) return "base"
        if (path ~ /^(sim|algorithms|actors|platforms|analysis|tests)\//) return substr(path, 1, index(path, "/") - 1)
        return ""
    }
    function deny(why) { print $1 ": includes " $2 ": " why }
    {
        quoted = sub(/^"/, "", $2)
        sub(/:$/, "", $1)
        from = layer($1); to = layer($2)
        if (from != "sim" && to != "" && to != from && to != "base")
            deny("the layer sees itself and sim/base only")
        if ($2 ~ /^(simgrid|xbt)\// && $1 !~ /^(actors|sim\/run)\//)
            deny("SimGrid belongs to actors and sim/run")
        if ($2 ~ /(^|\/)(f77blas|cblas|openblas_config|lapack|lapacke[a-z_]*)\.h$/ && $1 !~ /^algorithms\/kernels\//)
            deny("BLAS and LAPACK belong to algorithms/kernels")
        if ($2 ~ /^(time|sys\/time|sys\/times|sys\/resource|threads)\.h$/ && from == "algorithms")
            deny("algorithms know no clock")
        if ($2 ~ /^(complex|tgmath|fenv)\.h$/ && from == "actors")
            deny("actors do no maths")
        if ($2 ~ /^(libconfig|check)\.h$/ && from != "sim")
            deny("a leaf layer uses no library of the composition")
        if ($2 ~ /^jansson\.h$/ && from != "sim" && from != "analysis")
            deny("only the composition and the analysis of results read JSON")
        if ($2 ~ /^sqlite3\.h$/ && from != "analysis")
            deny("the database of collected results belongs to analysis")
        if ($2 ~ /^sodium(\.h|\/)/ && $1 !~ /^sim\/base\//)
            deny("libsodium belongs to sim/base")
        if (quoted && to == "")
            deny("project files are named from the top of the tree")
    }'
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
    cat "$scratch/allow_base_only" "$scratch/libm" >"$scratch/allow_platforms"
    { cat "$scratch/allow_platforms"
        shared_library libsodium.so; } >"$scratch/allow_base"
    { cat "$scratch/allow_platforms"
        shared_library libjansson.so
        shared_library libsqlite3.so; } >"$scratch/allow_analysis"
    { cat "$scratch/compiler" "$scratch/quiet_libc" "$scratch/libm"
        shared_library libopenblas.so
        shared_library liblapacke.so; } >"$scratch/allow_algorithms"
    { cat "$scratch/allow_base_only"
        echo _ZSt15set_new_handlerPFvvE # what becomes of SimGrid's failed allocations
        shared_library libsimgrid.so; } >"$scratch/allow_actors"
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

self_check() {
    plant sim/base/x.c '"algorithms/rows.h"'
    plant sim/base/x.h '"sim/data/data.h"'
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
    plant sim/data/x.c '  <lapacke.h>'
    accept sim/run/x.c '<simgrid/engine.h>'
    accept sim/run/x.c '"algorithms/learner.h"'
    accept algorithms/kernels/x.c '<lapacke.h>'
    accept algorithms/x.c '"algorithms/learners.def"'
    accept actors/x.c '<simgrid/actor.h>'
    accept platforms/x.c '"sim/base/rng.h"'
    plant_symbol algorithms 'int frs_run(void); int f(void) { return frs_run(); }'
    plant_symbol algorithms 'int puts(const char *); int f(void) { return puts("x"); }'
    plant_symbol algorithms 'int printf(const char *, ...); int f(int i) { return printf("%d", i); }'
    plant_symbol algorithms 'extern void *stderr; void *f(void) { return stderr; }'
    plant_symbol algorithms 'long time(long *); long f(void) { return time(0); }'
    plant_symbol algorithms 'int clock_gettime(int, void *); int f(void *t) { return clock_gettime(0, t); }'
    plant_symbol algorithms 'void sg_actor_sleep_for(double); void f(void) { sg_actor_sleep_for(1); }'
    plant_symbol actors 'double pow(double, double); double f(double x) { return pow(x, x); }'
    plant_symbol actors 'void cblas_sscal(int, float, float *, int); void f(float *x) { cblas_sscal(1, 1, x, 1); }'
    plant_symbol platforms 'void sg_actor_sleep_for(double); void f(void) { sg_actor_sleep_for(1); }'
    plant_symbol base 'int frs_data_load(void); int f(void) { return frs_data_load(); }'
    accept_symbol algorithms 'double log(double); void free(void *); double f(double x) { free(0); return log(x); }'
    accept_symbol algorithms 'int snprintf(char *, unsigned long, const char *, ...); int f(char *t) { return snprintf(t, 9, "%p", t); }'
    accept_symbol algorithms 'void cblas_sscal(int, float, float *, int); void f(float *x) { cblas_sscal(1, 1, x, 1); }'
    accept_symbol actors 'void sg_actor_sleep_for(double); void f(void) { sg_actor_sleep_for(1); }'
}

collect_system_symbols
self_check
[ -f "$build/libfrs_base.a" ] || echo "SKIPPED layers_symbols: there are no libraries in $build"
violations=$(check_includes "$source"; check_all_symbols "$build")
[ -z "$violations" ] || fail "$violations"
