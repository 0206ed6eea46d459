import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { killMarked, startProcess, type ChildRun, type EnvironmentMarker } from '@switchyard/subprocess';
import { rounds } from '@switchyard/testkit/rounds';
import { SIGNAL_SCRIPT } from '../src/end-descendants';
import { survivors } from '../src/survivors';
import { isAlive, printedPids } from './processes';

/** Number of attempts, because the races under test do not occur in each one. */
const ROUNDS = rounds(4);
const LONG_MS = 180_000 + ROUNDS * 2_000;

const hasPython = spawnSync('python3', ['-c', '']).status === 0;
if (!hasPython) console.info('python3 is missing: two kinds of processes are left out.');
const itInPython = hasPython || process.env['CI'] === 'true' ? it : it.skip;

interface Family {
  readonly run: ChildRun;
  readonly marker: EnvironmentMarker;
  /** Output of the first process. */
  readonly printed: Promise<string>;
  /** Resolves when no process with an inherited descriptor 3 is left. */
  readonly everybodyGone: Promise<unknown>;
}

const markers: EnvironmentMarker[] = [];

function start(script: string, ...args: string[]): Family {
  let tell: (text: string) => void;
  const printed = new Promise<string>((resolve) => (tell = resolve));
  const marker = { name: 'SUBPROCESS_TEST_ESCAPE', value: randomUUID() };
  markers.push(marker);
  const onOutput = (_stream: string, chunk: Buffer) => tell(chunk.toString());
  const run = startProcess({ command: { script, args: ['sh', ...args] }, channels: 1, marker, onOutput });
  return { run, marker, printed, everybodyGone: once(run.channels[0]!.resume(), 'end') };
}

const findMarked = async (marker: EnvironmentMarker): Promise<number[]> =>
  (await survivors({ marker })).map(({ pid }) => pid);

/** The processes that the script for other users would signal. */
async function findByScript({ name, value }: EnvironmentMarker): Promise<number[]> {
  const script = `kill() { echo "$3"; }\n${SIGNAL_SCRIPT}`;
  const args = ['sh', 'TERM', '', `${name}=${value}`];
  return printedPids((await startProcess({ command: { script, args } }).result).stdout.text);
}

const searches = [
  ['its own search', findMarked, ROUNDS],
  ['the script for processes of other users', findByScript, Math.ceil(ROUNDS / 5)],
] as const;

/** Closes the streams that a run waits for, but not descriptor 3. */
const ALOOF = '<&- >&- 2>&-';

/** Starts processes in new sessions as fast as possible, up to a limit in case nothing ends it. */
const fugitives = [
  ['a shell in the group', `for i in $(seq 300); do setsid sleep 600 ${ALOOF} & echo; done; wait`],
  [
    'a shell in its own session',
    `echo 'for i in $(seq 300); do setsid sleep 600 & done; wait' | setsid sh >&- 2>&- & echo; wait`,
  ],
  [
    'sessions that each start the next one and are gone',
    `export next='[ $1 -lt 300 ] || exec sleep 600; setsid sh -c "$next" sh $(($1 + 1)) &'
     setsid sh -c "$next" sh 1 ${ALOOF} & echo; exec sleep 600`,
  ],
] as const;

/** Executes another program again and again in its own session. Many arguments ($1) make this slow. */
const CHANGELING = `
  again='echo $$; exec sh -c "$0" "$0" "$@"'
  setsid sh -c "$again" "$again" $(yes 0 | head -n "$1") & wait`;

/** Its main thread ends, and another one continues. */
const HEADLESS = `setsid python3 -c '
import ctypes, os, platform, threading, time
def go_on():
    while ") Z " not in open("/proc/self/stat").read(): time.sleep(0.001)
    print(os.getpid(), flush=True)
    time.sleep(600)
threading.Thread(target=go_on).start()
ctypes.CDLL(None).syscall(60 if platform.machine() == "x86_64" else 93, 0)' & wait`;

describe.each(searches)('the search for a marker by %s', (_name, find, rounds) => {
  it.each([1000, 3000, 5000])('finds a process that executes another program with %d arguments', async (size) => {
    const { run, marker, printed, everybodyGone } = start(CHANGELING, String(size));
    const [pid] = printedPids(await printed);
    for (let round = 0; round < rounds; round++) expect(await find(marker)).toContain(pid);
    run.end({ graceMs: 0 });
    await Promise.all([run.result, everybodyGone]);
  });

  itInPython('finds a process that has lost its main thread', async () => {
    const { run, marker, printed } = start(HEADLESS);
    const [pid] = printedPids(await printed);
    expect(await find(marker)).toContain(pid);
    run.end({ graceMs: 0 });
    expect(await run.result).toMatchObject({ cause: 'cancel', survivors: [] });
  });

  it('skips a process without an environment', async () => {
    const { run, marker, printed } = start('setsid env -i sh -c "echo \\$\\$; exec sleep 600" & wait');
    const [pid] = printedPids(await printed);
    expect(await find(marker)).toEqual([run.identity!.pid]);
    process.kill(pid!, 'SIGKILL');
    run.end({ graceMs: 0 });
    await run.result;
  });
});

describe('a process that executes another program again and again', () => {
  it.each<[string, (family: Family) => unknown]>([
    ['a cancellation with much time', ({ run }) => run.end({ graceMs: 600_000 })],
    ['the end of all with its marker', ({ marker }) => killMarked(marker)],
  ])(
    'gets the signal of %s',
    async (_name, end) => {
      for (let round = 0; round < ROUNDS; round++) {
        const family = start(CHANGELING, String(1000 * (1 + (round % 10))));
        await family.printed;
        await end(family);
        await Promise.all([family.run.result, family.everybodyGone]);
      }
    },
    LONG_MS,
  );
});

/** Takes long to die, because it has a lot of memory to release. */
const BULKY = `setsid python3 -c '
import mmap, os, time
MAP_POPULATE = 0x8000
room = mmap.mmap(-1, 2 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_POPULATE, prot=mmap.PROT_READ)
print(os.getpid(), flush=True)
time.sleep(600)' & wait`;

describe('no process is left', () => {
  itInPython('of those who take long to die', async () => {
    for (let round = 0; round < ROUNDS / 5; round++) {
      const { run, printed } = start(BULKY);
      const [pid] = printedPids(await printed);
      run.end({ graceMs: 600_000 });
      await run.result;
      expect(isAlive(pid!)).toBe(false);
    }
  });

  it.each(fugitives)(
    'of those started by %s',
    async (_name, script) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { run, printed, everybodyGone } = start(script);
        await printed;
        run.end({ graceMs: 0 });
        expect((await run.result).survivors).toEqual([]);
        await everybodyGone;
      }
    },
    LONG_MS,
  );
});

// Processes that a failed test left behind.
afterEach(() => Promise.all(markers.splice(0).map((marker) => killMarked(marker))));
