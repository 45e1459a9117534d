#!/usr/bin/env bash
# Becomes the service of a unit, in a mount namespace of its own: as its user, without privileges, with every folder read-only
# except its state directory and /tmp.
set -euo pipefail
unit=$1
value() { sed -n "s/^$1=//p" "$unit" | tail -1; }
user=$(value User)
state=/var/lib/$(value StateDirectory)

if [ "$(value PrivateTmp)" = yes ]; then mount -t tmpfs -o mode=1777 tmpfs /tmp; fi
if [ "$(value ProtectSystem)" = strict ]; then
  mount --bind "$state" "$state"
  # A mount that covers another one comes later in the list and is reached by the same path.
  cut -d' ' -f5 /proc/self/mountinfo | while read -r point; do
    case "$point" in
      "$state" | /tmp | /proc* | /sys* | /dev*) ;;
      *) mount -o remount,bind,ro "$point" 2> /dev/null || true ;;
    esac
  done
fi
home=$(getent passwd "$user" | cut -d: -f6)
cd "$(value WorkingDirectory)"
umask "$(value UMask)"
read -ra command <<< "$(value ExecStart)"
exec setpriv --reuid "$user" --regid "$(value Group)" --init-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME="$home" USER="$user" LOGNAME="$user" \
  "${command[@]}"
