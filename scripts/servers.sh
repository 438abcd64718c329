#!/bin/sh
# Install the programs named here that are missing: HAProxy for `make class`, PostgreSQL for the tests of classes.
for name in "$@"; do
  if command -v "$name" >/dev/null || ls /usr/lib/postgresql/*/bin/"$name" >/dev/null 2>&1; then continue; fi
  case $name in initdb) package=postgresql ;; *) package=$name ;; esac
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing $package ..."
    apt-get update -qq >/dev/null || true
    apt-get install -y -qq --no-install-recommends "$package" >/dev/null && continue
  fi
  echo "$package is not installed: install it with your system's packages (Debian: apt install $package)." >&2
  missing=1
done
[ -z "$missing" ] || [ "$OPTIONAL" = 1 ]
