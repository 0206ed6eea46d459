// Loaded into each process of the system before its program: SIGUSR2 collects garbage. Otherwise the memory of a process
// depends more on when V8 collects than on what the process keeps.
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { runInNewContext } from 'node:vm';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => {
    // A usual collection leaves most of a heap that was full once mapped: some live objects on many pages.
    setFlagsFromString('--compact-on-every-full-gc');
    collect();
    setFlagsFromString('--no-compact-on-every-full-gc');
  });
}
