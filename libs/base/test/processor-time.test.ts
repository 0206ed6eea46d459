import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownProcessorClock, processorMsOf, threadId } from '../src/processor-time';

const clock = ownProcessorClock();
const whereItIsTold = clock === undefined ? describe.skip : describe;

whereItIsTold('the processor time of a thread', () => {
  const now = clock!;

  it('grows while it works', () => {
    const before = now();
    const endMs = performance.now() + 30_000;
    let sum = 0;
    while (now() - before < 20 && performance.now() < endMs) sum += 1;
    expect(sum).toBeGreaterThan(0);
    expect(now() - before).toBeGreaterThanOrEqual(20);
  });

  it('stands still while it waits', () => {
    const [before, beforeMs] = [now(), performance.now()];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    expect(performance.now() - beforeMs).toBeGreaterThan(250);
    expect(now() - before).toBeLessThan(150);
  });

  it('can be read by thread number', () => {
    const before = now();
    expect(processorMsOf(threadId())).toBeGreaterThanOrEqual(before);
  });
});

it('is unknown if the kernel reports zero', () => {
  const folder = mkdtempSync(join(tmpdir(), 'statistics-'));
  try {
    writeFileSync(join(folder, 'schedstat'), '0 0 0\n');
    expect(ownProcessorClock(join(folder, 'schedstat'))).toBeUndefined();
    expect(ownProcessorClock(join(folder, 'none'))).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('is unknown for a missing thread', () => {
  expect(processorMsOf(undefined)).toBeUndefined();
  expect(processorMsOf(999_999_999)).toBeUndefined();
});
