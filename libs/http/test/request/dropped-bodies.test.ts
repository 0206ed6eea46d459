import { PassThrough } from 'node:stream';
import { KIB, MIB } from '@switchyard/base';
import { handClock } from '@switchyard/testkit/platform';
import { DroppedBodies } from '../../src/request/dropped-bodies';

const CHUNK = Buffer.alloc(64 * KIB);
const INTERVAL_MS = 25;

/** A client that has sent a large body. @param complete whether all of it has arrived */
function newBody({ chunks, complete = false }: { chunks: number; complete?: boolean }) {
  const stream = Object.assign(new PassThrough({ highWaterMark: CHUNK.length * (chunks + 1) }), { complete });
  for (let index = 0; index < chunks; index++) stream.write(CHUNK);
  return stream;
}

const leftIn = (bodies: readonly PassThrough[]): number =>
  bodies.reduce((sum, { readableLength, writableLength }) => sum + readableLength + writableLength, 0);

const settled = () => new Promise(setImmediate);

describe('the bodies of refused requests', () => {
  it('are dropped at a limited rate, all together, in turn', async () => {
    const clock = handClock();
    const dropped = new DroppedBodies(clock);
    const bodies = Array.from({ length: 40 }, () => newBody({ chunks: 16 }));
    for (const body of bodies) dropped.drop(body as never);
    await settled();
    const total = 40 * MIB;
    const first = total - leftIn(bodies);
    // A chunk of each has been read before the limit counts.
    expect(first).toBeLessThanOrEqual(MIB + 40 * CHUNK.length);
    for (let interval = 1; interval <= 20; interval++) {
      clock.advance(INTERVAL_MS);
      await settled();
      expect(total - leftIn(bodies)).toBeLessThanOrEqual(first + interval * MIB);
    }
    expect(bodies.filter((body) => leftIn([body]) > 15 * CHUNK.length)).toEqual([]);
    for (let interval = 0; interval < 60; interval++) {
      clock.advance(INTERVAL_MS);
      await settled();
    }
    expect(leftIn(bodies)).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('do not wait for a client that has stopped sending', async () => {
    const clock = handClock();
    const dropped = new DroppedBodies(clock);
    const stopped = Array.from({ length: 40 }, () => newBody({ chunks: 1 }));
    const long = newBody({ chunks: 32 });
    for (const body of [...stopped, long]) dropped.drop(body as never);
    for (let interval = 0; interval < 10; interval++) {
      await settled();
      clock.advance(INTERVAL_MS);
    }
    expect(leftIn([long])).toBe(0);
  });

  it('are not touched if they have arrived completely', async () => {
    const body = newBody({ chunks: 1, complete: true });
    new DroppedBodies(handClock()).drop(body as never);
    await settled();
    expect(leftIn([body])).toBe(CHUNK.length);
  });
});
