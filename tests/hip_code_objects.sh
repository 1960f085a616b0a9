#!/usr/bin/env bash
# hip_code_objects.sh METRICS MODULE ARCHITECTURES...: the HIP module holds code of each metric for each architecture.
# Without MODULE there is none.
set -euo pipefail

skip() {
  echo 'devices.HipCodeObjects: Skipped'
  echo "$*"
  exit 77
}

metrics=$1
module=${2:-}
[[ -n $module ]] || skip 'there is no hipcc, so no HIP module was built'
command -v roc-obj-ls >/dev/null || skip 'there is no roc-obj-ls to look into the HIP module'

objects=$(roc-obj-ls "$module")
fail=0
for architecture in "${@:3}"; do
  count=$(grep -cE -- "--$architecture\\s.*size=[1-9]" <<<"$objects" || true)
  if [[ $count != "$metrics" ]]; then
    echo "$count code objects for $architecture, not $metrics"
    fail=1
  fi
done
exit "$fail"
