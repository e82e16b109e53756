#!/bin/sh
# Completion: what the program offers, and what bash and zsh make of it when a key is pressed. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"

# offers WORD... are CANDIDATE...: what can stand in the place of the last word, among other things.
offers() {
    given=
    while [ "$1" != are ]; do
        given="$given '$1'"
        shift
    done
    shift
    eval "expect 0 complete $given"
    silent err
    for candidate in "$@"; do
        cut -f1 out | grep -qxF -e "$candidate" || fail "offers no $candidate"
    done
}
offers '' are run sweep explain help --version
offers run '' are quickstart papers/colr-table2 :files
offers sweep '' are quickstart
offers run quickstart -- are --set --out --resume --seed --help
offers run quickstart --out '' are :folders
offers run --out= are :folders
offers run quickstart --set '' are rounds.cohort= method.name= method.colr.rank= network.preset= seed=
offers run quickstart --set method.name= are method.name=colr method.name=fedmf
offers run quickstart -s availability.model= are availability.model=diurnal
offers run quickstart --set output.events= are output.events=true output.events=false
offers explain '' are rounds rounds.cohort method.colr.rank
offers list '' are scenarios codec policy
offers selftest '' are codec policy learner
offers selftest codec '' are dense topk
offers new '' are minimal planner researcher
offers help '' are run
offers manual '' are run scenario results
offers compare '' are :folders
offers frobnicate '' are
# Every option of every command's help is one.
sed -n 's/^COMMAND(\(.*\))$/\1/p' "$FRS_SOURCE_DIR/sim/cli/commands.def" | grep -vx complete >commands
while read -r command; do
    expect 0 complete "$command" -
    cut -f1 out | sort -u >offered
    expect 0 help "$command"
    grep -oE '^ +(-., +)?--[a-z-]+' out | grep -oE -- '--[a-z-]+' | grep -vxE -- '--usage|--version' | sort -u >options
    comm -23 options offered >lacking
    silent lacking
done <commands

# --- bash ---
mkdir bin
ln -s "$program" bin/fedrecsim
PATH=$PWD/bin:$PATH
mkdir folder-of-results
cat >drive.bash <<'END'
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
_fedrecsim
printf '%s\n' "${COMPREPLY[@]}"
END
# in_bash LINE COMPLETION...: all that bash may put in the place of its last word.
in_bash() {
    what="bash: $1"
    bash drive.bash "$FRS_SOURCE_DIR/packaging/fedrecsim.bash" "$1" >out 2>err || fail "exit code"
    silent err
    shift
    printf '%s\n' "$@" | cmp -s - out || fail "instead of $*"
}
if command -v bash >/dev/null; then
    in_bash 'fedrecsim rep' replay report
    in_bash 'fedrecsim run quick' quickstart
    in_bash 'fedrecsim run quickstart --re' --resume
    in_bash 'fedrecsim run quickstart --set rounds.coh' rounds.cohort=
    in_bash 'fedrecsim run quickstart --set method.name=pfedc' pfedclr
    in_bash 'fedrecsim run quickstart --out folder-of' folder-of-results
    in_bash 'fedrecsim run quickstart --out=folder-of' folder-of-results
    in_bash 'fedrecsim new pl' planner
else
    echo "SKIPPED completion of bash: it is not installed"
fi

# --- zsh ---
# In a shell of its own on a pseudo-terminal, which shows the line as it is after the key; without what steers the terminal.
mkdir functions
cp "$FRS_SOURCE_DIR/packaging/_fedrecsim" functions/
cat >drive.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PROMPT_SP= fpath=($PWD/functions \$fpath); unsetopt prompt_cr prompt_sp; autoload -U compinit; compinit -u -D; print READ''Y"
zpty -r -m shell text '*READY*'
zpty -w -n shell "$1"$'\t'
seen=
for (( i = 0; i < 100; i++ )); do
    zpty -r -t shell text && seen+=$text
    line=${${seen//$'\e'\[[0-9;?]#[a-zA-Z]/}//[[:cntrl:]]/}
    [[ $line == *"$2"* ]] && break
    sleep 0.05
done
print -r -- $line
zpty -d shell
END
# in_zsh LINE WHOLE: what the line becomes with the key.
in_zsh() {
    what="zsh: $1"
    timeout 20 zsh -f -o extendedglob drive.zsh "$1" "$2" >out 2>err || fail "exit code"
    says out "$2"
}
if command -v zsh >/dev/null; then
    in_zsh 'fedrecsim calib' 'fedrecsim calibrate '
    in_zsh 'fedrecsim run quick' 'fedrecsim run quickstart '
    in_zsh 'fedrecsim run quickstart --set rounds.coh' 'fedrecsim run quickstart --set rounds.cohort='
    in_zsh 'fedrecsim run quickstart --out folder-of' 'fedrecsim run quickstart --out folder-of-results/'
else
    echo "SKIPPED completion of zsh: it is not installed"
fi

[ "$failures" -eq 0 ]
