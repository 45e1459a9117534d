#!/usr/bin/env bash
# Makes the two base images, runs the page and the checks, and removes the containers.
# Usage: run.sh <folder with base/, repository/ and page.sh>
set -euo pipefail
cd "$1"
# The networks of containers are not in the folder.
trap 'cd "$1/shop" 2> /dev/null && docker compose down --volumes > /dev/null 2>&1; podman system reset --force > /dev/null 2>&1' EXIT

debootstrap --variant=minbase --include=ca-certificates bookworm debian http://deb.debian.org/debian > debootstrap.log
tar -C debian -c . | podman import --quiet - docker.io/library/debian:bookworm-slim
podman build --quiet --tag docker.io/library/node:22-bookworm-slim base

# One shell, as for a person who types the page, so that folder and variables persist.
bash -euo pipefail page.sh

cd shop
failed=0
check() {
  local what=$1
  shift
  if "$@" > check.log 2>&1; then
    echo "ok    $what"
  else
    failed=1
    echo "FAIL  $what"
    sed 's/^/      /' check.log
  fi
}
container=$(podman ps --quiet --filter name=shop)
home_page() { curl --silent --fail --retry 30 --retry-delay 1 --retry-all-errors http://127.0.0.1:3000/ | grep -q 'River Cups'; }
read_only() { ! podman exec "$container" touch /srv/shop/written; }
service_user() { [ "$(podman exec "$container" id -u)" = 10001 ]; }
no_privileges() { podman exec "$container" grep -q '^CapBnd:[[:space:]]*0000000000000000$' /proc/1/status; }
no_npm() { ! podman exec "$container" sh -c 'command -v npm'; }
backup() { [ -s "backups/shop-$(date +%F).db" ]; }
stops() { podman stop --time 10 "$container" && [ "$(podman inspect --format '{{.State.ExitCode}}' "$container")" = 0 ]; }

check 'the shop shows its home page after the update' home_page
check 'the image says by itself that the shop is ready' podman healthcheck run "$container"
check 'the program is read-only' read_only
check 'the shop runs as a user without privileges' service_user
check 'the shop has no capabilities' no_privileges
check 'the image has no npm' no_npm
check 'the backup is a file of this machine' backup
check 'the shop ends by itself when it is stopped' stops
exit "$failed"
