import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pluginRunners } from '@switchyard/runners';
import { observedTrial } from './observed-trial';
import type { RunnerAdapter } from './runner-adapter';

const load = createRequire(__filename);

/** The example of a plug-in, which waits for a file. */
export function pluginAdapter(): RunnerAdapter {
  const directory = mkdtempSync(join(tmpdir(), 'plugin-runner-'));
  const there = join(directory, 'there');
  const { runners } = load('../../../../test/plugins/acme-example') as { runners: unknown[] };
  const [plugin] = pluginRunners([{ name: '@acme/svc-plugin-example', runners }]);
  return {
    runner: 'acme-wait-for-file',
    notes: { 'big output': 'its output is two lines', secrets: 'it takes none' },
    open: async () => writeFileSync(there, ''),
    close: async () => rmSync(directory, { recursive: true }),
    begin(work, given = {}) {
      const paths = { succeed: there, fail: join(there, 'below a file'), gated: given.gate };
      const path = work in paths ? paths[work as keyof typeof paths] : join(directory, 'nowhere');
      return observedTrial(
        {
          runner: 'acme-wait-for-file',
          plugin: plugin!,
          parameters: { path, timeout: given.timeout ?? 60, before: 'one', after: 'two' },
        },
        given,
      );
    },
  };
}
