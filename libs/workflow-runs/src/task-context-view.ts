import { isPlainObject, jsonSize, MIB, type Id, type Slices } from '@switchyard/base';
import { MASK, type Secret, SecretTexts, type ExecutionRecord, type WorkflowRecord } from '@switchyard/model';
import { anyFilter, isThere, type Sealer, type Store } from '@switchyard/storage';
import type { Conductor } from '@switchyard/workflow';
import { type EntryTimes, type History, taskIdOf } from './journal';

/** The variables before and after one run of a task, for whoever may see the workflow. */
export interface TaskContextView {
  readonly task_execution_id: Id;
  readonly task_name: string;
  readonly route: number;
  readonly round: number;
  readonly status: string | null;
  readonly before: Variables;
  readonly after: readonly { readonly to: readonly string[]; readonly published: Variables }[];
  /** Names of variables that are too large to be shown with the others. */
  readonly omitted: readonly string[];
}

type Variables = Readonly<Record<string, unknown>>;

export interface TaskContextRequest {
  /** The id of a run of a task, or the name of a task for its last run. */
  readonly task: string;
  /** The only variables to show; all when absent. */
  readonly names?: readonly string[] | undefined;
  /** Whether secrets are shown as they are. */
  readonly showSecrets: boolean;
}

/** The run of a task that is asked for. */
export function findTaskRun(workflow: Id, { times }: History, task: string): EntryTimes['entry'] | undefined {
  const entries = [...times.values()].map(({ entry }) => entry);
  return (
    entries.find((entry) => taskIdOf(workflow, entry) === task) ?? entries.findLast((entry) => entry.task === task)
  );
}

/** What all variables together may take, as JSON; more if some are asked for by name. */
const MOST_BYTES = MIB;
const MOST_NAMED_BYTES = 14 * MIB;

/** @param mask hides secrets */
export async function taskContextView(
  workflow: Id,
  { entry, conductor }: { readonly entry: EntryTimes['entry']; readonly conductor: Conductor },
  { names }: Pick<TaskContextRequest, 'names'>,
  mask: (value: unknown) => Promise<unknown>,
): Promise<TaskContextView> {
  const { task, route, round } = entry;
  const context = conductor.contextOf(entry) ?? { status: entry.status, before: {}, after: [] };
  const omitted = new Set<string>();
  let left = names === undefined ? MOST_BYTES : MOST_NAMED_BYTES;
  const shown = async (variables: Variables): Promise<Variables> => {
    const found: [string, unknown][] = [];
    for (const [name, value] of Object.entries(variables)) {
      if (names !== undefined && !names.includes(name)) continue;
      const size = jsonSize(value, left);
      if (size > left) omitted.add(name);
      else {
        left -= size;
        found.push([name, await mask(value)]);
      }
    }
    return Object.fromEntries(found);
  };
  const before = await shown(context.before);
  const after: { to: readonly string[]; published: Variables }[] = [];
  for (const { to, published } of context.after) after.push({ to, published: await shown(published) });
  const head = { task_execution_id: taskIdOf(workflow, entry), task_name: task, route, round, status: context.status };
  return { ...head, before, after, omitted: [...omitted] };
}

export interface MaskingDeps {
  readonly store: Pick<Store, 'executions'>;
  readonly sealer: Sealer;
}

/** The parts of a run in which secrets are found. */
export interface MaskedRun {
  readonly record: WorkflowRecord;
  /** The text of its definition. */
  readonly text: string;
  readonly history: Pick<History, 'decrypted' | 'knowsDecrypted'>;
}

/** With more secrets, comparing all values with all of them would take too long. */
const MOST_SECRETS = 500;

/**
 * Masks what is secret in a run: its secret inputs, what its expressions have decrypted, and the secrets in parameters
 * and results of its actions.
 */
export async function maskingOf(
  deps: MaskingDeps,
  { record, text, history }: MaskedRun,
  slice: Slices,
): Promise<(value: unknown) => Promise<unknown>> {
  const inputs = record.sealed_secrets === undefined ? [] : textsIn(deps.sealer.open(record.sealed_secrets));
  const texts = new Set([...inputs, ...history.decrypted]);
  for await (const secrets of secretsOfActions(deps, record._id)) {
    for (const secret of SecretTexts.of(secrets).texts) texts.add(secret);
    if (texts.size > MOST_SECRETS) break;
    await slice.next();
  }
  const isUnknown = !history.knowsDecrypted && text.includes('decrypt');
  if (isUnknown || texts.size > MOST_SECRETS) return async () => MASK;
  const secrets = new SecretTexts([...texts]);
  return (value) => maskedInSlices(value, secrets, slice);
}

/** Of the secrets of a workflow, as its engine seals them. */
const textsIn = (json: string): readonly string[] => (JSON.parse(json) as { readonly texts: readonly string[] }).texts;

async function* secretsOfActions({ store, sealer }: MaskingDeps, workflow: Id): AsyncGenerator<unknown[], void, void> {
  const sealed = anyFilter<ExecutionRecord>([{ sealed_parameters: isThere }, { sealed_result: isThere }]);
  const found = store.executions.each({
    filter: { workflow_execution: workflow, ...sealed },
    fields: ['sealed_parameters', 'sealed_result'],
  });
  for await (const { sealed_parameters: parameters, sealed_result: result } of found) {
    const lists = [parameters, result].filter((list) => list !== undefined);
    yield lists.flatMap((list) => (JSON.parse(sealer.open(list)) as Secret[]).map(({ value }) => value));
  }
}

/** Masks each member of a list or map by itself. */
async function maskedInSlices(value: unknown, secrets: SecretTexts, slice: Slices): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      items.push(secrets.mask(item));
      await slice.next();
    }
    return items;
  }
  if (!isPlainObject(value)) return secrets.mask(value);
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    members.push([secrets.mask(name), secrets.mask(member)]);
    await slice.next();
  }
  return Object.fromEntries(members);
}
