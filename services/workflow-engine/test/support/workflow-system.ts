import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ActionRecord, ExecutionRecord } from '@switchyard/model';
import { eventually, startSystem, type SystemOptions, type TestSystem } from '@switchyard/testkit/system';

export interface WorkflowSystem extends TestSystem {
  /** Stores a workflow as action `tests.<name>`. @param text the definition */
  workflow(name: string, text: string, action?: Partial<ActionRecord>): Promise<void>;
  /** Runs `tests.<name>` to its end, and returns what it shows then. */
  outcome(name: string, parameters?: Record<string, unknown>): Promise<Outcome>;
  /** The public view of an execution. */
  shown(execution: ExecutionRecord): Promise<Outcome>;
  children(id: string): Promise<ExecutionRecord[]>;
  /**
   * Waits until the engine has recorded a control request of a workflow: from then on, for example, nothing new starts.
   */
  untilHeard(id: string): Promise<unknown>;
}

export interface Outcome {
  status: string;
  result: Record<string, unknown> | undefined;
}

/** A system with workflow engines and a pack `tests` of its own, in which `tests.noop` and `tests.manual` can be run. */
export async function workflowSystem(options: SystemOptions = {}): Promise<WorkflowSystem> {
  const packs = await mkdtemp(join(tmpdir(), 'svc-workflows-'));
  const system = await startSystem({
    engines: 1,
    ...options,
    settings: { ...options.settings, packDirectories: [packs] },
  });
  await system.register({ name: 'noop', runner_type: 'noop' });
  await system.register({ name: 'manual', runner_type: 'manual' });
  await system.register({ name: 'shell', runner_type: 'local-shell-cmd' });
  const shown = async (execution: ExecutionRecord): Promise<Outcome> => ({
    status: execution.status,
    result: await system.executions.results.load(execution, true),
  });
  const more = {
    shown,
    async workflow(name: string, text: string, action: Partial<ActionRecord> = {}) {
      const entry_point = `workflows/${name}.yaml`;
      const path = join(packs, 'tests', 'actions', entry_point);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      await system.register({ name, runner_type: 'orquesta', entry_point, ...action });
    },
    outcome: async (name: string, parameters: Record<string, unknown> = {}) =>
      shown(await system.run({ action: `tests.${name}`, parameters })),
    children: (id: string) => system.platform.store.executions.childrenOf(id),
    untilHeard: (id: string) =>
      eventually(
        async () => (await system.executions.get(id)).due === undefined,
        () => 'the engine to receive a request',
      ),
  };
  const close = system.close.bind(system);
  return Object.assign(system, more, {
    async close() {
      await close();
      await rm(packs, { recursive: true });
    },
  });
}
