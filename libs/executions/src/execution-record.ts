import { fault, isPlainObject, newId, type Clock, type Id } from '@switchyard/base';
import {
  childShare,
  extractOutputSecrets,
  extractParameterSecrets,
  extractSecrets,
  interactiveShare,
  maskParameters,
  mergeParameters,
  restoreSecrets,
  toReference,
  type ActionRecord,
  type DefinitionRecord,
  type DueConsumer,
  type ExecutionRecord,
  type NotifySpec,
  type Schema,
  type Secret,
} from '@switchyard/model';
import type { DefinitionRepository, Sealer } from '@switchyard/storage';
import type { ExecutionRequest } from './request';

export const DEFAULT_POOL = 'default';

/** The pool of workflows. They take no slots: workflow engines start them as soon as they are released. */
export const WORKFLOW_POOL = 'workflows';

/** Who has to act on an execution that was released. */
export const releasedTo = ({ pool }: Pick<ExecutionRecord, 'pool'>): DueConsumer =>
  pool === WORKFLOW_POOL ? 'workflow-engine' : 'action-runner';

export interface NewRecord extends Lineage, Pick<ExecutionRecord, 'parameters' | 'context' | 'result' | 'result_size'> {
  id: Id;
  definition: DefinitionRecord;
  sealed_parameters?: string;
  derived_secrets?: string[];
  retries?: true;
  limited?: true;
}

/** @param deps `webUrl` is the base address of links to executions */
export function newRecord(
  deps: { clock: Clock; webUrl: string },
  request: ExecutionRequest,
  made: NewRecord,
): ExecutionRecord {
  const { definition, id, ...parts } = made;
  const { action, runner } = definition;
  const now = deps.clock.nowMicros();
  const parent = parentOf(parts.context);
  const { workflow } = request;
  const hasOwnNotify = hasSections(action.notify) && workflow?.mayReplaceNotify !== false;
  const notify = hasOwnNotify ? action.notify : (workflow?.notify ?? request.notify);
  return {
    _id: id,
    liveaction_id: newId(),
    status: 'requested',
    revision: 1,
    action_ref: toReference(action.pack, action.name),
    action_is_workflow: WORKFLOW_RUNNERS.has(runner.name),
    runner_name: runner.name,
    definition: definition._id,
    ...parts,
    ...maskedCause(request.cause, definition),
    ...(request.callback ? { callback: request.callback } : {}),
    ...(notify && hasSections(notify) ? { notify } : {}),
    ...(workflow ? { workflow_execution: workflow.workflow, task_execution: workflow.task } : {}),
    ...(request.delay ? { delay: request.delay } : {}),
    ...(parent === undefined ? {} : { parent }),
    ...(request.requestKey === undefined ? {} : { request_key: request.requestKey }),
    start_timestamp: now,
    log: [{ status: 'requested', timestamp: now }],
    web_url: `${deps.webUrl}/#/history/${id}/general`,
    pool: WORKFLOW_RUNNERS.has(runner.name)
      ? WORKFLOW_POOL
      : (request.pool ?? (action as Partial<ActionRecord>).pool ?? DEFAULT_POOL),
    priority: request.priority ?? 0,
    schedule_at: now + (request.delay ?? 0) * 1000,
    idempotent: request.idempotent ?? (action as Partial<ActionRecord>).idempotent ?? false,
    due: ['scheduler'],
    due_at: now,
  };
}

/** A rule contains the parameters of its action, so secrets among them are masked in the copy. */
function maskedCause(
  cause: ExecutionRequest['cause'],
  { action, runner }: DefinitionRecord,
): ExecutionRequest['cause'] {
  const given = cause?.rule?.['action'];
  if (!cause?.rule || !isPlainObject(given) || !isPlainObject(given['parameters'])) return cause;
  const definitions = mergeParameters(runner.runner_parameters, action.parameters);
  const parameters = maskParameters(given['parameters'], definitions);
  return { ...cause, rule: { ...cause.rule, action: { ...given, parameters } } };
}

/** Runners that run other executions. */
const WORKFLOW_RUNNERS: ReadonlySet<string> = new Set(['orquesta', 'action-chain']);

const hasSections = (notify: NotifySpec): boolean => Object.keys(notify).length > 0;

