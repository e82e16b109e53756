#!/bin/sh
# cmake --install: the program, its manual pages, completions, scenarios and documentation where they belong; it works from there,
# without the tree it came from; and nothing is left of it after uninstalling. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"
unset FEDRECSIM_SCENARIOS

# Of a copy of what the build folder knows, so that its own list of installed files is left alone.
mkdir build
sed "s,^\( *file(WRITE \"\)${program%/*}/,\1$folder/build/," "${program%/*}/cmake_install.cmake" >build/cmake_install.cmake
prefix="$folder/a prefix"
what='cmake --install'
cmake -DCMAKE_INSTALL_PREFIX="$prefix" -P build/cmake_install.cmake >out 2>err || fail "exit code"
[ -s build/install_manifest.txt ] || fail "no list of what was installed"
while read -r file; do
    [ -f "$prefix/$file" ] || fail "$file is not installed"
done <<'END'
bin/fedrecsim
share/man/man1/fedrecsim.1.gz
share/man/man1/fedrecsim-run.1.gz
share/man/man5/fedrecsim-scenario.5.gz
share/man/man5/fedrecsim-results.5.gz
share/bash-completion/completions/fedrecsim
share/zsh/site-functions/_fedrecsim
share/pkgconfig/fedrecsim.pc
share/fedrecsim/scenarios/quickstart.cfg
share/fedrecsim/scenarios/data/fleet.csv
share/fedrecsim/scenarios/templates/planner.cfg
share/fedrecsim/python/fedrecsim.py
share/fedrecsim/python/fedmf.py
lib/python3/dist-packages/fedrecsim.py
share/fedrecsim/schemas/fedrecsim-list-1.json
share/fedrecsim/plug-ins/CMakeLists.txt
include/fedrecsim/sim/plugins/table.h
include/fedrecsim/sim/plugins/public_headers.txt
share/doc/fedrecsim/README.md
share/doc/fedrecsim/docs/running.md
END

# Every command has its page.
while read -r command; do
    [ -f "$prefix/share/man/man1/fedrecsim-$command.1.gz" ] || fail "no page of $command"
done <<END
$(sed -n 's/^COMMAND(\(.*\))$/\1/p' "$FRS_SOURCE_DIR/sim/cli/commands.def")
END
[ "$(PKG_CONFIG_PATH="$prefix/share/pkgconfig" pkg-config --modversion fedrecsim)" = "$("$prefix/bin/fedrecsim" --version | cut -d' ' -f2)" ] ||
    fail "pkg-config: another version"
scenarios=$(PKG_CONFIG_PATH="$prefix/share/pkgconfig" pkg-config --variable=scenarios_dir fedrecsim | sed 's/\\//g')
[ -f "$scenarios/quickstart.cfg" ] || fail "pkg-config: $scenarios"

# A plug-in is compiled with what pkg-config says, and by the CMakeLists.txt beside the examples; no other header is there.
export PKG_CONFIG_PATH="$prefix/share/pkgconfig"
what='plug-ins as installed'
find "$prefix/include/fedrecsim" -type f -name '*.h' | sed "s|^$prefix/include/fedrecsim/||" | sort >found
grep -v '^#' "$FRS_SOURCE_DIR/sim/plugins/public_headers.txt" | grep . | sort | cmp -s - found || fail "other headers than the list has"
examples=$(pkg-config --variable=plugins_dir fedrecsim | sed 's/\\//g')
eval "cc -std=c11 -shared -fPIC $(pkg-config --cflags fedrecsim) '$examples/halves.c' -o halves.so" || fail "cc"
mkdir mine
cp "$examples/CMakeLists.txt" "$examples/signum.c" mine
(cmake -S mine -B mine/build && cmake --build mine/build) >out 2>&1 || fail "cmake"

# Every link of the pages leads to something that is installed, too.
what='links of the installed pages'
(cd "$prefix/share/doc/fedrecsim" && find . -name '*.md' -exec awk '
    FNR == 1 { folder = FILENAME; sub(/[^\/]*$/, "", folder); fenced = 0 }
    /^```/ { fenced = !fenced }
    !fenced { while (match($0, /\]\([^) ]+\)/)) {
        link = substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
        sub(/#.*/, "", link)
        if (link != "" && link !~ /^[a-z]+:/) print folder link " " FILENAME
    } }' {} + | sort -u >"$folder/links"
    while read -r link page; do
        [ -e "$link" ] || echo "$page leads to $link"
    done <"$folder/links") >dead
[ "$(wc -l <links)" -ge 300 ] || fail "only $(wc -l <links) were found"
[ ! -s dead ] || fail "$(cat dead)"

# From there.
program=$prefix/bin/fedrecsim
expect 0 list scenarios
says out '  quickstart  '
expect 0 run quickstart --set rounds.count=2 --set output.what_if=none --quiet
expect 0 check own-fleet --patience '10 ms'
says out "$prefix/share/fedrecsim/scenarios/own-fleet.cfg: no problems found"
expect 0 new minimal
expect 0 list codec --plugin halves.so --plugin mine/build/signum.so
says out '  halves  '
rm -r results minimal.cfg mine

# Nothing is left, but for what others have put beside it.
what=uninstall
echo mine >"$prefix/share/fedrecsim/mine"
cmake -DMANIFEST="$folder/build/install_manifest.txt" -P "$FRS_SOURCE_DIR/packaging/uninstall.cmake" >out 2>err || fail "exit code"
[ "$(find "$prefix" ! -type d)" = "$prefix/share/fedrecsim/mine" ] || fail "left: $(find "$prefix" ! -type d)"
rm "$prefix/share/fedrecsim/mine"
rmdir "$prefix/share/fedrecsim"
left=$(find "$prefix" -name '*fedrecsim*')
[ -z "$left" ] || fail "left: $left"
! cmake -DMANIFEST="$folder/build/install_manifest.txt" -P "$FRS_SOURCE_DIR/packaging/uninstall.cmake" >out 2>err || fail "twice"
says err 'is not there: nothing was'

[ "$failures" -eq 0 ]
