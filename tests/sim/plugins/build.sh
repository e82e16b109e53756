# What tests of plug-ins share, to be sourced behind tests/expect.sh: a copy of the public headers, and nothing else of this tree, in
# headers/, and examples built against it.
#   build NAME [SED]   the example NAME, after a change by sed, as NAME.so in the folder of the test
# shellcheck shell=sh

mkdir headers
grep -v '^#' "$FRS_SOURCE_DIR/sim/plugins/public_headers.txt" | grep . | while read -r header; do
    mkdir -p "headers/${header%/*}"
    cp "$FRS_SOURCE_DIR/$header" "headers/$header"
done

# compile NAME: NAME.c, which is there, as NAME.so. Without optimisation it takes a third of the time.
compile() {
    cc -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Werror -shared -fPIC -Iheaders "$1.c" -o "$1.so" || {
        # shellcheck disable=SC2034 # fail prints it
        what="cc $1.c"
        fail "does not compile"
    }
}

build() {
    sed "${2-}" "$FRS_SOURCE_DIR/plug-ins/$1.c" >"$1.c"
    compile "$1"
}

# What examples run with: implicit feedback, a method whose uploads can be smaller, and explicit feedback.
cat >plain.cfg <<'END'
data = { synthetic = "custom"; users = 40; items = 200; interactions = 800; };
method = { name = "fedmf"; dim = 8; };
network = { preset = "4g"; };
rounds = { count = 4; cohort = 8; };
evaluation = { negatives = 20; };
output = { what_if = "none"; };
END
sed 's/^method.*/method = { name = "scolr"; dim = 8; rank = 4; };/' plain.cfg >ranks.cfg
cat >ratings.cfg <<'END'
data = { synthetic = "custom"; users = 40; items = 200; interactions = 800; feedback = "explicit"; split = "ratio"; };
method = { name = "biases"; };
rounds = { count = 4; cohort = 8; };
output = { what_if = "none"; };
END

# every_example COMMAND: calls it for each example with its name, its kind, the scenario and options that choose it.
every_example() {
    "$1" biases learner ratings.cfg
    "$1" halves codec plain.cfg --set codec.uplink=halves
    "$1" signum optimiser plain.cfg --set method.server=signum
    "$1" by_count correction plain.cfg --set method.server.correction=by_count
    "$1" two_groups distribution plain.cfg --set network.uplink.distribution=two_groups \
        --set 'network.uplink.low=1 Mbit/s' --set 'network.uplink.high=9 Mbit/s'
    "$1" shifts availability plain.cfg --set availability.model=shifts --set 'availability.period=1 min'
    "$1" share_by policy plain.cfg --set rounds.policy=share_by
    "$1" longest_ago selection plain.cfg --set rounds.selection=longest_ago
    "$1" step_down adaptation ranks.cfg --set adaptation=step_down
}
