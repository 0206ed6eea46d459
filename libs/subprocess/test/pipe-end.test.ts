import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { PipeEnd } from '@switchyard/subprocess';
import { makePipes } from '../src/process-output';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const open = (fd: number, flags: number) => openSync(`/proc/self/fd/${fd}`, flags);

/** The reading end of a pipe that holds a text. The writing end stays open if asked. */
function pipeWith(text: string, staysOpen = false): { reader: number; writer: number } {
  const [reader] = makePipes(1)!;
  const writer = open(reader!, O_WRONLY);
  writeSync(writer, text);
  if (!staysOpen) closeSync(writer);
  return { reader: reader!, writer };
}

(process.platform === 'linux' ? describe : describe.skip)('the end of a pipe', () => {
  it('is read and closed when its process has ended', async () => {
    const chunks: string[] = [];
    const { reader } = pipeWith('out');
    const pump = new PipeEnd(reader).pump(Promise.resolve(), (chunk) => void chunks.push(chunk.toString()));
    await pump.finished;
    expect([chunks, pump.isBusy()]).toEqual([['out'], false]);
    expect(() => fstatSync(reader)).toThrow('EBADF');
  });

  it('does not touch a file that has got its descriptor since', async () => {
    const other = pipeWith('of another', true);
    const { reader } = pipeWith('out');
    const pump = new PipeEnd(reader).pump(Promise.resolve(), () => undefined);
    await pump.finished;
    const opened: number[] = [];
    while (!opened.includes(reader)) opened.push(open(other.reader, O_RDONLY | O_NONBLOCK));
    pump.abandon();
    await delay(20);
    const buffer = Buffer.alloc(20);
    expect(buffer.toString('utf8', 0, readSync(reader, buffer))).toBe('of another');
    [...opened, other.reader, other.writer].forEach((fd) => closeSync(fd));
  });

  it('waits for a busy receiver, and for processes that were left running', async () => {
    let goOn = () => {};
    const chunks: string[] = [];
    const { reader, writer } = pipeWith('first', true);
    const pump = new PipeEnd(reader).pump(Promise.resolve(), (chunk) => {
      chunks.push(chunk.toString());
      return chunks.length > 1 ? undefined : new Promise<void>((resolve) => (goOn = resolve));
    });
    await delay(5);
    writeSync(writer, 'second');
    await delay(5);
    expect([chunks, pump.isBusy()]).toEqual([['first'], true]);
    goOn();
    await pump.idle();
    closeSync(writer);
    await pump.finished;
    expect(chunks).toEqual(['first', 'second']);
  });

  it('is read by a stream if its process goes on', async () => {
    const chunks: string[] = [];
    const { reader, writer } = pipeWith('first', true);
    const pump = new PipeEnd(reader).pump(new Promise(() => {}), (chunk) => void chunks.push(chunk.toString()));
    while (chunks.length === 0) await delay(5);
    closeSync(writer);
    await pump.finished;
    expect(chunks).toEqual(['first']);
  });
});
