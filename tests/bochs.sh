#!/usr/bin/env bash
# bochs.sh KERNEL FOLDER MODEL SECONDS FILE... <COMMANDS
# Runs shell commands on a processor that this machine is not: Bochs emulates MODEL (`bochs --help cpu` lists them)
# and boots the Linux KERNEL there, with the files in its working folder; programs bring their libraries along.
# Prints what the commands print and returns their exit status, or fails after so many seconds of processor
# time. FOLDER is its own.
set -euo pipefail

kernel=$1 folder=$2 model=$3 seconds=$4
shift 4
mhz=20 # of the emulated clock: the slower, the less emulation goes into waiting for devices
root=$folder/root disk=$folder/disk output=$folder/output

# The processors' fast string operations and compact XSAVE areas are described by Bochs 2.7 in ways that Linux trips
# over: FSRM (bit 580), XSAVES (323), XSAVEC (321) and PKU (515) are hidden.
linux="initrd=initrd console=ttyS0,115200 quiet loglevel=1 panic=-1 clearcpuid=580,323,321,515
  tsc=reliable tsc_early_khz=${mhz}000 no_timer_check mitigations=off lsm=capability init_on_alloc=0 cryptomgr.notests=1"

rm -rf "$folder"
mkdir -p "$root"/{bin,dev,proc,tmp,work} "$disk"
cp /bin/busybox "$root/bin/"
ln -s busybox "$root/bin/sh"
cat >"$root/work/commands"
cat >"$root/init" <<'EOF'
#!/bin/sh
/bin/busybox --install -s /bin
export PATH=/work:/bin HOME=/tmp
mount -t proc proc /proc
mount -t devtmpfs dev /dev
cd /work
echo "started after $(cut -d ' ' -f 1 /proc/uptime) s"
sh commands
echo "exit status $?"
sleep 1 # until the serial port has sent everything
poweroff -f
EOF
chmod +x "$root/init"
for file in "$@"; do
  cp "$file" "$root/work/"
  [[ -x $file ]] || continue
  strip "$root/work/${file##*/}"
  while read -r library; do
    mkdir -p "$root${library%/*}"
    cp -L "$library" "$root$library"
  done < <(ldd "$file" | grep -oE '/[^ ]+')
done

(cd "$root" && find . | busybox cpio -o -H newc -R 0:0 2>/dev/null) >"$disk/initrd"
cp "$kernel" "$disk/vmlinuz"
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$disk/"
printf 'DEFAULT linux\nLABEL linux\nKERNEL vmlinuz\nAPPEND %s\n' "${linux//$'\n'/}" >"$disk/isolinux.cfg"
xorriso -as mkisofs -quiet -o "$folder/disk.iso" -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 \
  -boot-info-table "$disk" 2>"$folder/xorriso.log"

cat >"$folder/bochsrc" <<EOF
config_interface: textconfig
display_library: term
cpu: model=$model, ips=${mhz}000000
megs: 512
ata0-master: type=cdrom, path=$folder/disk.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$output
sound: waveoutdrv=dummy
clock: sync=none
log: $folder/bochs.log
error: action=ignore
panic: action=fatal
EOF
echo c >"$folder/debugger" # Debian's Bochs starts in its debugger
: >"$output"
(ulimit -t "$seconds" && TERM=vt100 exec bochs -f "$folder/bochsrc" -rc "$folder/debugger") </dev/null \
  >"$folder/screen" 2>&1 || true

sed 's/\r//' "$output"
status=$(sed -nE 's/^exit status ([0-9]+)\r?$/\1/p' "$output" | tail -1)
[[ -n $status ]] || echo "the emulated machine came to no end in $seconds s of processor time" >&2
exit "${status:-124}"
