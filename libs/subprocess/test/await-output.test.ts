import { spawn } from 'node:child_process';
import { awaitOutput, pumpOutput } from '../src/process-output';

it('awaitOutput reads the rest of a pipe even if this process was busy for longer than the limit', async () => {
  const child = spawn('printf', ['first\nsecond\n'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  const pump = pumpOutput(child.stdout, (chunk) => void (text += chunk.toString()));
  const waiting = awaitOutput([pump], 20);
  const end = performance.now() + 500;
  while (performance.now() < end);
  await waiting;
  expect(text).toBe('first\nsecond\n');
});
