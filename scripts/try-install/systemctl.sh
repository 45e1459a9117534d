#!/usr/bin/env bash
# Replaces systemctl: does with a unit what systemd does, as far as deploy/shop.service needs it. PostgreSQL is started by Debian's own script.
set -euo pipefail
unit=/etc/systemd/system/shop.service
value() { sed -n "s/^$1=//p" "$unit" | tail -1; }

start() {
  install -d -m "$(value StateDirectoryMode)" -o "$(value User)" -g "$(value Group)" "/var/lib/$(value StateDirectory)"
  unshare --mount bash /mnt/bin/service.sh "$unit" > /mnt/shop.log 2>&1 &
  echo $! > /mnt/shop.pid
}

stop() {
  [ -f /mnt/shop.pid ] || return 0
  local pid
  pid=$(cat /mnt/shop.pid)
  kill -TERM "$pid" 2> /dev/null || return 0
  for _ in $(seq "$(value TimeoutStopSec)"); do
    [ -d "/proc/$pid" ] || return 0
    sleep 1
  done
  echo "The service did not end within $(value TimeoutStopSec) s of SIGTERM."
  return 1
}

case "$*" in
  daemon-reload)
    if command -v systemd-analyze > /dev/null; then
      problems=$(systemd-analyze verify "$unit" 2>&1) || true
      if [ -n "$problems" ]; then
        echo "systemd-analyze verify: $problems"
        exit 1
      fi
      echo "systemd-analyze verify: no problems"
    else
      echo "The unit was not verified: systemd-analyze is not installed (Debian: apt-get install systemd)."
    fi
    ;;
  'enable --now shop' | 'start shop') start ;;
  'stop shop') stop ;;
  'restart shop')
    stop
    start
    ;;
  'enable --now postgresql') service postgresql start ;;
  *)
    echo "This stand-in does not know: systemctl $*"
    exit 1
    ;;
esac
