// `COUNT AT_A_TIME` as arguments: runs `sh -c` that often from a Node.js process with nothing else in it, and prints the
// milliseconds of each and of all as JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

async function main(count: number, atATime: number): Promise<void> {
  const times: number[] = [];
  let started = 0;
  const runOneByOne = async () => {
    while (started < count) {
      started++;
      const start = performance.now();
      await once(spawn('sh', ['-c', 'echo hello'], { stdio: ['ignore', 'ignore', 'ignore'] }), 'close');
      times.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: atATime }, runOneByOne));
  console.log(JSON.stringify({ times, total: performance.now() - start }));
}

const [count = 0, atATime = 0] = process.argv.slice(2).map(Number);
void main(count, atATime);
