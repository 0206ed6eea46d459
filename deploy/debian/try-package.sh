#!/bin/sh
# Installs, runs and removes /parts/package.deb on this machine: a part of check.sh, which calls it in a copy of the file system.
set -eu
cd /

fail() { echo "FAILED: $1"; exit 1; }
ok() { echo "ok: $1"; }
gone() { for path; do [ ! -e "$path" ] && [ ! -L "$path" ] || fail "$path is still there"; done; }
owned() { [ "$(stat -c '%U:%G %a' "$1")" = "$2" ] || fail "$1 is $(stat -c '%U:%G %a' "$1"), expected $2"; }

# Node.js need not come from a Debian package where this runs.
dpkg --force-depends --install /parts/package.deb >/install.log 2>&1 || { cat /install.log; fail 'dpkg --install'; }
owned /var/lib/switchyard 'switchyard:switchyard 750'
owned /etc/switchyard/svc.conf 'root:switchyard 640'
[ -L /etc/systemd/system/multi-user.target.wants/switchyard.service ] || fail 'switchyard.service is not enabled'
found=$(find /usr/lib/switchyard \( -name '*.d.ts' -o -name '*.map' -o -name typescript -o -path '*/prebuilds/win32*' \) | head -3)
[ -z "$found" ] || fail "not needed at run time: $found"
# The image has the same files, besides about 131 MB for git and Python. Its own layers have to stay below 250 MB.
megabytes=$(du -sm --apparent-size /usr/lib/switchyard | cut -f 1)
[ "$megabytes" -le 60 ] || fail "/usr/lib/switchyard has $megabytes MB, expected at most 60"
grep -q '"bomFormat": "CycloneDX"' /usr/share/doc/switchyard/sbom.cdx.json || fail 'the list of components is missing'
ok "installed, $megabytes MB"

cd /usr/lib/systemd/system
# shellcheck disable=SC2012 # Names of units have no special characters.
said=$(systemd-analyze verify switchyard.service switchyard-services.target switchyard@api.service switchyard@action-runner.service 2>&1) ||
  fail "systemd-analyze verify: $said"
[ -z "$said" ] || fail "systemd-analyze verify: $said"
cd /
ok 'units verified'

# Runs a command as the unit does: its user, its environment, its directory.
unit=/usr/lib/systemd/system/switchyard.service
of_unit() { sed -n "s/^$1=//p" "$unit"; }
ports=$(node -e '
  const servers = [1, 2, 3].map(() => require("node:net").createServer().listen(0, "127.0.0.1"));
  setTimeout(() => { console.log(servers.map((each) => each.address().port).join(" ")); process.exit(); }, 100);')
# shellcheck disable=SC2086 # Three numbers.
set -- $ports
api=$1 auth=$2 stream=$3
cat >/as-unit <<END
#!/bin/sh
cd $(of_unit WorkingDirectory)
exec setpriv --reuid $(of_unit User) --regid $(of_unit Group) --clear-groups env -i PATH="$PATH" HOME=/var/lib/switchyard \
  $(of_unit Environment) SVC_API__PORT=$api SVC_AUTH__PORT=$auth SVC_STREAM__PORT=$stream SVC_API_URL=http://127.0.0.1:$api/v1 \
  SVC_AUTH_URL=http://127.0.0.1:$auth SVC_STREAM_URL=http://127.0.0.1:$stream/v1 "\$@"
END
chmod +x /as-unit
start_system() {
  # Not the lines of an earlier start.
  : >/system.log
  # shellcheck disable=SC2046 # The words of ExecStart.
  /as-unit $(of_unit ExecStart) >>/system.log 2>&1 &
  system=$!
  for _ in $(seq 600); do
    ! grep -q 'self-check passed' /system.log || return 0
    kill -0 "$system" 2>/dev/null || break
    sleep 0.1
  done
  cat /system.log
  fail 'the system does not start'
}
stop_system() {
  kill -TERM "$system"
  wait "$system" || fail "the system ended with $?"
}

start_system
/as-unit svc login svcadmin -p 'Ch@ngeMe' >/dev/null || fail 'svc login'
/as-unit svc run core.local cmd='id -un' >/run.log || { cat /run.log; fail 'an action'; }
grep -q '^ *stdout: switchyard$' /run.log || { cat /run.log; fail 'the action ran as another user'; }
/as-unit st2-register-content --register-pack /var/lib/switchyard/packs/default >/dev/null || fail 'st2-register-content'
/as-unit st2ctl status >/run.log || { cat /run.log; fail 'st2ctl status'; }
chmod -R go+rX /parts
/as-unit /parts/client/node_modules/.bin/svc run core.local cmd='echo alone' >/run.log || { cat /run.log; fail 'svc of the npm package'; }
grep -q '^ *stdout: alone$' /run.log || { cat /run.log; fail 'svc of the npm package'; }
said=$(/as-unit /parts/client/node_modules/.bin/svc up 2>&1) && fail 'svc of the npm package started services'
[ "$said" = 'ERROR: This command works on the machine of the services: install the whole system there.' ] || fail "svc up: $said"
stop_system
/as-unit st2-validate-pack -p /usr/lib/switchyard/packs/examples >/run.log || { cat /run.log; fail 'st2-validate-pack'; }
ok 'ran an action'

echo '# changed' >>/etc/switchyard/svc.conf
dpkg --force-depends --install /parts/package.deb >/install.log 2>&1 || { cat /install.log; fail 'installing it again'; }
grep -q '^# changed$' /etc/switchyard/svc.conf || fail 'the configuration was replaced'
owned /etc/switchyard/svc.conf 'root:switchyard 640'
start_system
/as-unit svc execution list -j >/run.log || fail 'svc after installing again'
grep -q core.local /run.log || fail 'the history is lost'
stop_system
ok 'installed again, with its history'

dpkg --remove switchyard >/install.log 2>&1 || { cat /install.log; fail 'dpkg --remove'; }
gone /usr/lib/switchyard /usr/bin/svc /usr/bin/st2ctl "$unit" /usr/share/doc/switchyard
grep -q '^# changed$' /etc/switchyard/svc.conf || fail 'the configuration was removed'
ok 'removed'

dpkg --purge switchyard >/install.log 2>&1 || { cat /install.log; fail 'dpkg --purge'; }
gone /etc/switchyard /etc/systemd/system/multi-user.target.wants/switchyard.service
[ -d /var/lib/switchyard/store ] || fail 'the store was removed'
ok 'purged, with its data kept'
