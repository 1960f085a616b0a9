#!/usr/bin/env bash
# layers.sh includes SOURCE_DIR: each layer includes only what HACKING.md's table allows.
# layers.sh libm LIBRARY:        it calls no libm function whose result the host decides.
# layers.sh fma LIBRARY:         it holds no fused multiply-add, but in functions where docs/decisions/0001 allows it.
# layers.sh symbols LIBRARY:     it exports what include/libvmaf/ declares, and nothing else.
set -euo pipefail

# Of the machine that the library is for.
nm=${NM:-nm}
objdump=${OBJDUMP:-objdump}

fail=0
complain() {
  echo "$*"
  fail=1
}

# check_includes FOLDER ALLOWED [FORBIDDEN SYSTEM HEADERS]: extended regular expressions of what may stand
# between the quotes, and of what must not stand between the angle brackets.
check_includes() {
  local folder=$1 allowed=$2 forbidden=${3:-} file header
  [[ -d $folder ]] || return 0
  while IFS=: read -r file header; do
    header=${header#*\"}
    header=${header%%\"*}
    [[ $header =~ ^($allowed|hwy/|fmt/|nlohmann/) ]] || complain "$file must not include \"$header\""
  done < <(find "$folder" -name '*.cc' ! -name '*_test.cc' -print0 -o -name '*.h' -print0 |
    xargs -0 grep -HE '^ *# *include *"' || true)
  [[ -n $forbidden ]] || return 0
  while IFS=: read -r file header; do
    complain "$file must not have ${header}"
  done < <(find "$folder" -name '*.cc' ! -name '*_test.cc' -print0 -o -name '*.h' -print0 |
    xargs -0 grep -HE "^ *# *include *<($forbidden)>" || true)
}

includes() {
  cd "$1"
  local threads='thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier'
  local files='fstream|iostream|filesystem|cstdio|stdio.h'
  check_includes include/vmafx 'vmafx/' '(fmt|hwy|nlohmann|CLI|libav.*)/.*'
  check_includes include/libvmaf 'libvmaf/' '[a-z_]+|vmafx/.*'
  if grep -rnE '"(fmt|hwy|nlohmann)/' include; then complain 'public headers stand on the standard library alone'; fi
  check_includes src/base 'vmafx/|base/'
  check_includes src/device 'vmafx/|base/|device/'
  check_includes src/metrics 'vmafx/|base/|device/|metrics/' "$threads|$files"
  check_includes src/models 'vmafx/|base/|metrics/(metric|registry)\.h|models/' "$threads"
  check_includes src/engine 'vmafx/|base/|device/|metrics/|models/|engine/' "$files"
  check_includes src/media 'vmafx/|base/|media/'
  check_includes src/report 'vmafx/|base/|report/' "$threads"
  check_includes src/compat 'vmafx/|libvmaf/|base/|compat/'
  check_includes python/src 'vmafx/|[^/]+$'
  check_includes tools 'vmafx/|tools/|common/|vmaf/|[^/]+$'
  # One metric does not know another, but for those that are defined by another's measurement.
  local metric other
  for metric in src/metrics/*/; do
    for other in src/metrics/*/; do
      case "$(basename "$metric") $(basename "$other")" in
        "float_ms_ssim float_ssim" | "ssim float_ssim" | "float_psnr psnr" | "float_motion motion") continue ;;
      esac
      [[ $metric == "$other" ]] && continue
      if grep -rnE "^ *# *include *\"${other#src/}" "$metric" --include='*.cc' --include='*.h'; then
        complain "$metric must not include files of $other"
      fi
    done
  done
}

libm() {
  local names='exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|sincos|erf|erfc|tgamma|lgamma|fma'
  "$nm" -u "$1" >/dev/null
  if "$nm" -A -u "$1" | grep -E " U ($names)[fl]?(@.*)?\$"; then complain "these call the host's libm"; fi
}

fma() {
  local found
  found=$("$objdump" -d --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ <.*>:$/ { name = $2 }
    /[ \t](vfn?m(add|sub)[0-9a-z]*|fn?m(add?|sub|sb|la|ls)|frecps|frsqrts)[ \t]/ && name !~ /vmafx3vif[0-9]+N_AVX(3|10)[_A-Z0-9]*8log2_sumE/ {
      print name
    }' | sort | uniq -c)
  [[ -z $found ]] || complain "$1 has fused multiply-adds, so many in these functions:"$'\n'"$found"
}

symbols() {
  local headers
  headers=$(dirname "$0")/../include/libvmaf
  diff --label declared --label exported -u \
    <(grep -ohE '\bvmaf_[a-z0-9_]+\(' <(sed 's,/\*.*\*/,,; /\/\*/,/\*\//d' "$headers"/*.h) | tr -d '(' | sort -u) \
    <("$nm" -D --defined-only "$1" | awk '{ print $3 }' | sort) || complain "$1 does not export what is declared"
}

"$1" "$2"
exit "$fail"
