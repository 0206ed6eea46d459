import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { KIB, messageOf, type Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { entryPointPath, findPackDirectory, refuseLinksOut } from '@switchyard/content';
import type { ActionRecord, WorkflowDefinitionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { checkActionChain, DefinitionError } from '@switchyard/workflow';
import {
  createDefinitionInspector,
  parseDefinition,
  type DefinitionInspector,
  type WorkflowDefinition,
} from '@switchyard/workflow-runs';

/** The errors of a definition, as the result shows them. */
export class InvalidDefinition extends Error {
  constructor(readonly errors: readonly Readonly<Record<string, unknown>>[]) {
    super('The definition is not valid.');
  }
}

export interface DefinitionCache {
  /** The current text of the definition that an action names. @throws InvalidDefinition */
  current(action: Pick<ActionRecord, 'pack' | 'entry_point'>, runner: string): Promise<WorkflowDefinitionRecord>;
  /** Checks the definition of an action. @throws InvalidDefinition with all errors */
  inspect(
    record: WorkflowDefinitionRecord,
    action: Pick<ActionRecord, 'ref' | 'entry_point'>,
    context: readonly string[],
  ): Promise<void>;
  /** A definition that has been parsed lately. */
  known(id: string, parameters: readonly string[]): WorkflowDefinition | undefined;
  /** @param parameters names of the action's parameters @throws DefinitionError; Fault `workflow.too-costly` */
  parse(record: WorkflowDefinitionRecord, parameters: readonly string[]): Promise<WorkflowDefinition>;
}

interface DefinitionsDeps {
  store: Pick<Store, 'actions' | 'runnerTypes'>;
  /** Directories of packs; the first that holds a pack wins. */
  roots: readonly string[];
  clock: Pick<Clock, 'monotonicMs'>;
  config: { readonly workflow_engine: Pick<Config['workflow_engine'], 'fail_unrendered_chains'> };
}

const CACHED_DEFINITIONS = 500;
/** Inspection results are reused this long: they depend on registered actions, which change with packs. */
const INSPECTED_MS = 5000;
/** For definitions of packs: only large ones are inspected in a thread, and none is rejected for a full queue. */
const INSPECTOR = { atOneGo: 16 * KIB, mostWaiting: Number.POSITIVE_INFINITY };

export function createDefinitions({ store, roots, clock, config }: DefinitionsDeps): DefinitionCache {
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
    known: (id, parameters) => parsed.get(keyOf(id, parameters)),
    async parse(record, parameters) {
      const key = keyOf(record._id, parameters);
      return parsed.get(key) ?? remember(parsed, key, await parseDefinition(record, parameters, options));
    },
  };
}

const keyOf = (id: string, parameters: readonly string[]): string => `${id}:${parameters.join()}`;

function remember<T>(cache: Map<string, T>, key: string, value: T): T {
  if (cache.size >= CACHED_DEFINITIONS) cache.delete(cache.keys().next().value as string);
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
    throw invalidDefinition(
      `The definition "${action.entry_point}" ${isMissing ? 'does not exist' : `cannot be read: ${messageOf(error)}`}.`,
    );
  });
  if (!found) throw invalidDefinition(`The directory of the pack "${action.pack}" does not exist.`);
  return found;
}

const invalidDefinition = (message: string): InvalidDefinition => new InvalidDefinition([{ message }]);

function inspectChain(
  { text }: WorkflowDefinitionRecord,
  { ref, entry_point: file }: Pick<ActionRecord, 'ref' | 'entry_point'>,
): void {
  try {
    const problems = checkActionChain(text, { file, action: ref });
    if (problems.length > 0) throw new InvalidDefinition(problems.map(({ message }) => ({ message })));
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
  if (findings.length > 0) throw new InvalidDefinition(findings.map((finding) => ({ ...finding })));
}

function asUnsound(error: unknown): never {
  throw error instanceof DefinitionError ? invalidDefinition(error.message) : error;
}

/** Definitions of workflows on disk, with a cache. */
interface DefinitionFiles {
  /**
   * The current content of the file that an action names.
   * @returns undefined when the pack has no directory
   * @throws errors of reading the file
   */
  read(
    action: Pick<ActionRecord, 'pack' | 'entry_point'>,
    runner: string,
  ): Promise<WorkflowDefinitionRecord | undefined>;
}

interface KnownFile {
  readonly path: string;
  readonly foundMs: number;
  /** Tells whether the file has changed since. */
  readonly mark: string;
  readonly record: WorkflowDefinitionRecord;
}

const CACHED_FILES = 500;
/** The directory of a pack is looked up again after this time. Whether a file has changed is checked every time. */
const FOUND_MS = 5000;

/** @param roots directories of packs; the first that holds a pack wins */
export function createDefinitionFiles(roots: readonly string[], clock: Pick<Clock, 'monotonicMs'>): DefinitionFiles {
  const files = new Map<string, KnownFile>();

  async function isUnchanged({ path, foundMs, mark }: KnownFile): Promise<boolean> {
    return clock.monotonicMs() - foundMs < FOUND_MS && (await markOf(path).catch(() => undefined)) === mark;
  }

  return {
    async read({ pack, entry_point: entryPoint }, runner) {
      const key = JSON.stringify([pack, entryPoint, runner]);
      const known = files.get(key);
      if (known && (await isUnchanged(known))) return known.record;
      files.delete(key);
      const directory = await findPackDirectory(roots, pack);
      if (directory === undefined) return undefined;
      const path = entryPointPath(directory, entryPoint);
      await refuseLinksOut(directory, path);
      // Taken before the text is read, so that a change in between is noticed next time.
      const mark = await markOf(path);
      const record = recordOf(runner, await readFile(path, 'utf8'));
      if (files.size >= CACHED_FILES) files.delete(files.keys().next().value as string);
      files.set(key, { path, foundMs: clock.monotonicMs(), mark, record });
      return record;
    },
  };
}

async function markOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** The id follows from the content, so equal definitions are stored once. */
const recordOf = (runner: string, text: string): WorkflowDefinitionRecord => ({
  _id: createHash('sha256').update(`${runner}\n${text}`).digest('hex'),
  runner,
  text,
});
