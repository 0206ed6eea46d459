#!/bin/sh
# Builds the Debian package and the npm package of svc, and tries them: installs the Debian package, checks its units, starts the system,
# runs an action with either svc, installs it again, removes and purges it. All of this is done in a copy of the file system of
# this machine, which is in memory; the machine itself is not changed. As root, on Debian.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
checkout=$(dirname -- "$(dirname -- "$here")")
[ "$(id -u)" = 0 ] || { echo 'Installing the package needs root.'; exit 1; }
parts=$(mktemp -d) copy=$(mktemp -d)
trap 'rm -rf "$parts" "$copy"' EXIT

# Compressed a little only, since this package is not kept.
package=$(DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1 node "$here/build.mjs" --output "$parts")
mv "$package" "$parts/package.deb"
echo "built $(basename "$package"), $(($(stat -c %s "$parts/package.deb") / 1000000)) MB"
client=$(node "$here/../npm/build.mjs" --output "$parts")
npm install --silent --offline --no-audit --no-fund --prefix "$parts/client" "$client"
[ "$(ls "$parts/client/node_modules")" = @switchyard ] || { echo 'The npm package needs other packages.'; exit 1; }
echo "built $(basename "$client"), $(($(stat -c %s "$client") / 1000)) kB"
cp "$here/try-package.sh" "$parts"

cat >"$parts/prepare.sh" <<'END'
set -eu
parts=$1 copy=$2 checkout=$3
mount -t tmpfs tmpfs "$copy"
mkdir "$copy/changes" "$copy/overlay" "$copy/root"
mount -t overlay -o "lowerdir=/,upperdir=$copy/changes,workdir=$copy/overlay" overlay "$copy/root"
mount -t proc proc "$copy/root/proc"
mount --bind /dev "$copy/root/dev"
cp -R "$parts" "$copy/root/parts"
# Without the checkout, so that nothing of it can be used.
mount -t tmpfs tmpfs "$copy/root$checkout"
exec chroot "$copy/root" /usr/bin/env -i PATH="$PATH" LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh /parts/try-package.sh
END
unshare --mount --pid --fork --kill-child sh "$parts/prepare.sh" "$parts" "$copy" "$checkout"
