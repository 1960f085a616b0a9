#!/usr/bin/env bash
# Builds FFmpeg of the distribution's source package against an installed libvmaf, scores clips through its libvmaf
# filter, and compares the logs with those of another libvmaf. Not part of ctest: it fetches and builds FFmpeg.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  cat <<'EOF'
usage: tests/clients/ffmpeg.sh --prefix PREFIX [--other OTHER_PREFIX] [options] [REFERENCE DISTORTED]...

  --prefix PREFIX   tree with the libvmaf to test: lib*/libvmaf.so, include/libvmaf, libvmaf.pc
  --other PREFIX    the same of the libvmaf to compare with; without it runs are checked, not compared
  --models DIR      vmaf_v0.6.1.json and vmaf_b_v0.6.3.json of Netflix, to be read by path as well
  --work DIR        where FFmpeg is fetched and built; kept, so that a second call is quick
                    (default: vmafx-ffmpeg in TMPDIR or /tmp)
  --jobs N          of the builds (default: all cores)
  --only TEXT       only the cases whose name has TEXT in it
  --no-memory       leave out the runs that measure memory

Pairs of clips of even size, 8 or 10 bit, 4:2:0, 4:2:2 or 4:4:4, raw y4m, FFV1, H.264, HEVC or VP9, come in
addition to those that FFmpeg itself generates.
EOF
}

die() {
  echo "ffmpeg.sh: $*" >&2
  exit 2
}

say() { echo "== $*" >&2; }

# --- the source package -----------------------------------------------------------------------------

# Prints the system's apt sources of its own suites as deb-src, in the deb822 form.
source_entries() {
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
  local files=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list) file
  for file in "${files[@]}"; do
    [[ -f $file ]] || continue
    # "deb [option=value ...] URI SUITE COMPONENT..."
    sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+) +([^ ]+) +(.*)$/\2|\3|\4|\1/p' "$file" |
      while IFS='|' read -r uri suite components options; do
        [[ $suite == "$codename" || $suite == "$codename"-* ]] || continue
        printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: %s\n' "$uri" "$suite" "$components"
        [[ $options =~ signed-by=([^] ]+) ]] && printf 'Signed-By: %s\n' "${BASH_REMATCH[1]}"
        echo
      done
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -f $file ]] || continue
    awk -v codename="$codename" '
      function flush() { if (ours) printf "%s\n", text; text = ""; ours = 0 }
      /^#/ { next }
      /^[ \t]*$/ { flush(); next }
      /^Suites:/ { for (i = 2; i <= NF; i++) if ($i == codename || index($i, codename "-") == 1) ours = 1 }
      /^Types:/ { $0 = "Types: deb-src" }
      { text = text $0 "\n" }
      END { flush() }' "$file"
  done
}

# Unpacks FFmpeg's original sources into $1. apt's lists and cache are in there too: the system's are not touched.
fetch_source() {
  local folder=$1
  [[ -x $folder/source/configure ]] && return
  command -v apt-get >/dev/null || die "FFmpeg's source comes from a Debian or Ubuntu archive; there is no apt-get"
  mkdir -p "$folder"/apt/{parts,state/lists/partial,cache/archives/partial} "$folder/source"
  source_entries >"$folder/apt/parts/system.sources"
  [[ -s $folder/apt/parts/system.sources ]] || die "no apt source of this distribution is set up"
  local options=(-q -o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$folder/apt/parts"
    -o "Dir::State=$folder/apt/state" -o "Dir::Cache=$folder/apt/cache" -o Dir::State::status=/var/lib/dpkg/status
    -o APT::Sandbox::User=)
  say "fetching FFmpeg's source package"
  (
    cd "$folder"
    apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only ffmpeg
  ) >"$folder/fetch.log" 2>&1 || die "cannot fetch FFmpeg's source, see $folder/fetch.log"
  local archive
  archive=$(find "$folder" -maxdepth 1 -name 'ffmpeg_*.orig.tar.*' ! -name '*.asc' -print -quit)
  tar -xf "$archive" -C "$folder/source" --strip-components=1
}

# --- the builds -------------------------------------------------------------------------------------

pc_folder() {
  local found
  found=$(find -L "$1" -name libvmaf.pc -print -quit)
  [[ -n $found ]] || die "there is no libvmaf.pc below $1"
  dirname "$found"
}

