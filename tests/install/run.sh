#!/usr/bin/env bash
# Installs a finished build into temporary trees and builds programs against them, as users do: in C and C++, shared
# and static, through pkg-config and CMake. All must print the scores that the `vmaf` tool gives for the same frames.
# usage: run.sh BUILD_FOLDER; compilers are CC and CXX.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath "$1")
CC=${CC:-cc} CXX=${CXX:-c++}
strict=(-Wall -Wextra -pedantic -Werror)

skip() {
  echo 'install: Skipped'
  echo "$*"
  exit 77
}
command -v pkg-config >/dev/null || skip 'there is no pkg-config'
command -v "$CC" >/dev/null || skip "there is no C compiler $CC"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

passed() { echo "passed: $*"; }
failed() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect WHAT WANTED GOT
expect() {
  if [[ $2 == "$3" ]]; then passed "$1"; else failed "$1: '$3' instead of '$2'"; fi
}

# --- trees: an ordinary prefix, one under DESTDIR that is then moved, and one component each --------------

listing() { (cd "$1" && find . ! -type d | sort); }

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/vmafx >>"$work/install.log"
mkdir "$work/moved"
mv "$work/stage/opt/vmafx" "$work/moved/here"
expect 'DESTDIR and --prefix install the same files' "$(listing "$work/prefix")" "$(listing "$work/moved/here")"

pc=$(find "$work/prefix" -name libvmaf.pc -printf '%h')
lib=$(realpath -m --relative-to="$work/prefix" "$pc/..")
for component in vmafx libvmaf development; do
  cmake --install "$build" --prefix "$work/parts/$component" --component "$component" >>"$work/install.log"
done
expect 'the components are all of it' "$(listing "$work/prefix")" \
  "$(for component in "$work"/parts/*; do listing "$component"; done | sort)"
expect 'component libvmaf' "./include/libvmaf/feature.h
./include/libvmaf/libvmaf.h
./include/libvmaf/model.h
./include/libvmaf/picture.h
./include/libvmaf/version.h
./$lib/libvmaf.a
./$lib/libvmaf.so
./$lib/libvmaf.so.3
./$lib/libvmaf.so.3.2.0
./$lib/pkgconfig/libvmaf.pc" "$(listing "$work/parts/libvmaf")"
expect 'no installed text names the prefix or the build' '' \
  "$(grep -rlIF -e "$work" -e "$build" -e "$(dirname "$(dirname "$here")")" -e /opt/vmafx "$work/prefix" || true)"

# --- the library and its headers ----------------------------------------------------------------------

library=$work/prefix/$lib/libvmaf.so
expect 'SONAME' libvmaf.so.3 "$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
expect 'only the interface is exported' '' \
  "$(nm -D --defined-only "$library" | awk '$NF !~ /^vmaf_/ { print $NF }')"
