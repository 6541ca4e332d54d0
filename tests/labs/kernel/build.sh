#!/bin/sh
# Build a user-mode Linux kernel from Debian's source into a folder (default .kernel), and a Python
# with everything that is installed on a handheld beside it. What is there already is left alone.
set -eu
room=$(cd "$(dirname "$0")" && pwd)
cache=${1:-$room/../../../.kernel}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
series=6.12
tarball=/usr/src/linux-source-$series.tar.xz
packages="linux-source-$series flex bison bc make gcc libelf-dev libssl-dev xz-utils patch"
packages="$packages busybox-static python3-venv"

[ "$(uname -m)" = x86_64 ] || {
  echo "make kernel: user-mode Linux runs on x86_64 only, this is $(uname -m)"
  exit 1
}

install_packages() {
  command -v apt-get >/dev/null || return 1
  apt=
  [ "$(id -u)" = 0 ] || apt="sudo -n"
  $apt apt-get update -qq &&
    $apt apt-get install -y -qq --no-install-recommends $packages >/dev/null
}

made_of=$(cat "$room/linux.patch" "$room/linux.config" | sha256sum)
stale() {
  [ ! -x "$cache/linux" ] || [ "$(cat "$cache/linux.made-of" 2>/dev/null)" != "$made_of" ]
}

missing=
command -v busybox >/dev/null && [ -x /usr/bin/python3 ] || missing=1
if stale; then
  [ -e $tarball ] && command -v flex bison bc make gcc patch >/dev/null || missing=1
fi
[ -z "$missing" ] || install_packages 2>/dev/null || {
  echo "make kernel: on Debian install, as root: apt-get install $packages"
  exit 1
}

if stale; then
  echo "building a kernel in $cache (once; five minutes on two idle cores)"
  rm -rf "$cache/source"
  mkdir "$cache/source"
  tar xf $tarball -C "$cache/source" --strip-components=1
  cd "$cache/source"
  patch -s -p1 <"$room/linux.patch"
  {
    make ARCH=um defconfig
    while read -r option value; do
      case $option in
      '' | '#'*) ;;
      *) ./scripts/config --set-val "$option" "$value" ;;
      esac
    done <"$room/linux.config"
    make ARCH=um olddefconfig
    make ARCH=um -j"$(nproc)" linux
  } >"$cache/build.log" 2>&1 || {
    echo "make kernel: the build failed, see $cache/build.log"
    exit 1
  }
  strip -o "$cache/linux" linux
  echo "$made_of" >"$cache/linux.made-of"
  cd "$cache"
  rm -rf "$cache/source"
fi

# Debian's Python has Bluetooth sockets, which not every other has.
if [ ! -e "$cache/venv/.installed" ] || [ "$room/../../../pyproject.toml" -nt "$cache/venv/.installed" ]; then
  echo "setting up $cache/venv (once, about a minute)"
  /usr/bin/python3 -m venv "$cache/venv"
  "$cache/venv/bin/python" -m pip --disable-pip-version-check -q install -e "$room/../../../steckbrett" -e "$room/../../..[dev]"
  touch "$cache/venv/.installed"
fi
