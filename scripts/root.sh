#!/bin/sh
# What a stranger meets: a Debian root with nothing but git and make, this commit cloned into it, and commands run there as
# root, each with its time: scripts/root.sh SUITE COMMAND... A command that begins with @ is run by a user who is not root.
# As root, with debootstrap. The root is made in ROOT (default: a new folder in /var/tmp) and deleted at the end,
# unless KEEP is set. MIRROR is a Debian mirror (default: the one of this machine). All output is in LOG (default:
# build/root-SUITE.log).
# example: scripts/root.sh bookworm "@make run" "make run" "apt-get install -y libcmocka-dev" "make test"
set -eu
suite=${1:?usage: scripts/root.sh SUITE COMMAND...}
shift
[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || { echo "root.sh: needs root and debootstrap" >&2 && exit 1; }
root=${ROOT:-$(mktemp -d "/var/tmp/softwave-$suite.XXXXXX")}
log=${LOG:-build/root-$suite.log}
mirror=${MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1)}
mkdir -p "$(dirname "$log")" && : >"$log"

leave() {
    for place in proc sys dev; do ! mountpoint -q "$root/$place" || umount -l "$root/$place"; done
    [ "${KEEP:-}" ] || rm -rf --one-file-system "$root"
}
trap leave EXIT
trap 'exit 1' INT TERM

[ -d "$root/usr" ] || debootstrap --variant=minbase "$suite" "$root" "$mirror" >>"$log" 2>&1
for place in proc sys dev; do mountpoint -q "$root/$place" || mount --bind "/$place" "$root/$place"; done
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
# A mirror may be older than it says that it can be, as snapshots are.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90snapshot"
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive TERM=dumb "$@"; }
inside sh -c 'apt-get update && apt-get install -y --no-install-recommends git make && apt-get clean' >>"$log" 2>&1
rm -rf "$root/softwave"
git clone -q --no-hardlinks . "$root/softwave" && chown -R 1000:1000 "$root/softwave"
inside git config --global --add safe.directory /softwave

failed=0
for command; do
    user=root start=$(date +%s)
    case $command in @*) user=user command=${command#@} ;; esac
    echo "== $suite, $user: $command" >>"$log"
    status=0
    if [ $user = root ]; then
        inside sh -c "cd /softwave && $command" >"$log.part" 2>&1 </dev/null || status=$?
    else
        chroot --userspec=1000:1000 "$root" env -i HOME=/tmp PATH=/usr/bin:/bin TERM=dumb sh -c "cd /softwave && $command" >"$log.part" 2>&1 </dev/null || status=$?
    fi
    cat "$log.part" >>"$log"
    echo "$suite, $user: $command: exit $status, $(($(date +%s) - start)) s: $(tail -n 1 "$log.part")"
    [ $status = 0 ] || [ $user = user ] || failed=1
done
rm -f "$log.part"
exit $failed
