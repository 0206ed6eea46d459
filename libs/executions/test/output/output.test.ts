import { deferred, KIB, MIB } from '@switchyard/base';
import { createOutputWriter, outputView, readOutput, wantsOutput, type OutputWriter } from '@switchyard/executions';
import type { ExecutionRecord, OutputRecord } from '@switchyard/model';
import {
  aChunk,
  anExecution,
  handClock,
  leakCheck,
  openTestPlatform,
  type HandClock,
} from '@switchyard/testkit/platform';
import type { OutputWriterOptions } from '../../src/output';

interface Bench {
  writer: OutputWriter;
  clock: HandClock;
  /** The chunks stored so far, one list per write. */
  writes: OutputRecord[][];
  announced: OutputRecord[];
  warnings: string[];
  /** Writes wait for this promise. */
  store: { gate?: Promise<void>; failure?: Error };
}

function bench(record: ExecutionRecord = anExecution(), options: OutputWriterOptions = {}): Bench {
  const clock = handClock();
  const made = { clock, writes: [] as OutputRecord[][], announced: [] as OutputRecord[], warnings: [] as string[] };
  const store: Bench['store'] = {};
  const writer = createOutputWriter(
    {
      clock,
      output: {
        async append(chunks) {
          await store.gate;
          if (store.failure) throw store.failure;
          made.writes.push(structuredClone(chunks) as OutputRecord[]);
        },
      },
      announce: { output: (chunks) => void made.announced.push(...chunks) },
      logger: { warn: (message) => void made.warnings.push(message) },
    },
    record,
    options,
  );
  return { ...made, writer, store };
}

const parts = (writes: OutputRecord[][]) => writes.flat().map(({ output_type, data }) => [output_type, data]);
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the output writer', () => {
  leakCheck();

  it('collects for 50 ms', async () => {
    const { writer, clock, writes } = bench();
    void writer.write('stdout', 'one ');
    clock.advance(49);
    void writer.write('stdout', 'two');
    await settled();
    expect(writes).toEqual([]);
    clock.advance(1);
    await settled();
    expect(parts(writes)).toEqual([['stdout', 'one two']]);
    void writer.write('stdout', 'three');
    clock.advance(50);
    await settled();
    expect(writes.flat().map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(clock.pending).toBe(0);
  });

  it('writes at once on request', async () => {
    const { writer, clock, writes } = bench();
    void writer.write('output', 'now');
    await writer.flush();
    expect(parts(writes)).toEqual([['output', 'now']]);
    expect(clock.pending).toBe(0);
    await writer.flush();
    expect(writes).toHaveLength(1);
  });

  it('fills the buffer before each write, and writes the rest at the end', async () => {
    const { writer, clock, writes } = bench(anExecution(), { bufferBytes: 8 });
    void writer.write('stdout', 'äöü');
    clock.advance(60_000);
    void writer.write('stderr', '!');
    await settled();
    expect([writes, clock.pending]).toEqual([[], 0]);
    void writer.write('stdout', 'x');
    await settled();
    expect(writes.map((chunks) => parts([chunks]))).toEqual([
      [
        ['stdout', 'äöü'],
        ['stderr', '!'],
        ['stdout', 'x'],
      ],
    ]);
    void writer.write('stdout', 'rest');
    await writer.finish();
    expect(parts(writes).at(-1)).toEqual(['stdout', 'rest']);
  });

  it('collects more than one chunk in a larger buffer', async () => {
    const { writer, writes } = bench(anExecution(), { bufferBytes: 100 * KIB });
    void writer.write('stdout', 'x'.repeat(99 * KIB));
    await settled();
    expect(writes).toEqual([]);
    void writer.write('stdout', 'x'.repeat(KIB));
    await settled();
    expect(writes.map((chunks) => chunks.map(({ data }) => data.length))).toEqual([[64 * KIB, 36 * KIB]]);
    await writer.finish();
  });

  it.each([-1, 0])('delivers at once with a buffer of %d', async (bufferBytes) => {
    const { writer, clock, writes } = bench(anExecution(), { bufferBytes });
    void writer.write('stdout', 'x');
    clock.advance(50);
    await settled();
    expect(parts(writes)).toEqual([['stdout', 'x']]);
  });

  it('keeps the order, and starts a new chunk when the type changes', async () => {
    const { writer, writes } = bench();
    for (const [type, text] of [
      ['stdout', 'a'],
      ['stdout', 'b'],
      ['stderr', 'c'],
      ['stdout', 'd'],
      ['output', 'e'],
    ] as const)
      void writer.write(type, text);
    await writer.finish();
    expect(parts(writes)).toEqual([
      ['stdout', 'ab'],
      ['stderr', 'c'],
      ['stdout', 'd'],
      ['output', 'e'],
    ]);
  });

  it('writes chunks of at most 64 kB, each as soon as it is full', async () => {
    const { writer, writes, clock } = bench();
    void writer.write('stdout', 'x'.repeat(200 * KIB));
    await settled();
    expect(writes.flat().map(({ data }) => data.length)).toEqual([64 * KIB, 64 * KIB, 64 * KIB]);
    await writer.finish();
    expect(writes.flat().map(({ data }) => data.length)).toEqual([64 * KIB, 64 * KIB, 64 * KIB, 8 * KIB]);
    expect(clock.pending).toBe(0);
  });

  it('does not split characters, neither in input bytes nor between chunks', async () => {
    const { writer, writes } = bench();
    const text = `a${'🐎ž'.repeat(30_000)}`;
    void writer.write('stdout', text);
    const bytes = Buffer.from('€🐎');
    for (const byte of bytes) void writer.write('stderr', Buffer.of(byte));
    await writer.finish();
    const all = writes.flat();
    expect(
      all
        .filter(({ output_type: type }) => type === 'stdout')
        .map(({ data }) => data)
        .join(''),
    ).toBe(text);
    expect(
      all
        .filter(({ output_type: type }) => type === 'stderr')
        .map(({ data }) => data)
        .join(''),
    ).toBe('€🐎');
    expect(all.every(({ data }) => Buffer.from(data).toString() === data)).toBe(true);
  });

  it('writes the bytes of an incomplete character at the end', async () => {
    const { writer, writes } = bench();
    void writer.write('stdout', Buffer.from('€').subarray(0, 2));
    await writer.finish();
    expect(parts(writes)).toEqual([['stdout', '\uFFFD']]);
  });

  it('applies backpressure while much output is unwritten', async () => {
    const { writer, store } = bench();
    const gate = deferred();
    store.gate = gate.promise;
    let asked: void | Promise<void> = undefined;
    let written = 0;
    for (; asked === undefined && written < 10 * MIB; written += 128 * KIB)
      asked = writer.write('stdout', 'x'.repeat(128 * KIB));
    expect(written).toBeLessThan(2 * MIB);
    gate.resolve();
    await asked;
    expect(writer.write('stdout', 'y')).toBeUndefined();
    await writer.finish();
  });

  it('announces stored chunks, and drops chunks that cannot be stored', async () => {
    const { writer, store, announced, warnings, writes } = bench();
    void writer.write('stdout', 'x'.repeat(64 * KIB));
    await settled();
    expect(announced).toHaveLength(1);
    store.failure = new Error('no disk');
    void writer.write('stdout', 'y'.repeat(64 * KIB));
    await settled();
    delete store.failure;
    void writer.write('stdout', 'z');
    await writer.finish();
    expect(warnings).toEqual(['Failed to store output of an execution.']);
    expect(writes.flat().map(({ data }) => data[0])).toEqual(['x', 'z']);
  });

  it('continues the numbering of an earlier run', async () => {
    const run = { timestamp: 1 };
    const log = (['requested', 'scheduled', 'running', 'requested', 'scheduled', 'running'] as const).map((status) => ({
      status,
      ...run,
    }));
    const first = bench(anExecution({ log: log.slice(0, 3) }));
    const second = bench(anExecution({ log }));
    for (const { writer } of [first, second]) {
      void writer.write('stdout', 'x');
      await writer.finish();
    }
    expect(first.writes[0]![0]!.sequence).toBe(1);
    expect(second.writes[0]![0]!.sequence).toBeGreaterThan(1_000_000);
    expect(Number.isSafeInteger(second.writes[0]![0]!.sequence)).toBe(true);
  });
});

