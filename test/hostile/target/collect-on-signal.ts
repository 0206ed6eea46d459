// Loaded into each process of the system before its program: SIGUSR2 collects garbage. Without that, how much memory a
// process holds says more about when V8 collects than about what the process keeps.
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { runInNewContext } from 'node:vm';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => collect());
}