library_folder() {
  PKG_CONFIG_PATH=$(pc_folder "$1") pkg-config --variable=libdir libvmaf
}

# Builds FFmpeg in $2 against the libvmaf of prefix $1: ffmpeg, and ffmpeg_shipped without the change below.
build() {
  local prefix=$1 folder=$2
  # A library that is installed anew changes nothing in FFmpeg, new headers may.
  local wanted
  wanted=$(echo "$prefix"; cat "$(pc_folder "$prefix")/libvmaf.pc" "$prefix"/include/libvmaf/*.h | cksum)
  [[ ! -x $folder/ffmpeg_tested || $(cat "$folder/built_for") != "$wanted" ]] || return 0
  say "building FFmpeg against $prefix in $folder"
  mkdir -p "$folder"
  rm -f "$folder/ffmpeg_tested"
  [[ -x $folder/configure ]] || cp -r "$work/source/." "$folder/"
  cp "$work/source/libavfilter/vf_libvmaf.c" "$folder/libavfilter/"
  local filters=libvmaf,testsrc2,mandelbrot,scale,format,null,noise,gblur,setpts,settb,trim,split,fps,nullsink,copy
  (
    cd "$folder"
    PKG_CONFIG_PATH=$(pc_folder "$prefix") ./configure --disable-everything --disable-autodetect --disable-doc \
      --disable-x86asm --disable-debug --disable-network --disable-ffplay --disable-ffprobe --enable-small \
      --enable-libvmaf --enable-filter=$filters --enable-indev=lavfi --enable-protocol=file,pipe \
      --enable-demuxer=yuv4mpegpipe,rawvideo,matroska,mov --enable-muxer=null,rawvideo,yuv4mpegpipe \
      --enable-decoder=rawvideo,wrapped_avframe,ffv1,h264,hevc,vp9 --enable-parser=h264,hevc,vp9 \
      --enable-bsf=vp9_superframe_split --enable-encoder=rawvideo,wrapped_avframe
    make -j"$jobs" ffmpeg
    cp ffmpeg ffmpeg_shipped
    # FFmpeg 5.1 hands over only the left half of each row of a 10 bit picture. Mended as FFmpeg 6.0 does it, since
    # half a picture would test half the values; the shipped one is compared as well.
    sed -i 's/sizeof(\*dst_data) \* dst->w\[i\]/(bpc > 8 ? 2 : 1) * dst->w[i]/' libavfilter/vf_libvmaf.c
    make -j"$jobs" ffmpeg
    cp ffmpeg ffmpeg_tested
  ) >"$folder.log" 2>&1 || die "FFmpeg does not build, see $folder.log: $(tail -1 "$folder.log")"
  echo "$wanted" >"$folder/built_for"
}

# --- main -------------------------------------------------------------------------------------------

prefix='' other='' jobs=$(nproc) work=${TMPDIR:-/tmp}/vmafx-ffmpeg clips=() passed_on=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --prefix | --other | --models | --work | --jobs | --only)
      [[ $# -gt 1 ]] || die "$1 needs a value"
      case $1 in
        --prefix) prefix=$(realpath "$2") ;;
        --other) other=$(realpath "$2") ;;
        --models) passed_on+=(--models "$(realpath "$2")") ;;
        --work) work=$(realpath -m "$2") ;;
        --jobs) jobs=$2 ;;
        --only) passed_on+=(--only "$2") ;;
      esac
      shift ;;
    --no-memory) passed_on+=(--no-memory) ;;
    -h | --help) usage; exit ;;
    -*) die "unknown option $1 (--help lists them)" ;;
    *) clips+=("$1") ;;
  esac
  shift
done
[[ -n $prefix ]] || { usage >&2; exit 2; }
[[ $((${#clips[@]} % 2)) -eq 0 ]] || die "clips come in pairs of reference and distorted"

fetch_source "$work"
build "$prefix" "$work/tested"
arguments=(--tested "$work/tested" --tested-lib "$(library_folder "$prefix")" --work "$work/runs")
if [[ -n $other ]]; then
  build "$other" "$work/other"
  arguments+=(--other "$work/other" --other-lib "$(library_folder "$other")")
fi
exec python3 "$here/ffmpeg_compare.py" "${arguments[@]}" "${passed_on[@]}" -- "${clips[@]}"