/** The id of the parent that a context names. */
export function parentOf(context: Record<string, unknown>): string | undefined {
  const parent = context['parent'];
  const id =
    typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)['execution_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The position of an execution among others, set at its request. */
export type Lineage = Pick<ExecutionRecord, 'root' | 'nesting' | 'share'>;

/** The fields of a parent that its children inherit. */
export type Ancestor = Pick<ExecutionRecord, '_id' | 'context' | 'root' | 'nesting' | 'share'>;

interface LineageLimits {
  maxNesting?: number;
}

/** @throws Fault `execution.nesting` when it would be nested too deep */
export function lineageOf(
  { maxNesting = Number.POSITIVE_INFINITY }: LineageLimits,
  { action, workflow }: { action: string; workflow?: { isApart?: boolean } },
  parent: Ancestor | undefined,
  { user }: Readonly<Record<string, unknown>>,
): Lineage {
  if (!parent) return { share: interactiveShare(String(user)) };
  const nesting = (parent.nesting ?? 0) + 1;
  if (nesting > maxNesting) throw fault('execution.nesting', { action, nesting, most: maxNesting });
  return {
    ...(workflow && !workflow.isApart ? { root: parent.root ?? parent._id } : {}),
    nesting,
    share: childShare(String(user), parent),
  };
}

/**
 * Keeps secret values out of records: a record contains masks, and the secrets separately and encrypted. So code that
 * reads a record cannot leak a secret by mistake.
 */
export interface RecordSecrets {
  sealParameters(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    derivedSecrets: readonly string[],
  ): Pick<ExecutionRecord, 'parameters' | 'sealed_parameters' | 'derived_secrets'>;
  /** False when the key is gone: views then show masks, while a run fails. */
  canOpen(sealed: string | undefined): boolean;
  openParameters(record: ExecutionRecord): Record<string, unknown>;
  /** All secret texts and numbers in the parameters; undefined when the key is gone. */
  secretTexts(record: ExecutionRecord): readonly string[] | undefined;
  /** @param schema marks further parts as secret, besides the action's output schema */
  sealResult(
    record: Pick<ExecutionRecord, 'definition'>,
    result: Record<string, unknown>,
    schema?: Schema,
  ): Promise<SealedResult>;
  openResult(record: ExecutionRecord, masked: Record<string, unknown>): Record<string, unknown>;
  /** Encrypts a value that is secret as a whole. */
  sealWhole(value: unknown): string;
  openWhole(sealed: string): unknown;
}

/** Parameters that are secret as a whole: only the schema of the inquiry knows which parts of an answer are secret. */
const WHOLLY_SECRET: Readonly<Record<string, readonly string[]>> = { 'st2.inquiry.respond': ['response'] };

export interface SealedResult {
  masked: Record<string, unknown>;
  sealed?: string;
}

export function createRecordSecrets(definitions: Pick<DefinitionRepository, 'get'>, sealer: Sealer): RecordSecrets {
  const seal = (secrets: readonly Secret[]) => sealer.seal(JSON.stringify(secrets));
  const open = (masked: Record<string, unknown>, sealed: string | undefined) =>
    sealed === undefined
      ? masked
      : (restoreSecrets(masked, JSON.parse(sealer.open(sealed)) as Secret[]) as Record<string, unknown>);
  const canOpen = (sealed: string | undefined): boolean => {
    try {
      return sealed === undefined || sealer.open(sealed) !== '';
    } catch {
      return false;
    }
  };
  return {
    sealParameters({ runner, action }, parameters, given) {
      const whole = WHOLLY_SECRET[action.ref] ?? [];
      const derived = [...new Set([...given, ...whole.filter((name) => name in parameters)])];
      const known = mergeParameters(runner.runner_parameters, action.parameters);
      const { masked, secrets } = extractParameterSecrets(parameters, known, derived);
      return {
        parameters: masked,
        ...(secrets.length > 0 ? { sealed_parameters: seal(secrets) } : {}),
        ...(derived.length > 0 ? { derived_secrets: [...derived] } : {}),
      };
    },
    canOpen,
    openParameters: (record) => open(record.parameters, record.sealed_parameters),
    secretTexts({ sealed_parameters: sealed }) {
      if (sealed === undefined) return [];
      if (!canOpen(sealed)) return undefined;
      return (JSON.parse(sealer.open(sealed)) as Secret[]).flatMap(({ value }) => leaves(value));
    },
    async sealResult(record, result, schema) {
      const definition = await definitions.get(record.definition);
      const extracted = extractOutputSecrets(result, definition?.action.output_schema, definition?.runner.output_key);
      const further = schema ? extractSecrets(extracted.masked, schema) : { masked: extracted.masked, secrets: [] };
      const masked = further.masked as Record<string, unknown>;
      const hidden = [...extracted.secrets, ...further.secrets];
      return hidden.length > 0 ? { masked, sealed: seal(hidden) } : { masked };
    },
    openResult: (record, masked) => open(masked, record.sealed_result),
    sealWhole: (value) => sealer.seal(JSON.stringify(value)),
    openWhole: (sealed) => JSON.parse(sealer.open(sealed)) as unknown,
  };
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
