#!/usr/bin/env bash
# Runs the page and the checks in mount and process namespaces of their own. Nothing of the machine changes:
# changes to /etc, /usr, /var and /tmp stay in memory, and /srv is a temporary folder.
# Usage: namespace.sh <folder with repository/, page.sh and these scripts>
set -euo pipefail

mount --bind "$1" /mnt
mkdir -p /mnt/srv /mnt/memory
mount -t tmpfs tmpfs /mnt/memory
for folder in etc usr var; do
  mkdir -p "/mnt/memory/$folder/upper" "/mnt/memory/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=/mnt/memory/$folder/upper,workdir=/mnt/memory/$folder/work" "/$folder"
done
mount --bind /mnt/srv /srv
mount -t tmpfs -o mode=1777 tmpfs /tmp
# A user or a shop of the machine itself would interfere.
userdel shop 2> /dev/null || true
rm -rf /var/lib/shop /var/backups/shop

export PATH="/mnt/bin:$PATH"
unset NODE_ENV DATA_DIR DATABASE_URL PUBLIC_URL DEMO BRAND WEB_BUILD
cd /
# One shell, as for a person who types the page, so that folder and variables persist.
set +e
(bash -euo pipefail /mnt/page.sh && bash /mnt/bin/checks.sh)
code=$?
if [ "$code" -ne 0 ] && [ -f /mnt/shop.log ]; then
  echo "The log of the service ends with:"
  tail -20 /mnt/shop.log
fi
systemctl stop shop
exit "$code"
