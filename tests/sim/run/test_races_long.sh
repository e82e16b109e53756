#!/bin/sh
# ThreadSanitizer reports no race in runs and sweeps with two threads: built by the preset sanitize-threads, a few rounds of
# each learner, with all codecs and policies among them. Actors are threads there, because ThreadSanitizer cannot follow SimGrid's
# raw contexts, which change stacks; SimGrid itself, OpenBLAS and other libraries are not instrumented, so that what
# they do among themselves is not seen.
# Labels: long
#   test_races_long.sh BUILD_FOLDER
set -eu

source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}
build=$source/build-sanitize-threads
printf 'int main(void) { return 0; }\n' | clang -fsanitize=thread -x c -o /dev/null - 2>/dev/null || {
    echo "SKIPPED races: there is no clang with ThreadSanitizer (clang-14 and libclang-rt-14-dev)"
    exit 0
}
mkdir -p "$build"
{ (cd "$source" && cmake --preset sanitize-threads) && cmake --build "$build" --parallel "$(getconf _NPROCESSORS_ONLN)" --target fedrecsim; } \
    >"$build/build.log" 2>&1 || { tail -n 20 "$build/build.log" && exit 1; }
set +e
set -- "$build"
# shellcheck source=tests/expect.sh
. "$source/tests/expect.sh"
export TSAN_OPTIONS=halt_on_error=0:exitcode=66

# A scenario and settings each; small data take the place of its own.
small='rounds.count=2 evaluation.every=1 output.events=true data.format=synthetic data.synthetic=custom data.users=120 data.items=300
    data.interactions=6000'
# races COMMAND FILE SETTING...
races() {
    command=$1 scenario=$2
    shift 2
    for setting; do
        shift
        set -- "$@" --set "$setting"
    done
    for setting in $small; do
        set -- --set "$setting" "$@"
    done
    n=$((n + 1))
    # shellcheck disable=SC2086 # a command and its options
    expect 0 $command --quiet --threads 2 --out "out$n" "$@" "$source/scenarios/$scenario"
    ! grep -q 'ThreadSanitizer' err || fail 'a race'
}
n=0

for backend in actors calendar simgrid; do
    races run quickstart.cfg engine.backend=$backend
done
races 'sweep --jobs 2 --replicates 2 --vary rounds.cohort=5,10' quickstart.cfg
races run what-if/stragglers.cfg rounds.policy=buffered_async rounds.count=4 method.name=colr codec.uplink=quantise
races run what-if/dropout.cfg availability.p=0.5 failures.up=0.2 failures.compute=0.1
races run papers/evaluation.cfg method.name=colr_ncf
for learner in fedmf_update scolr fedrap fedncf pfedclr pfedrec gpfedrec pfedgraph fcf fcf_implicit fedrec rfrec rfrecf lightfr ptf_fedrec \
    cgfedrec semidfegl; do
    races run quickstart.cfg method.name=$learner
done
for codec in topk svd_quantised groups quantise rank_one; do
    races run quickstart.cfg codec.uplink=$codec evaluation.information_loss=true
done
races run quickstart.cfg privacy.1=pairwise_masks privacy.1.threshold=0.3 privacy.1.range=4
races run quickstart.cfg privacy.1=clip privacy.1.bound=10 privacy.2=laplace
[ "$failures" -eq 0 ]
