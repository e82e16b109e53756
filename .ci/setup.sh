# Set-up shared by ./quickstart and ./check, which source this file: packages, configuration, build.
# POSIX sh; the caller runs under `set -eu` and has set `root`, the project's folder.
# shellcheck shell=sh
: "${root:?}"

say() {
    printf '%s\n' "$*"
}

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

n_jobs() {
    getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1
}

# Whether the C compiler finds a header.
has_header() {
    printf '#include <%s>\n' "$1" | cc -E -x c - >/dev/null 2>&1
}

# Looks for what is used rather than for packages by name, so that a machine set up in another way is left alone.
missing_packages() {
    command -v cc >/dev/null || echo gcc
    has_header stdio.h || echo libc6-dev
    for tool in cmake make pkg-config; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
    for library in simgrid openblas lapacke libconfig check jansson sqlite3 libsodium libseccomp openssl expat zlib libzstd liblzma; do
        pkg-config --exists "$library" 2>/dev/null && continue
        case $library in
        check) echo check ;;
        openssl) echo libssl-dev ;;
        expat) echo libexpat1-dev ;;
        zlib) echo zlib1g-dev ;;
        lib*) echo "$library-dev" ;;
        *) echo "lib$library-dev" ;;
        esac
    done
    has_header Random123/philox.h || echo librandom123-dev
    # Charts of report.html; without it the pages have tables alone.
    [ -f /usr/share/javascript/chart.js/chart.min.js ] || echo libjs-chart.js
    # The page of a command while it runs (--live); without it that says that there is none.
    pkg-config --exists libmicrohttpd 2>/dev/null || echo libmicrohttpd-dev
}

# Where it is there it builds in five sixths of make's time; not worth asking a user's password for.
missing_speed_packages() {
    command -v ninja >/dev/null || echo ninja-build
}

# For the test that runs a sweep on a cluster of its own (tests/sim/cluster), which is skipped without them.
missing_cluster_packages() {
    for pair in slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client munged:munge parallel:parallel; do
        PATH=$PATH:/usr/sbin command -v "${pair%:*}" >/dev/null || echo "${pair#*:}"
    done
}

# For the test of report.html in a browser (tests/analysis/report), which is skipped without them.
missing_browser_packages() {
    for pair in chromium:chromium npm:npm node:nodejs; do
        command -v "${pair%:*}" >/dev/null || echo "${pair#*:}"
    done
}

# For the test of the page of a command while it runs (tests/sim/cli/test_live.sh), which is skipped without it.
missing_live_packages() {
    command -v curl >/dev/null || echo curl
}

# For figures of a paper (fedrecsim figures), whose test draws nothing without it.
missing_figure_packages() {
    command -v gnuplot >/dev/null || echo gnuplot-nox
}

# For the test of real Paillier (tests/oracle/test_paillier.c), which is skipped without it.
missing_oracle_packages() {
    has_header gmp.h || echo libgmp-dev
}

# For the test of --json against its schemas and of the snippets of docs/scripting.md, which are skipped without them.
missing_scripting_packages() {
    command -v python3 >/dev/null || echo python3
    /usr/bin/python3 -c 'import jsonschema' 2>/dev/null || echo python3-jsonschema
    /usr/bin/python3 -c 'import pandas' 2>/dev/null || echo python3-pandas
    # And of methods in Python.
    /usr/bin/python3 -c 'import numpy' 2>/dev/null || echo python3-numpy
    command -v Rscript >/dev/null || echo r-base-core
    command -v sqlite3 >/dev/null || echo sqlite3
}

# For the tests of manual pages and completion (tests/sim/cli), which leave those parts out without them.
missing_manual_packages() {
    for tool in mandoc zsh; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
}

# For .ci/style and .ci/lint.
missing_style_packages() {
    for tool in clang-format shellcheck clang-tidy cppcheck; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
}

# Runs one shell command line as root, asking for a password only when there is somebody to ask.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        sh -c "$1"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n sh -c "$1"
    elif [ ! -t 0 ]; then
        return 125
    elif command -v sudo >/dev/null && sudo -v; then
        sudo sh -c "$1"
    elif command -v su >/dev/null; then
        say "The password of root is needed once:"
        su root -c "$1"
    else
        return 125
    fi
}

# ---- progress: what is under way, from the log that it writes ----

# How far apt is.
install_progress() {
    awk '/ newly installed/ { for (i = 1; i < NF; i++) if ($(i + 1) == "newly") all = $i }
        /^Get:/ { got++ } /^Unpacking / { unpacked++ } /^Setting up / { ready++ }
        END {
            of = all ? " of " all : ""
            if (ready) print ready of " packages are set up"
            else if (unpacked) print unpacked of " packages are unpacked"
            else if (got) print "downloading, file " got
            else print "asking for the lists of packages"
        }' "$1"
}

