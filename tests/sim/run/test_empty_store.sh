#!/bin/sh
# A client that keeps no row of its store uploads its own rows, whatever lies in memory behind the none it keeps (FedRAP's shared table
# alone). Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

expect 0 run "$FRS_SOURCE_DIR/scenarios/papers/variants.cfg" --set method.ablation=shared_only --set rounds.count=3 --threads 1 --out shared

[ "$failures" -eq 0 ]
