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
while read -r scenario settings; do
    # shellcheck disable=SC2086 # one word each
    races run "$scenario" $settings
done <<'END'
papers/scolr-ml100k.cfg adaptation.name=deadline
papers/gpfedrec-ml100k.cfg
papers/fedrap-ml100k.cfg rounds.policy=over_select rounds.cohort=40
papers/fedncf-ml100k.cfg rounds.policy=partial_work rounds.policy.after=1s rounds.policy.grace=1s
papers/pfedclr-table1-ml100k.cfg
papers/pfedclr-table1-pfedgraph-ml100k.cfg
papers/pfedrec-ml100k.cfg rounds.policy=quantile rounds.policy.share=0.6
papers/rfrec-table2.cfg
papers/rfrec-communications.cfg method.name=rfrecf
papers/rfrec-published-code.cfg data.clients=40
papers/rfrec-table2-baselines.cfg
papers/lightfr-ml100k.cfg
papers/ptf-fedrec-ml100k.cfg
papers/cgfedrec-ml100k.cfg
papers/semidfegl-ml100k.cfg
what-if/defaults.cfg method.name=fcf_implicit
what-if/defaults.cfg method.name=fedfast data.feedback=explicit data.split=ratio
what-if/defaults.cfg method.name=fedmf_ratings data.feedback=explicit data.split=ratio
papers/fedras-table1.cfg codec.uplink=groups codec.downlink=adaptive_groups rounds.cohort=20 evaluation.information_loss=true
papers/fedras-table1-ncf.cfg codec.uplink=svd_quantised rounds.cohort=20
what-if/corrections.cfg
quickstart.cfg codec.uplink=topk evaluation.structure=true
quickstart.cfg privacy.1=pairwise_masks privacy.1.threshold=0.3 privacy.1.range=4
quickstart.cfg privacy.1=clip privacy.1.bound=10 privacy.2=laplace privacy.2.scale=0.01
END
[ "$failures" -eq 0 ]
