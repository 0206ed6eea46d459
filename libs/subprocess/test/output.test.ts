import { setTimeout as delay } from 'node:timers/promises';
import { MIB } from '@switchyard/base';
import { truncationNote, type OutputStream, type ProcessOptions, type ProcessResult } from '@switchyard/subprocess';
import { isAlive, printedPids } from './processes';
import { describeWays } from './ways';

const MARKER = { name: 'SUBPROCESS_TEST_OUTPUT', value: String(process.pid) };

describeWays('the output of a child that was started', (start) => {
  const resultOf = async (options: ProcessOptions): Promise<ProcessResult> => (await start(options)).result;

  it('is kept up to a limit, with a note and a flag', async () => {
    const command = { script: 'seq 1 100000; echo short >&2' };
    const { stdout, stderr } = await resultOf({ command, maxOutputBytes: 10 });
    expect(stdout).toEqual({ text: `1\n2\n3\n4\n5\n${truncationNote(10, 588_895)}`, bytes: 588_895, truncated: true });
    expect(stderr).toEqual({ text: 'short\n', bytes: 6, truncated: false });
  });

  it('of exactly the limit is complete', async () => {
    const { stdout } = await resultOf({ command: { script: 'printf 12345' }, maxOutputBytes: 5 });
    expect(stdout).toEqual({ text: '12345', bytes: 5, truncated: false });
  });

  it('is truncated between characters', async () => {
    const { stdout } = await resultOf({ command: { script: 'printf aé你' }, maxOutputBytes: 5 });
    expect(stdout.text).toBe(`aé${truncationNote(5, 6)}`);
  });

  it('is decoded across chunk boundaries', async () => {
    const script = `printf '\\303'; sleep 0.05; printf '\\251\\360\\237'; sleep 0.05; printf '\\216\\211'`;
    expect((await resultOf({ command: { script } })).stdout.text).toBe('é🎉');
  });

  it('that is not text becomes text with replacement characters', async () => {
    const { stdout } = await resultOf({ command: { script: `printf 'a\\377\\000b'` } });
    expect(stdout).toEqual({ text: 'a\uFFFD\0b', bytes: 4, truncated: false });
  });

  it('is passed on completely, in chunks', async () => {
    const bytes = { stdout: 0, stderr: 0 };
    const onOutput = (stream: OutputStream, chunk: Buffer) => void (bytes[stream] += chunk.length);
    const command = { script: 'head -c 3000000 /dev/zero; echo err >&2' };
    await resultOf({ command, onOutput, maxOutputBytes: 1 });
    expect(bytes).toEqual({ stdout: 3_000_000, stderr: 4 });
  });

  it('waits for a slow receiver', async () => {
    let pending = 0;
    let most = 0;
    let bytes = 0;
    const onOutput = async (_stream: OutputStream, chunk: Buffer) => {
      most = Math.max(most, ++pending);
      await new Promise(setImmediate);
      bytes += chunk.length;
      pending--;
    };
    const command = { script: 'head -c 5000000 /dev/zero' };
    expect((await resultOf({ command, onOutput })).stdout.bytes).toBe(5_000_000);
    expect({ most, pending, bytes }).toEqual({ most: 1, pending: 0, bytes: 5_000_000 });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('continues if its receiver %s', async (_name, onOutput) => {
    const result = await resultOf({ command: { script: 'echo a; exit 2' }, onOutput });
    expect(result).toMatchObject({ exitCode: 2, stdout: { text: 'a\n' }, outputError: new Error('full') });
  });

  it('of 100 MB needs a limited amount of memory', async () => {
    const before = process.memoryUsage.rss();
    let peak = before;
    const onOutput = () => void (peak = Math.max(peak, process.memoryUsage.rss()));
    const command = { script: 'head -c 104857600 /dev/zero' };
    const { stdout } = await resultOf({ command, onOutput, maxOutputBytes: MIB });
    expect(stdout).toMatchObject({ bytes: 100 * MIB, truncated: true });
    expect((peak - before) / MIB).toBeLessThan(64);
  });

  it('of processes that it leaves running is not broken', async () => {
    const { stdout } = await resultOf({ command: { script: '(sleep 0.5; echo late; echo more; sleep 60) & echo $!' } });
    const [pid] = printedPids(stdout.text);
    await delay(600);
    expect(isAlive(pid!)).toBe(true);
    process.kill(pid!, 'SIGKILL');
  });

  it('of which a process that it leaves running holds only one stream is complete', async () => {
    const { stdout, stderr } = await resultOf({ command: { script: 'sleep 60 >/dev/null & echo $!; echo err >&2' } });
    const [pid] = printedPids(stdout.text);
    expect([isAlive(pid!), stderr.text]).toEqual([true, 'err\n']);
    process.kill(pid!, 'SIGKILL');
  });

  describe('of background processes is awaited if asked', () => {
    const awaiting = (script: string, timeoutMs: number) =>
      start({ command: { script }, timeoutMs, graceMs: 100, awaitsBackground: true, marker: MARKER });

    it('until they close it', async () => {
      const { result } = await awaiting('(sleep 0.6; echo late) & echo now; exit 3', 60_000);
      expect(await result).toMatchObject({ cause: 'exit', exitCode: 3, stdout: { text: 'now\nlate\n' } });
    });

    it('until the time limit, and leaves them alone', async () => {
      const { result } = await awaiting('sleep 60 & echo $!', 500);
      const ended = await result;
      const [pid] = printedPids(ended.stdout.text);
      expect(ended).toMatchObject({ cause: 'exit', exitCode: 0 });
      expect(isAlive(pid!)).toBe(true);
      process.kill(pid!, 'SIGKILL');
    });

    it('unless it is ended', async () => {
      const run = await awaiting('sleep 60 & echo $!', 60_000);
      await delay(300);
      run.end();
      const ended = await run.result;
      const [pid] = printedPids(ended.stdout.text);
      expect(isAlive(pid!)).toBe(false);
      expect(ended).toMatchObject({ cause: 'exit', exitCode: 0 });
    });
  });
});
