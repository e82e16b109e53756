#!/bin/sh
# Bound to one processor (taskset, a batch system) the program computes with one thread.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

printf '%s\n' 'data = { synthetic = "small"; };' 'network = { preset = "4g"; };' >s.cfg
first=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
what="taskset -c $first fedrecsim check s.cfg"
taskset -c "$first" "$program" check s.cfg >out 2>err || fail "exit code $?"
grep -qx '.* on 1 thread' out || fail "more than a thread"

[ "$failures" -eq 0 ]
