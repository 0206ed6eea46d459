import { KIB, messageOf, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import {
  createDefinitionInspector,
  parseDefinition,
  type DefinitionInspector,
  type WorkflowDefinition,
} from '@switchyard/executions';
import type { ActionRecord, WorkflowDefinitionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { checkActionChain, DefinitionError } from '@switchyard/workflow';
import { createDefinitionFiles, type DefinitionFiles } from './definition-files';

/** What is wrong with a definition, in the form in which the result shows it. */
export class UnsoundDefinition extends Error {
  constructor(readonly errors: readonly Readonly<Record<string, unknown>>[]) {
    super('The definition is not sound.');
  }
}

export interface Definitions {
  /** The text that an action names at present. @throws UnsoundDefinition */
  current(action: Pick<ActionRecord, 'pack' | 'entry_point'>, runner: string): Promise<WorkflowDefinitionRecord>;
  /** Everything that is wrong with the definition of an action. @throws UnsoundDefinition */
  inspect(
    record: WorkflowDefinitionRecord,
    action: Pick<ActionRecord, 'ref' | 'entry_point'>,
    context: readonly string[],
  ): Promise<void>;
  /** @param parameters names of the action's parameters @throws DefinitionError */
  parse(record: WorkflowDefinitionRecord, parameters: readonly string[]): WorkflowDefinition;
}

export interface DefinitionsDeps {
  store: Pick<Store, 'actions' | 'runnerTypes'>;
  /** Directories of packs; the first that holds a pack wins. */
  roots: readonly string[];
  clock: Pick<Clock, 'monotonicMs'>;
  config: { readonly workflow_engine: Pick<Config['workflow_engine'], 'fail_unrendered_chains'> };
}

const CACHED = 500;
/** What is said about the actions that a definition names is so old at most: they change when packs are registered. */
const INSPECTED_MS = 5000;
/** Definitions of packs: a thread of its own pays off for the largest only, and none of them is turned away. */
const INSPECTOR = { atOneGo: 64 * KIB, mostWaiting: Number.POSITIVE_INFINITY };

export function createDefinitions({ store, roots, clock, config }: DefinitionsDeps): Definitions {
  const files = createDefinitionFiles(roots, clock);
  const inspector = createDefinitionInspector(store, INSPECTOR);
  const parsed = new Map<string, WorkflowDefinition>();
  const sound = new Map<string, number>();
  const options = { failsUnrendered: config.workflow_engine.fail_unrendered_chains };
  return {
    current: (action, runner) => readDefinition(files, action, runner),
    async inspect(record, action, context) {
      const key = `${record._id}:${context.join()}`;
      if (clock.monotonicMs() - (sound.get(key) ?? -INSPECTED_MS) < INSPECTED_MS) return;
      if (record.runner === 'action-chain') inspectChain(record, action);
      else await inspect(inspector, record, context);
      remember(sound, key, clock.monotonicMs());
    },
    parse(record, parameters) {
      const key = `${record._id}:${parameters.join()}`;
      return parsed.get(key) ?? remember(parsed, key, parseDefinition(record, parameters, options));
    },
  };
}

function remember<T>(cache: Map<string, T>, key: string, value: T): T {
  if (cache.size >= CACHED) cache.delete(cache.keys().next().value as string);
  cache.set(key, value);
  return value;
}

async function readDefinition(
  files: DefinitionFiles,
  action: Pick<ActionRecord, 'pack' | 'entry_point'>,
  runner: string,
): Promise<WorkflowDefinitionRecord> {
  const found = await files.read(action, runner).catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw unsound(
      `The definition "${action.entry_point}" ${isMissing ? 'is not there' : `cannot be read: ${messageOf(error)}`}.`,
    );
  });
  if (!found) throw unsound(`The directory of the pack "${action.pack}" is not there.`);
  return found;
}

const unsound = (message: string): UnsoundDefinition => new UnsoundDefinition([{ message }]);

function inspectChain(
  { text }: WorkflowDefinitionRecord,
  { ref, entry_point: file }: Pick<ActionRecord, 'ref' | 'entry_point'>,
): void {
  try {
    const problems = checkActionChain(text, { file, action: ref });
    if (problems.length > 0) throw new UnsoundDefinition(problems.map(({ message }) => ({ message })));
  } catch (error) {
    asUnsound(error);
  }
}

async function inspect(
  inspector: DefinitionInspector,
  { text }: WorkflowDefinitionRecord,
  context: readonly string[],
): Promise<void> {
  const findings = await inspector.inspect(text, context).catch(asUnsound);
  if (findings.length > 0) throw new UnsoundDefinition(findings.map((finding) => ({ ...finding })));
}

function asUnsound(error: unknown): never {
  throw error instanceof DefinitionError ? unsound(error.message) : error;
}
