#!/usr/bin/env bash
# Makes the sample pair anew. Needs a release build (./dev build) and ffmpeg with libx264 and libx265.
# The clip is the same everywhere; the encoders' output depends on their version, so after a run
# expected.json has to be made anew too (samples/README.md).
set -euo pipefail
cd "$(dirname "$0")"
../build/release/bin/clipgen --width 640 --height 360 --frames 48 --motion cuts --cut-interval 16 --grain 4 - |
  ffmpeg -v error -y -i - -c:v libx264 -preset veryslow -qp 21 -threads 1 -fflags +bitexact -flags +bitexact \
    -color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709 reference.mp4
ffmpeg -v error -y -i reference.mp4 -c:v libx265 -preset medium -crf 39 -x265-params log-level=error:pools=1:frame-threads=1 \
  -fflags +bitexact -flags +bitexact -color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709 distorted.mkv