# How far ninja is, which numbers its steps; of make, which does not, the files that are compiled.
build_progress() {
    if [ -f "$build/build.ninja" ]; then
        step=$(sed -n 's|^\[\([0-9]*\)/\([0-9]*\)\].*|\1 of \2 steps|p' "$1" | tail -n 1)
        printf '%s\n' "${step:-asking what is to be done}"
    else
        printf '%s files are compiled\n' "$(find "$build" -name '*.o' -newer "$build/configure.log" 2>/dev/null | wc -l)"
    fi
}

# follow PROGRESS LOG: every second on a terminal, in one line, and every half minute elsewhere, while this script runs. Not before
# the log has anything: until then a password may be asked for. Has nothing to say of what takes no three seconds.
follow() {
    set +e
    since=$(date +%s)
    said=$since
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        now=$(date +%s)
        if [ ! -s "$2" ] || [ $((now - since)) -lt 3 ]; then
            continue
        fi
        line="  $("$1" "$2"), $((now - since)) s"
        if [ -t 1 ]; then
            printf '\r\033[K%s' "$line"
        elif [ $((now - said)) -ge 30 ]; then
            said=$now
            say "$line"
        fi
    done
}

# show PROGRESS LOG: begins to follow it, until hide.
show() {
    : >"$2"
    follow "$1" "$2" </dev/null &
    follower=$!
}

hide() {
    kill "$follower" 2>/dev/null || true
    wait "$follower" 2>/dev/null || true
    [ ! -t 1 ] || printf '\r\033[K'
}

# ---- the steps ----

# Prints the end of a log and gives up.
fail_with_log() {
    tail -n 60 "$2" >&2
    die "$1 (whole log: $2)"
}

# install_packages PACKAGE...: with apt; the log is $build/install.log.
install_packages() {
    missing=$*
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null ||
        die "These Debian packages or their counterparts are missing here, and there is no apt-get: $missing"
    install="apt-get install -y -q --no-install-recommends $missing"
    log=$build/install.log
    say "Installing with apt: $missing"
    say "  log: $log"
    status=0
    show install_progress "$log"
    # A broken list of a foreign source must not stop us: what counts is whether the packages can be installed.
    # A user's PATH may lack what dpkg needs. The log's name travels quoted: the folder may contain spaces.
    quoted=$(printf '%s' "$log" | sed "s/'/'\\\\''/g")
    as_root "{ export DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin; apt-get update -q; $install \
-o DPkg::Lock::Timeout=120; } >>'$quoted' 2>&1 </dev/null" || status=$?
    hide
    if [ "$status" -eq 125 ]; then
        die "Installing packages needs root, and neither sudo nor su can be used here. As root, run:
  apt-get update && $install"
    fi
    [ "$status" -eq 0 ] || fail_with_log "The packages could not be installed: $missing" "$log"
}

# A build folder that was configured at another place (a copied tree) is configured anew.
fresh_when_moved() {
    cache=$build/CMakeCache.txt
    if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        echo --fresh
    fi
}

# build_project PRESET TARGET: configures $build as CMakePresets.json says and builds the target (all: everything).
build_project() {
    say "Building $2 in ${build#"$root"/}"
    say "  logs: $build/configure.log, $build/build.log"
    fresh=$(fresh_when_moved)
    # A folder keeps the generator it was configured with.
    generator=
    if [ ! -f "$build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
        generator="-G Ninja"
    fi
    # shellcheck disable=SC2086 # empty, or words
    # Printing the progress of make takes longer than a small file takes to compile, and the log is read only on failure.
    cmake -S "$root" --preset "$1" $generator $fresh -DCMAKE_RULE_MESSAGES=OFF >"$build/configure.log" 2>&1 ||
        fail_with_log "The build could not be configured." "$build/configure.log"
    status=0
    show build_progress "$build/build.log"
    cmake --build "$build" --parallel "$(n_jobs)" --target "$2" >"$build/build.log" 2>&1 || status=$?
    hide
    [ "$status" -eq 0 ] || fail_with_log "The build failed." "$build/build.log"
}

# folder_of PRESET: where CMakePresets.json has it.
folder_of() {
    case $1 in
    release) echo build ;;
    *) echo "build-$1" ;;
    esac
}

# set_up PRESET TARGET: all of the above.
set_up() {
    build=$root/$(folder_of "$1")
    if ! mkdir -p "$build" || [ ! -w "$build" ]; then
        die "The folder $build cannot be written by $(id -un)."
    fi
    missing=$(missing_packages)
    # shellcheck disable=SC2046,SC2086 # one word per package
    [ -z "$missing" ] || install_packages $missing $(missing_speed_packages)
    build_project "$@"
}
