#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the README with the program itself; needs what ./run has built and fetched, and no display.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$top/build/release/app/headscope
pictures=$top/resources/screenshots
mkdir -p "$pictures"

shot() { "$program" "${@:2}" --quiet --screenshot "$pictures/$1.png" && echo "$pictures/$1.png"; }
# What the tiny model can read: its vocabulary is small, so ordinary words fall into many pieces.
text="The first light of the morning fell on the water, and the boats went out before the wind."
shot window-light "$top/.deps/minilm" --size 1440x900 --theme light --head 3.1 \
    --text "The animal didn't cross the street because it was too tired." --query 10
shot window-dark "$top/.deps/minilm" --size 1440x900 --theme dark --head 1.11
shot flagged "$top/tests/data/models/flagged-bert" --size 1440x900 --theme light --head 0.1 --text "$text"
shot diagnose "$top/.deps/minilm" --size 1440x900 --theme light --head 1.11 --view diagnose
shot compare "$top/.deps/minilm" --size 1440x900 --theme light --view compare --pin 1.8 --head 3.1 \
    --text "The animal didn't cross the street because it was too tired."
shot text "$top/.deps/minilm" --size 1440x900 --theme light --head 3.1 --form text --query 10 \
    --text "The animal didn't cross the street because it was too tired. It had walked the whole day, and the city was loud."
shot lines "$top/.deps/minilm" --size 1440x900 --theme dark --head 1.8 --form lines \
    --text "The animal didn't cross the street because it was too tired."
