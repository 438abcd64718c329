#!/bin/sh
# Make sure that a browser for the tests is there: the system's, Debian's package, or Playwright's own download.
set -e
python=$1
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
  if command -v $name >/dev/null; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium ..."
  apt-get update -qq >/dev/null || true
  # the shell has no windows and takes half the time; older systems have the whole browser only
  for name in chromium-headless-shell chromium; do
    if apt-get install -y -qq $name >/dev/null; then exit 0; fi
  done
fi
exec "$python" -m playwright install chromium
