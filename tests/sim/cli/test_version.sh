#!/bin/sh
# Which program this is: --version with the commit, and a training's name that does not depend on it. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

script=$FRS_SOURCE_DIR/sim/run/commit.cmake

# --- what is built ---
expect 0 --version
grep -qE '^fedrecsim [0-9]+\.[0-9]+\.[0-9]+ \(commit ([0-9a-f]{12}(-dirty)?|unknown)\)$' out || fail "no commit"
cp out version
expect 0 run --version
cmp -s out version || fail "differs from fedrecsim --version"

# --- what the build asks git ---
# commit_of FOLDER: the text of the header made for a source tree.
commit_of() {
    rm -f header
    cmake -DSOURCE="$1" -DHEADER="$folder/header" -P "$script" >out 2>err || fail "exit code"
    sed -n 's/.*"\(.*\)".*/\1/p' header
}
what="a tree without git"
mkdir tree
[ "$(commit_of "$folder/tree")" = unknown ] || fail "$(cat header)"
if command -v git >/dev/null; then
    git_in() { git -C tree -c user.name=test -c user.email=test@example.org "$@" >git.log 2>&1 || fail "git $1"; }
    what="a commit"
    git_in init
    echo one >tree/file
    git_in add file
    git_in commit -m one
    commit=$(git -C tree rev-parse HEAD | cut -c1-12)
    [ "$(commit_of "$folder/tree")" = "$commit" ] || fail "$(cat header)"
    what="a commit and changes"
    echo two >tree/file
    [ "$(commit_of "$folder/tree")" = "$commit-dirty" ] || fail "$(cat header)"
    what="a folder of somebody else's repository"
    mkdir tree/inside
    [ "$(commit_of "$folder/tree/inside")" = unknown ] || fail "$(cat header)"
fi

# --- a checkpoint outlives a commit that changes no code ---
if command -v objcopy >/dev/null; then
    cat >small.cfg <<'END'
data = { synthetic = "small"; };
rounds = { count = 3; cohort = 4; };
END
    expect 0 run small.cfg --cache cache --out one --quiet
    ls cache >before
    [ -s before ] || fail "nothing in the cache"
    mkdir other
    what="the program of another commit"
    printf '%-63s\0' 0123456789ab | tr ' ' '\0' >commit
    objcopy --update-section .frs_commit=commit "$program" other/fedrecsim 2>err || fail "objcopy"
    other/fedrecsim --version >out
    says out '(commit 0123456789ab)'
    other/fedrecsim run small.cfg --cache cache --out two --quiet 2>err || fail "exit code"
    ls cache >after
    cmp -s before after || fail "trains again"
fi

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
