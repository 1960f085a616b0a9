#!/usr/bin/env bash
# Compiles the tests that come with Netflix's libvmaf, from a checkout of it, against an installed libvmaf and runs
# them: those that need nothing but installed headers. The others reach into that library's own sources.
set -euo pipefail

usage() {
  echo "usage: tests/clients/netflix_tests.sh --source NETFLIX_CHECKOUT --prefix PREFIX [--timeout SECONDS]"
}

die() {
  echo "netflix_tests.sh: $*" >&2
  exit 2
}

source='' prefix='' timeout=120
while [[ $# -gt 0 ]]; do
  case $1 in
    --source | --prefix | --timeout)
      [[ $# -gt 1 ]] || die "$1 needs a value"
      printf -v "${1#--}" %s "$2"
      shift ;;
    -h | --help) usage; exit ;;
    *) die "unknown argument $1" ;;
  esac
  shift
done
[[ -n $source && -n $prefix ]] || { usage >&2; exit 2; }
tests=$source/libvmaf/test
[[ -f $tests/test.h ]] || die "$source is no checkout of Netflix/vmaf: it has no libvmaf/test/test.h"
pc=$(find -L "$prefix" -name libvmaf.pc -print -quit)
[[ -n $pc ]] || die "there is no libvmaf.pc below $prefix"
export PKG_CONFIG_PATH=${pc%/*}
libdir=$(pkg-config --variable=libdir libvmaf)
includedir=$(pkg-config --variable=includedir libvmaf)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the first header between quotes that is neither the harness's nor installed; nothing if there is none.
private_header() {
  local header
  while read -r header; do
    [[ $header == test.h || -f $includedir/$header ]] || { echo "$header"; return; }
  done < <(sed -nE 's/^ *# *include *"([^"]*)".*/\1/p' "$1")
}

show() { sed 's/\x1b\[[0-9]*m//g; s/^/    /' "$work/log"; }

passed=0 failed=0 left_out=0
for file in "$tests"/test_*.c; do
  name=$(basename "$file" .c)
  header=$(private_header "$file")
  if [[ -n $header ]]; then
    printf '%-28s left out: includes %s\n' "$name" "$header"
    left_out=$((left_out + 1))
    continue
  fi
  # shellcheck disable=SC2046
  if ! cc -std=gnu11 -w -I"$tests" "$file" "$tests/test.c" -o "$work/$name" -pthread \
    $(pkg-config --cflags --libs libvmaf) 2>"$work/log"; then
    printf '%-28s FAILED to compile\n' "$name"
  else
    status=0
    LD_LIBRARY_PATH=$libdir timeout "$timeout" "$work/$name" >"$work/log" 2>&1 || status=$?
    case $status in
      0) printf '%-28s passed\n' "$name"; passed=$((passed + 1)); show; continue ;;
      124) printf '%-28s FAILED: not done after %s s\n' "$name" "$timeout" ;;
      *) printf '%-28s FAILED with status %s\n' "$name" "$status" ;;
    esac
  fi
  failed=$((failed + 1))
  show
done
echo "$left_out left out"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
