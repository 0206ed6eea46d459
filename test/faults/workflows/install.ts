import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApiCaller } from '../../system/api-caller';
import { NOOP, PACK, STEP } from './names';
import { INNER_DEFINITIONS, localName } from './random-definition';
import type { RandomWorkflow } from './random-workflows';

/** Installs the workflows and their actions into the packs of a system and registers them. */
export async function installWorkflows(
  directory: string,
  api: ApiCaller,
  workflows: readonly RandomWorkflow[],
): Promise<void> {
  const pack = join(directory, 'packs', PACK);
  put(join(pack, 'pack.yaml'), {
    name: PACK,
    ref: PACK,
    description: 'What runs while things go wrong.',
    version: '1.0.0',
    author: 'faults',
    email: 'faults@example.org',
  });
  for (const [ref, runner] of [
    [STEP, 'local-shell-cmd'],
    [NOOP, 'noop'],
  ] as const)
    put(join(pack, 'actions', `${localName(ref)}.yaml`), {
      name: localName(ref),
      runner_type: runner,
      entry_point: '',
      enabled: true,
      idempotent: true,
    });
  const definitions = [
    ...Object.entries(INNER_DEFINITIONS).map(([ref, inner]) => ({ name: localName(ref), ...inner })),
    ...workflows.map(({ name, definition }) => ({ name, definition, runner: 'orquesta' })),
  ];
  for (const { name, runner, definition } of definitions) {
    const path = `workflows/${name}.yaml`;
    put(join(pack, 'actions', path), definition);
    put(join(pack, 'actions', `${name}.yaml`), { name, runner_type: runner, entry_point: path, enabled: true });
  }
  const { status, body } = await api.call('POST', '/v1/packs/register', { packs: [PACK], types: ['action'] });
  if (status !== 200) throw new Error(`the pack was refused with ${status}: ${JSON.stringify(body)}`);
}

/** JSON is YAML. */
function put(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content, null, 2));
}
