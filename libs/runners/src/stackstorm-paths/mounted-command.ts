import { SECOND_MS } from '@switchyard/base';
import { startProcess, type ProcessCommand } from '@switchyard/subprocess';

/** The directories and programs in place of StackStorm's paths. */
export interface MappedFolders {
  /** Directories of packs; the first that holds a pack wins. */
  readonly packs: readonly string[];
  readonly virtualenvs: string;
  readonly configs: string;
  /** Used in place of StackStorm's own Python: a path, or a name to find on the `PATH`. */
  readonly python: string;
}

/**
 * Runs in a new mount namespace. Creates `/opt/stackstorm` and runs the rest of its arguments. If `/opt` does not have
 * that directory, a new file system takes the place of `/opt`, with everything that was there; the old `/opt` stays
 * reachable as the working directory.
 */
const SET_UP = `
set -e
root=/opt/stackstorm virtualenvs=$1 configs=$2 python=$(command -v "$3") packs=$4
shift 4
before=$PWD
if [ -d $root ]; then
  mount -t tmpfs stackstorm $root
else
  cd /opt
  mount -t tmpfs -o mode=755 stackstorm /opt
  for entry in * .[!.]*; do
    if [ -L "$entry" ]; then cp -P "$entry" /opt/
    elif [ -d "$entry" ]; then mkdir "/opt/$entry"; mount -c --rbind "$entry" "/opt/$entry"
    elif [ -e "$entry" ]; then : > "/opt/$entry"; mount -c --bind "$entry" "/opt/$entry"
    fi
  done
  mkdir $root
fi
mkdir -p $root/packs $root/st2/bin
ln -s "$virtualenvs" $root/virtualenvs
ln -s "$configs" $root/configs
ln -s "$python" $root/st2/bin/python
ln -s "$python" $root/st2/bin/python3
IFS=:
for folder in $packs; do
  for pack in "$folder"/*; do
    [ ! -d "$pack" ] || [ -e "$root/packs/\${pack##*/}" ] || ln -s "$pack" $root/packs/
  done
done
unset IFS
cd "$before"
exec "$@"
`;

/** Wraps a command. The process id stays the same, because each program replaces the previous one. */
export function mountedCommand(command: ProcessCommand, folders: MappedFolders): ProcessCommand {
  // If it is not root, the process becomes root in its own user namespace, where it may mount.
  const namespaces = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount'];
  const { virtualenvs, configs, python, packs } = folders;
  const set = ['/bin/sh', '-c', SET_UP, 'sh', virtualenvs, configs, python, packs.join(':')];
  return { file: 'unshare', args: [...namespaces, '--', ...set, ...wordsOf(command)] };
}

function wordsOf(command: ProcessCommand): readonly string[] {
  const { args = [] } = command;
  return 'file' in command ? [command.file, ...args] : [command.shell ?? '/bin/sh', '-c', command.script, ...args];
}

const PATIENCE_MS = 20 * SECOND_MS;

/** Tries whether mounting works on this machine. @returns the reason if it does not, else undefined */
export async function whyNoMount(
  folders: MappedFolders,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const command = mountedCommand({ file: 'true' }, folders);
  const { exitCode, stderr, spawnError } = await startProcess({ command, env: environment, timeoutMs: PATIENCE_MS })
    .result;
  if (exitCode === 0) return undefined;
  return spawnError?.message ?? (stderr.text.trim() || 'unshare did not succeed');
}