declared=$(cat "$work"/prefix/include/libvmaf/*.h | grep -oE '\bvmaf_[a-z0-9_]+\(' | tr -d '(' | sort -u)
expect 'all that the headers declare is exported' "$declared" \
  "$(nm -D --defined-only "$library" | awk '{ print $NF }' | sort -u)"
for header in "$work"/prefix/include/libvmaf/*.h; do
  name=$(basename "$header")
  for form in "$CC c99 c" "$CXX c++11 c++"; do
    read -r compiler standard language <<<"$form"
    if "$compiler" -std="$standard" "${strict[@]}" -fsyntax-only -I"$work/prefix/include" -x "$language" \
      <(printf '#include <libvmaf/%s>\nint main(void) { return 0; }\n' "$name") 2>"$work/log"; then
      passed "libvmaf/$name as $standard"
    else
      failed "libvmaf/$name as $standard: $(head -3 "$work/log")"
    fi
  done
done

# --- programs -----------------------------------------------------------------------------------------

# compile NAME COMMAND...
compile() {
  local name=$1
  shift
  if "$@" -o "$work/$name" 2>"$work/log"; then return; fi
  failed "$name does not build: $(head -5 "$work/log")"
  return 1
}

# Runs a program of libvmaf_client.c with the shared library of TREE: run_libvmaf NAME TREE
run_libvmaf() {
  LD_LIBRARY_PATH=$2/$lib "$work/$1" "$work/$1.ref.y4m" "$work/$1.dist.y4m" "$work/$1.json" || echo "exit code $?"
}

flags() { PKG_CONFIG_PATH=$1/$lib/pkgconfig pkg-config "${@:2}"; }

# The pooled mean of a key in the JSON report.
pooled() {
  awk -v key="\"$2\": {" \
    'index($0, key) { found = 1 } found && /"mean"/ { gsub(/[",]/, ""); print $2; exit }' "$1"
}

tree=$work/prefix
read -ra shared < <(flags "$tree" --cflags --libs libvmaf)
compile c "$CC" -std=c99 "${strict[@]}" "$here/libvmaf_client.c" "${shared[@]}"
scores=$(run_libvmaf c "$tree")
ref=$work/c.ref.y4m dist=$work/c.dist.y4m
for bin in "$build/bin" "$tree/bin"; do
  "$bin/vmaf" -q -r "$ref" -d "$dist" --feature psnr=enable_chroma=false --json --precision max -o "$work/tool.json" ||
    failed "$bin/vmaf ended with $?"
  expect "pkg-config, C: as $(basename "$(dirname "$bin")")/bin/vmaf" \
    "vmaf $(pooled "$work/tool.json" vmaf) psnr_y $(pooled "$work/tool.json" psnr_y)" "$scores"
done
expect 'its report' \
  "$(printf '%.6f %.6f' "$(pooled "$work/tool.json" vmaf)" "$(pooled "$work/tool.json" psnr_y)")" \
  "$(pooled "$work/c.json" vmaf) $(pooled "$work/c.json" psnr_y)"

# By another name, since clang warns of "-x none" before flags.
cp "$here/libvmaf_client.c" "$work/libvmaf_client.cc"
compile cxx "$CXX" -std=c++11 "${strict[@]}" "$work/libvmaf_client.cc" "${shared[@]}" &&
  expect 'pkg-config, C++' "$scores" "$(run_libvmaf cxx "$tree")"

# Without the shared library -lvmaf means libvmaf.a.
cp -r "$tree" "$work/without_so"
rm "$work/without_so/$lib"/libvmaf.so*
read -ra static < <(flags "$work/without_so" --static --cflags --libs libvmaf)
compile static "$CC" -std=c99 "${strict[@]}" "$here/libvmaf_client.c" "${static[@]}" &&
  expect 'pkg-config, C, static' "$scores" "$(run_libvmaf static /nonexistent)"

read -ra native < <(flags "$tree" --cflags --libs vmafx)
compile native "$CXX" -std=c++20 -Wall -Werror "$here/vmafx_client.cc" "${native[@]}" &&
  expect 'pkg-config, vmafx' "$scores" "$("$work/native" "$ref" "$dist")"

tree=$work/moved/here
for cxx in OFF ON; do
  folder=$work/cmake_$cxx
  if ! { cmake -S "$here" -B "$folder" -DCLIENT_CXX=$cxx -DCMAKE_PREFIX_PATH="$tree" \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" && cmake --build "$folder"; } >"$work/log" 2>&1; then
    failed "CMake: $(tail -15 "$work/log")"
  fi
  for name in libvmaf_c libvmaf_static libvmaf_cxx; do
    [[ -x $folder/$name ]] || continue
    cp "$folder/$name" "$work/$name"
    expect "CMake with C++ $cxx, $name" "$scores" "$(run_libvmaf "$name" "$tree")"
  done
done
expect 'CMake, vmafx' "$scores" "$("$work/cmake_ON/vmafx_cxx" "$ref" "$dist")"
expect 'the static program needs no libvmaf.so' '' \
  "$(readelf -d "$work/libvmaf_static" | grep 'NEEDED.*libvmaf' || true)"

if [[ -f $tree/$lib/vmafx/vmafx_libav.so ]]; then
  expect 'the moved tools find the libav module' true \
    "$("$tree/bin/vmafx" probe --json | sed -n 's/.*"containers": \([a-z]*\).*/\1/p')"
fi

for module in "$build"/lib/vmafx/vmafx_*.so; do
  [[ -f $module ]] || continue # a build without modules
  expect "$(basename "$module") is installed" true "$([[ -f $tree/$lib/vmafx/$(basename "$module") ]] && echo true)"
done

[[ $failures -eq 0 ]]