describe('the output reader', () => {
  it.each([
    ['all', ['stdout', 'stderr', 'output', 'log']],
    ['stdout', ['stdout']],
    ['other', ['output', 'log']],
    ['log', ['log']],
    ['nothing', []],
  ])('selects for %p the types %p', (wanted, taken) =>
    expect(['stdout', 'stderr', 'output', 'log'].filter((type) => wantsOutput(wanted, type))).toEqual(taken),
  );

  it('reads page by page, past chunks of other types', async () => {
    const platform = await openTestPlatform();
    try {
      const execution_id = anExecution()._id;
      const chunk = (n: number) =>
        aChunk({ execution_id, sequence: n, output_type: n === 450 ? 'stderr' : 'stdout', data: String(n) });
      await platform.store.output.append(Array.from({ length: 450 }, (_, n) => chunk(n + 1)));
      const read = async (options?: { type?: string; after?: number }) => {
        const found: string[] = [];
        for await (const { data } of readOutput(platform.store.output, execution_id, options)) found.push(data);
        return found;
      };
      expect(await read()).toEqual(Array.from({ length: 450 }, (_, n) => String(n + 1)));
      expect(await read({ type: 'stderr' })).toEqual(['450']);
      expect(await read({ after: 447, type: 'stdout' })).toEqual(['448', '449']);
      expect(await read({ after: 450 })).toEqual([]);
    } finally {
      await platform.close();
    }
  });

  it('shows a chunk without its number', () => {
    const chunk = aChunk({ timestamp: 0 });
    expect(outputView(chunk)).toEqual({
      id: chunk._id,
      execution_id: chunk.execution_id,
      output_type: 'stdout',
      data: 'text',
      timestamp: '1970-01-01T00:00:00.000000Z',
      action_ref: 'tests.action',
      runner_ref: 'manual',
    });
  });
});
