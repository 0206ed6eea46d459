import { fault, KIB, slices } from '@switchyard/base';
import { mergeParameters } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import {
  type ActionParameters,
  actionsNamedIn,
  type FlatFinding,
  flatFindings,
  inspectWorkflow,
  type KnownActions,
  outlineOf,
  parseYaml,
  type RehearsalReportWithOutcome,
  type RehearsalRequest,
  type WorkflowOutline,
} from '@switchyard/workflow';
import { inThread, type TimeAndMemory } from './definition-thread';

type Registered = Pick<Store, 'actions' | 'runnerTypes'>;

/** Finds all problems of definitions, draws their graphs, and rehearses them. */
export interface DefinitionInspector {
  /**
   * Inspects the text of a workflow, including the actions that it names.
   * @param context names of variables that exist in every workflow
   * @param isShown whether the author may know of the action with this reference. Default: of all actions
   * @throws DefinitionError for a text that is not a definition, and the faults of `InspectionThread`
   */
  inspect(text: string, context: readonly string[], isShown?: (action: string) => boolean): Promise<FlatFinding[]>;
  /**
   * The graph of the text of a workflow, also of one with findings.
   * @throws as `inspect`
   */
  outline(text: string): Promise<WorkflowOutline>;
  /**
   * Runs a workflow with mocked actions. Always in the thread, because a short definition can run for long.
   * @throws as `inspect`, RehearsalError
   */
  rehearse(request: RehearsalRequest): Promise<RehearsalReportWithOutcome>;
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
    outline: async (text) => (text.length > atOneGo ? thread.outline(text) : outlineOf(text)),
    rehearse: async (request) => JSON.parse(await thread.rehearse(request)) as RehearsalReportWithOutcome,
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

/**
 * Works on definitions one after the other, each in a thread that can be terminated. Its methods throw DefinitionError, Fault
 * `workflow.too-costly`, and Fault `workflow.busy` when too many are waiting.
 */
interface InspectionThread {
  inspect(inspection: InspectionJob): Promise<FlatFinding[]>;
  outline(text: string): Promise<WorkflowOutline>;
  /** @returns the report as JSON, which is never large, unlike what it is made from */
  rehearse(request: RehearsalRequest): Promise<string>;
}

interface ThreadLimits extends TimeAndMemory {
  /** Definitions that may wait; each is held in memory. */
  readonly mostWaiting: number;
}

export function inspectionThread({ mostWaiting, ...limits }: ThreadLimits): InspectionThread {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= mostWaiting) throw fault('workflow.busy');
    waiting++;
    const done = last.then(work);
    last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      waiting--;
    }
  };
  return {
    inspect: (inspection) => inTurn(() => inspectInThread(inspection, limits)),
    outline: (text) =>
      inTurn(() => inThread({ outline: { text } }, limits, ({ outline }: { outline?: WorkflowOutline }) => outline)),
    rehearse: (request) =>
      inTurn(() => inThread({ rehearse: request }, limits, ({ report }: { report?: string }) => report)),
  };
}

interface InspectionMessage {
  readonly names?: readonly string[];
  readonly findings?: FlatFinding[];
}

const inspectInThread = ({ text, context, actionsOf }: InspectionJob, limits: TimeAndMemory): Promise<FlatFinding[]> =>
  inThread({ inspect: { text, context } }, limits, ({ names, findings }: InspectionMessage, thread) => {
    if (!findings) actionsOf(names ?? []).then(thread.send, thread.fail);
    return findings;
  });
