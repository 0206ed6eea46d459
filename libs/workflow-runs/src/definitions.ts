import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fault, KIB, SECOND_MS, slices } from '@switchyard/base';
import { mergeParameters, type WorkflowDefinitionRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import {
  type ActionChain,
  type ActionParameters,
  actionsNamedIn,
  type ChainRunOptions,
  chainToWorkflow,
  DefinitionError,
  type FlatFinding,
  flatFindings,
  inspectWorkflow,
  type KnownActions,
  parseActionChain,
  parseWorkflow,
  parseYaml,
  type WorkflowSpec,
} from '@switchyard/workflow';

/** A definition, ready to be run. */
export interface WorkflowDefinition {
  readonly record: WorkflowDefinitionRecord;
  readonly spec: WorkflowSpec;
  /** The action chain itself, for the parts that a workflow cannot express. */
  readonly chain?: ActionChain;
}

/** Texts up to this many characters are parsed directly, longer ones in a thread: a definition of 900 kB takes more than a second. */
const PARSED_AT_ONE_GO = 16 * KIB;

/**
 * @param parameters names of the action's parameters: the variables of a chain
 * @throws DefinitionError; Fault `workflow.too-costly`
 */
export async function parseDefinition(
  record: WorkflowDefinitionRecord,
  parameters: readonly string[],
  options: ChainRunOptions = {},
): Promise<WorkflowDefinition> {
  const source = { text: record.text, isChain: record.runner === 'action-chain', parameters, options };
  if (record.text.length <= PARSED_AT_ONE_GO) return { record, ...parseSource(source) };
  return { record, ...(await parseInThread(source)) };
}

/** The input of a thread for parsing. */
interface DefinitionText {
  readonly text: string;
  readonly isChain: boolean;
  readonly parameters: readonly string[];
  readonly options: ChainRunOptions;
}

type ParsedDefinition = Pick<WorkflowDefinition, 'spec' | 'chain'>;

function parseSource({ text, isChain, parameters, options }: DefinitionText): ParsedDefinition {
  if (!isChain) return { spec: parseWorkflow(text) };
  const chain = parseActionChain(text);
  return { chain, spec: chainToWorkflow(chain, parameters, options) };
}

const parseInThread = (source: DefinitionText): Promise<ParsedDefinition> =>
  inThread<ParsedDefinition>({ parse: source }, {}, ({ parsed }) => parsed);

type Registered = Pick<Store, 'actions' | 'runnerTypes'>;

/** Finds all problems of definitions. */
export interface DefinitionInspector {
  /**
   * Inspects the text of a workflow, including the actions that it names.
   * @param context names of variables that exist in every workflow
   * @param isShown whether the author may know of the action with this reference. Default: of all actions
   * @throws DefinitionError for a text that is not a definition, and the faults of `InspectionThread`
   */
  inspect(text: string, context: readonly string[], isShown?: (action: string) => boolean): Promise<FlatFinding[]>;
}

interface InspectorOptions {
  /** Texts up to this many characters are inspected directly, longer ones in a thread. */
  readonly atOneGo: number;
  /** Inspections that may wait for the thread; more are refused. */
  readonly mostWaiting: number;
}

/** For texts from clients: nothing may block the main thread for more than a few milliseconds. */
const FOR_STRANGERS: InspectorOptions = { atOneGo: 8 * KIB, mostWaiting: 16 };

export function createDefinitionInspector(
  store: Registered,
  { atOneGo, mostWaiting }: InspectorOptions = FOR_STRANGERS,
): DefinitionInspector {
  const thread = inspectionThread({ mostWaiting });
  return {
    async inspect(text, context, isShown = () => true) {
      const actionsOf = (references: readonly string[]) => lookup(store, references, isShown);
      if (text.length > atOneGo) return thread.inspect({ text, context, actionsOf });
      const parsed = parseYaml(text);
      const known = await actionsOf(actionsNamedIn(parsed));
      return flatFindings(inspectWorkflow(parsed, { context, actions: (reference) => known.get(reference) }));
    },
  };
}

async function lookup(
  store: Registered,
  references: readonly string[],
  isShown: (action: string) => boolean,
): Promise<KnownActions> {
  const found = new Map<string, ActionParameters | 'hidden'>();
  const turn = slices();
  for (const reference of references) {
    await turn.next();
    const record = isShown(reference) ? await store.actions.byKey(reference) : undefined;
    if (!isShown(reference)) found.set(reference, 'hidden');
    const runner = record && (await store.runnerTypes.byKey(record.runner_type));
    if (record && runner) found.set(reference, mergeParameters(runner.runner_parameters, record.parameters));
  }
  return found;
}

interface InspectionJob {
  readonly text: string;
  /** Names of variables that exist in every workflow. */
  readonly context: readonly string[];
  /** Looks up the actions that the definition names. */
  readonly actionsOf: (references: readonly string[]) => Promise<KnownActions>;
}

/** Inspects definitions one after the other, each in a thread that can be terminated. */
interface InspectionThread {
  /** @throws DefinitionError; Fault `workflow.too-costly`, or `workflow.busy` when too many are waiting */
  inspect(inspection: InspectionJob): Promise<FlatFinding[]>;
}

/** Far more than the largest accepted definition takes. */
const LONGEST_MS = 30 * SECOND_MS;
const MEMORY_MB = 512;

interface ThreadLimits {
  /** Inspections that may wait; each holds its text. */
  readonly mostWaiting: number;
  /** How long one may take. */
  readonly longestMs?: number;
  /** How much memory one may take. */
  readonly mostMemoryMb?: number;
}

export function inspectionThread({ mostWaiting, ...limits }: ThreadLimits): InspectionThread {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async inspect(inspection) {
      if (waiting >= mostWaiting) throw fault('workflow.busy');
      waiting++;
      const inspected = last.then(() => inspectInThread(inspection, limits));
      last = inspected.catch(() => undefined);
      try {
        return await inspected;
      } finally {
        waiting--;
      }
    },
  };
}

