/// <reference types="jest" />

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itWithPython } from './python';
import { CHAINS, CHAINS_WITH_PYTHON, FAILING, WORKFLOWS, WORKFLOWS_WITH_PYTHON, type Example } from './flows-table';
import { MINUTES, type Site } from './site';

/** The names of the examples that run here on their own. */
export const FLOWS = [
  ...[...WORKFLOWS, ...WORKFLOWS_WITH_PYTHON, ...CHAINS, ...CHAINS_WITH_PYTHON].map(([name]) => name),
  ...FAILING.map(([name]) => name),
  'publish_data',
  'echochain_top_level_failure',
];

/** Tests of workflows and action chains that need no interaction while they run. */
export function flows(siteOf: () => Site): void {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-examples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const tried = async (...[name, parameters, status, output]: Example) => {
    const { result, ...ended } = await siteOf().run(name, parameters);
    expect([ended.status, 'published' in result ? result.published : result.output]).toEqual([status, output]);
  };

  it.each(WORKFLOWS)('workflow %s with %j is %s', tried, MINUTES);
  itWithPython.each(WORKFLOWS_WITH_PYTHON)('workflow %s with %j is %s', tried, MINUTES);
  it.each(CHAINS)('chain %s with %j is %s', tried, MINUTES);
  itWithPython.each(CHAINS_WITH_PYTHON)('chain %s with %j is %s', tried, MINUTES);

  it.each(FAILING)(
    'workflow %s fails',
    async (name, messages, output) => {
      const { status, result } = await siteOf().run(name);
      expect([status, result.output]).toEqual(['failed', output]);
      const said = result.errors.map(({ message }: { message: string }) => message);
      expect(said).toHaveLength(messages.length);
      expect(said).toEqual(expect.arrayContaining(messages.map((message) => expect.stringContaining(message))));
    },
    MINUTES,
  );

  it(
    'chain publish_data reads a file',
    async () => {
      writeFileSync(join(folder, 'facts'), '{"hostname": "web1", "cpus": 4}');
      await tried('publish_data', { system_info_path: join(folder, 'facts') }, 'succeeded', {
        hostname: 'web1',
        cpus: '4',
        told: 'web1 has 4 processors',
      });
    },
    MINUTES,
  );

  it(
    'a chain that cannot compute its variables runs nothing',
    async () => {
      const { status, result } = await siteOf().run('echochain_top_level_failure');
      expect([status, result.tasks]).toEqual(['failed', []]);
      expect(result.error).toContain("'nowhere' is undefined");
    },
    MINUTES,
  );
}
