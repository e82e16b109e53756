#!/bin/sh
# The self-test of plug-ins from outside of the tree: each example of plug-ins/ keeps to its contract; one that breaks a clause or
# crashes is one line. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"
# shellcheck source=tests/sim/plugins/build.sh
. "$FRS_SOURCE_DIR/tests/sim/plugins/build.sh"

# kept KIND NAME: its one line says so.
kept() {
    build "$2"
    expect 0 selftest --plugin "$2.so"
    silent err
    [ "$(wc -l <out)" -eq 1 ] || fail "more than one line"
    grep -q "^$1  *$2  *ok, [0-9]* clauses, [0-9]* checks$" out || fail "is not ok"
}
kept learner biases
kept codec halves
kept optimiser signum
kept correction by_count
kept distribution two_groups
kept availability shifts
kept policy share_by
kept selection longest_ago
kept adaptation step_down

# Only those of a kind; those of the program when one is named.
expect 0 selftest codec --plugin halves.so --plugin signum.so
[ "$(wc -l <out)" -eq 1 ] || fail "more than one line"
expect 0 selftest codec dense --plugin halves.so
says out 'codec         dense           ok, '
expect 2 selftest policy --plugin halves.so
error 'fedrecsim: selftest: no plug-in that was loaded has a policy'
expect 2 selftest codec halve --plugin halves.so
error 'fedrecsim: selftest: there is no codec "halve"; did you mean "halves"?'
expect 0 selftest --plugin halves.so --json
says out "\"plugin\": \"$folder/halves.so\""

# broken NAME SED MESSAGE: after this change its line says so.
broken() {
    build "$1" "$2"
    expect 1 selftest --plugin "$1.so"
    says out "$3"
    [ "$(wc -l <out)" -eq 1 ] || fail "more than one line"
}
broken halves 's/return !in->failed;/in->failed = 0; return true;/' \
    'broken: a message that was cut short is refused: the first '
broken halves 's/\.reveals_rows = true,/.lossless = true,/' \
    'broken: of a lossless codec the table comes back bit for bit: value '
broken halves 's/^    frs_add_base.*/    (void)base;/' \
    'broken: a message brings its receiver nearer to what was sent: the squared error is '
broken halves 's/^    return touched.n \* rows->dim \* 2;/    frs_buffer_put_u8(out, 0);\n&/' \
    '1 are left over (algorithms/codec.h, decode)'
broken halves 's/^    return touched.n \* rows->dim \* 2;/    return (size_t)-1;/' \
    'broken: nominal bytes are a count of what is sent: 18446744073709551615 for '
broken halves 's/^    return touched.n \* rows->dim \* 2;/    return 0;/' \
    'broken: rows that have changed have nominal bytes: 0, of '
broken halves 's/^    return !in->failed;/    if (n > 2000)\n        values[0] = NAN;\n&/' \
    'broken: finite values come out finite: value 0 of row '
broken halves 's/^    (void)settings;\r*$/    (void)settings;\n    *(volatile int *)8 = 1;/' \
    'ended by signal 11 (Segmentation fault), while checking: encode returns (algorithms/codec.h, encode)'
broken biases 's/^    double squared = 0;/    double squared = *(volatile int *)8;/' \
    'ended by signal 11 (Segmentation fault), while checking: training is the same on one thread and on two (algorithms/learner.h, train)'

build halves 's/^    (void)settings;/    for (volatile int i = 0; i < 1;)\
        (void)settings;/'
expect 1 selftest --plugin halves.so --limit '1 s'
says out 'codec         halves          has not ended after 1 s, while checking: '
expect 2 selftest --limit 1
says err '--limit 1: allowed: a time with its unit, from 1 s to 1000000 s'

[ "$failures" -eq 0 ]
