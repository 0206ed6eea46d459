import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, paths } from '@switchyard/config';
import { runnerRegistry } from '@switchyard/runners';
import { announcementAdapter, httpRequestAdapter, noopAdapter } from './contract/other-adapters';
import { pluginAdapter } from './contract/plugin-adapter';
import { remoteAdapters } from './contract/remote-adapters';
import { ROWS, type Row, type RunnerAdapter } from './contract/runner-adapter';
import {
  localShellCmdAdapter,
  localShellScriptAdapter,
  nodeScriptAdapter,
  pythonScriptAdapter,
} from './contract/script-adapters';
import { winrmAdapters } from './contract/winrm-adapters';

const adapters: RunnerAdapter[] = [
  announcementAdapter(),
  httpRequestAdapter(),
  localShellCmdAdapter(),
  localShellScriptAdapter(),
  nodeScriptAdapter(),
  noopAdapter(),
  pluginAdapter(),
  pythonScriptAdapter(),
  ...remoteAdapters(),
  ...winrmAdapters(),
];

/** Runners that are covered by other tests, and which ones. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  inquirer: 'its runs do not end, but wait for an answer: inquirer.test.ts',
};

it('every runner is covered by the contract or by its own tests', () => {
  const { config } = loadConfig({ environment: {} });
  const names = [...runnerRegistry({ config, paths: paths(config) }).keys()];
  const known = [...adapters.map(({ runner }) => runner), ...Object.keys(ELSEWHERE)];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

const SECRET = 'sesame-open-thyself';

const checks: Readonly<Record<Row, (adapter: RunnerAdapter, folder: string) => Promise<void>>> = {
  async success({ begin }) {
    const { handle, complaints } = begin('succeed');
    expect((await handle.result).status).toBe('succeeded');
    expect(complaints).toEqual([]);
  },

  async failure({ begin }) {
    const { status, result } = await begin('fail').handle.result;
    expect(status).toBe('failed');
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  },

  async timeout({ begin }) {
    const { handle, left } = begin('endless', { timeout: 2 });
    expect((await handle.result).status).toBe('timeout');
    expect(await left()).toEqual([]);
    handle.cancel();
    expect((await handle.result).status).toBe('timeout');
  },

  async cancel({ begin }) {
    const { handle, inMidRun, left } = begin('endless');
    await inMidRun();
    handle.cancel();
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
    expect(await left()).toEqual([]);
  },

  async 'cancel at once'({ begin }) {
    const { handle, left } = begin('endless');
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
    expect(await left()).toEqual([]);
  },

  async 'output in pieces'({ begin }, folder) {
    const gate = join(folder, 'gate');
    const { handle, pieces, inMidRun } = begin('gated', { gate });
    await inMidRun();
    expect(pieces.join('')).toBe('one\n');
    writeFileSync(gate, '');
    expect((await handle.result).status).toBe('succeeded');
    expect(pieces.join('')).toBe('one\ntwo\n');
  },

  async 'big output'({ begin, notes }) {
    const { handle, pieces } = begin('big', { bytes: 3_000_000, maxOutputBytes: 1000 });
    const { status, result, truncated } = await handle.result;
    expect({ status, truncated }).toEqual({ status: 'succeeded', truncated: true });
    expect(JSON.stringify(result)).toMatch(/x{1000}\\n\[output truncated: /);
    expect(JSON.stringify(result)).not.toMatch(/x{1001}/);
    if (notes['output in pieces'] === undefined) expect(pieces.join('')).toHaveLength(3_000_000);
  },

  async secrets({ begin, notes }) {
    const failed = begin('fail', { secret: SECRET });
    expect(JSON.stringify([(await failed.handle.result).result, failed.log])).not.toContain(SECRET);
    if (notes.cancel !== undefined) return;
    const running = begin('endless', { secret: SECRET });
    await running.inMidRun();
    const seen = commandLines();
    running.handle.cancel();
    expect(JSON.stringify([(await running.handle.result).result, running.log])).not.toContain(SECRET);
    expect(seen.filter((line) => line.includes(SECRET))).toEqual([]);
  },
};

for (const adapter of adapters) {
  (adapter.describe ?? describe)(adapter.runner, () => {
    const folder = mkdtempSync(join(tmpdir(), 'runner-contract-'));
    beforeAll(() => adapter.open());
    afterAll(async () => {
      await adapter.close();
      rmSync(folder, { recursive: true });
    });

    for (const row of ROWS) {
      const why = adapter.notes[row];
      if (why === undefined) it(row, () => checks[row](adapter, folder));
      else it.skip(`${row}: ${why}`, () => undefined);
    }
  });
}

/** All processes of this machine. */
function commandLines(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : [];
    } catch {
      return [];
    }
  });
}
