#!/usr/bin/env bash
# The table in docs/metrics/README.md is what `vmafx features --markdown` prints; `metrics_table.sh VMAFX write`
# brings it up to date.
set -euo pipefail
vmafx=$1
page=$(cd "$(dirname "$0")/.." && pwd)/docs/metrics/README.md

wanted() {
  cat <<'EOF'
# Metrics

A page for each says what it means, its formula and its options. Keys are those of the default options; an option that
changes the value is part of the key (`integer_motion2_mmxv_18`), but for those of `psnr` and `adm_skip_aim`, as in libvmaf.

EOF
  "$vmafx" features --markdown |
    sed -E 's#^\| `([a-z0-9_]+)` \|#| [`\1`](\1.md) |#; s#\[`null`\]\(null\.md\)#`null`#; s#\(speed_[a-z]+\.md\)#(speed.md)#'
}

if [[ ${2:-} == write ]]; then
  wanted >"$page"
else
  diff <(wanted) "$page"
fi