interface Answer {
  readonly names?: readonly string[];
  readonly findings?: FlatFinding[];
  readonly parsed?: ParsedDefinition;
  readonly refusal?: string;
}

function inspectInThread({ text, context, actionsOf }: InspectionJob, limits: TimeAndMemory): Promise<FlatFinding[]> {
  return inThread({ inspect: { text, context } }, limits, ({ names, findings }, answer) => {
    if (!findings) actionsOf(names ?? []).then(answer.send, answer.fail);
    return findings;
  });
}

type TimeAndMemory = Omit<ThreadLimits, 'mostWaiting'>;

/**
 * Runs one piece of work in a thread, and terminates the thread. @param read returns the result in a message of the
 * thread, or undefined to wait for the next message
 */
async function inThread<T>(
  workerData: object,
  { longestMs = LONGEST_MS, mostMemoryMb = MEMORY_MB }: TimeAndMemory,
  read: (answer: Answer, thread: { send: (message: unknown) => void; fail: (error: unknown) => void }) => T | undefined,
): Promise<T> {
  const worker = new Worker(join(__dirname, 'definition-worker.mjs'), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(tooCostly(`${longestMs / SECOND_MS} seconds`)), longestMs);
      worker.on('error', (error) => reject(isOutOfMemory(error) ? tooCostly(`${mostMemoryMb} MB of memory`) : error));
      worker.on('message', (answer: Answer) => {
        if (answer.refusal !== undefined) return reject(new DefinitionError(answer.refusal));
        const result = read(answer, { send: (message) => worker.postMessage(message), fail: reject });
        if (result !== undefined) resolve(result);
      });
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const tooCostly = (limit: string) => fault('workflow.too-costly', { limit });

const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
