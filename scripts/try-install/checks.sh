#!/usr/bin/env bash
# Checks the machine after the page was followed. Every check prints a line; the exit code is 1 if one fails.
set -uo pipefail
failed=0
check() {
  local what=$1
  shift
  if "$@" > /mnt/check.log 2>&1; then
    echo "ok    $what"
  else
    failed=1
    echo "FAIL  $what"
    sed 's/^/      /' /mnt/check.log
  fi
}
shop=http://127.0.0.1:3000
get() { curl --silent --show-error --fail --retry 30 --retry-delay 1 --retry-all-errors "$@"; }
nothing() { [ -z "$1" ] || { echo "$1"; return 1; }; }

page() { get --output /mnt/home.html "$shop/"; }
home_page() { page && grep -q 'River Cups' /mnt/home.html; }
image() {
  local path
  page && path=$(grep -o -m1 '/media/[0-9]*/[a-z0-9.-]*jpg' /mnt/home.html | sed -n 1p)
  [ -n "$path" ] && get --output /dev/null "$shop$path"
}
command_as_root() {
  cd /srv/shop || return 1
  npm run --silent shop -- fill examples/river-cups/shop.json > /mnt/refused.txt && return 1
  cat /mnt/refused.txt
  grep -q 'Run the command as that user: runuser -u shop' /mnt/refused.txt
}
data_owner() { nothing "$(find /var/lib/shop /var/backups/shop ! -user shop)"; }
data_private() { [ "$(stat -c %a /var/lib/shop)" = 700 ] && nothing "$(runuser -u nobody -- ls /var/lib/shop 2> /dev/null)"; }
database_private() { nothing "$(find /var/lib/shop /var/backups/shop -name '*.db*' -perm /077)"; }
program_not_writable() { nothing "$(runuser -u shop -- find /srv/shop -writable ! -type l | head)"; }
program_read_only() { ! nsenter --target "$(cat /mnt/shop.pid)" --mount touch /srv/shop/written; }
state_writable() { nsenter --target "$(cat /mnt/shop.pid)" --mount test -w /var/lib/shop; }
service_user() { [ "$(stat -c %U "/proc/$(cat /mnt/shop.pid)")" = shop ]; }
no_privileges() { grep -q '^CapBnd:[[:space:]]*0000000000000000$' "/proc/$(cat /mnt/shop.pid)/status"; }
env_private() { ! runuser -u nobody -- cat /srv/shop/.env; }
no_development_packages() { [ ! -e /srv/shop/node_modules/typescript ] && [ ! -e /srv/shop/node_modules/vite ]; }

check 'the shop shows its home page after the update' home_page
check 'the service makes sizes of an image that a command imported' image
check 'a command that runs as root is refused with the command to use' command_as_root
check 'the data and the backups belong to the shop' data_owner
check 'other users cannot enter the data folder' data_private
check 'other users cannot read the database or its backups' database_private
check 'the shop cannot write to its program' program_not_writable
check 'the service sees its program in a read-only file system' program_read_only
check 'the service can write to its data folder' state_writable
check 'the service runs as the shop' service_user
check 'the service has no privileges' no_privileges
check 'other users cannot read the configuration' env_private
check 'no development packages are left' no_development_packages
exit "$failed"
