#!/bin/sh
# Makes the pictures of pages in this folder, from a scenario that comes with the program. Needs chromium, and pngquant to make them
# small; argument: the build folder.
#   docs/pictures/make.sh build
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$(dirname -- "$here")")
program=$(CDPATH='' cd -- "$1" && pwd)/fedrecsim
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$program" sweep "$root/scenarios/quickstart.cfg" --quiet --out "$scratch/sweep" --replicates 5 --set failures.up=0.05 --set failures.detect='1 s' \
    --vary 'method | d = 16 | d = 4: method.dim=4 | d = 16, touched rows: codec.uplink=touched_rows | d = 16, slower: method.learning_rate=0.5' \
    --vary 'uplink | 3 Mbit/s | 300 kbit/s: network.uplink.median=300 kbit/s'
"$program" run "$root/scenarios/quickstart.cfg" --quiet --out "$scratch/run" --set failures.up=0.05 --set failures.connection_up=0.05 \
    --set failures.detect='1 s'

# shot PAGE NAME WIDTH,HEIGHT [option...]
shot() {
    page=$1 name=$2 size=$3
    shift 3
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=5000 --window-size="$size" "$@" \
        --screenshot="$scratch/$name.png" "file://$scratch/$page/report.html" >/dev/null 2>&1
    if command -v pngquant >/dev/null; then
        pngquant --force --strip --speed 1 32 --output "$here/$name.png" "$scratch/$name.png"
    else
        cp "$scratch/$name.png" "$here/$name.png"
    fi
}

shot sweep report 1160,1230
shot sweep sweep-dark 1160,3000 --force-dark-mode --blink-settings=preferredColorScheme=0
shot sweep sweep-narrow 420,2400
shot run run 1160,2500
shot run run-dark 1160,2500 --force-dark-mode --blink-settings=preferredColorScheme=0
shot run run-narrow 420,2400
