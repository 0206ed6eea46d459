import { spawn } from 'node:child_process';
import { awaitOutput } from '../src/await-output';
import { pumpOutput } from '../src/output-pump';

it('reads what lies in the pipe although this process was busy for longer than it waits', async () => {
  const child = spawn('printf', ['first\nsecond\n'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  const pump = pumpOutput(child.stdout, (chunk) => void (text += chunk.toString()));
  const waiting = awaitOutput([pump], 20);
  const end = performance.now() + 500;
  while (performance.now() < end);
  await waiting;
  expect(text).toBe('first\nsecond\n');
});
