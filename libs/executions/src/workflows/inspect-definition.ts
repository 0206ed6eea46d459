import { KIB, slices } from '@switchyard/base';
import { mergeParameters } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import {
  actionsNamedIn,
  flatFindings,
  inspectWorkflow,
  parseYaml,
  type ActionParameters,
  type FlatFinding,
  type KnownActions,
} from '@switchyard/workflow';
import { inspectionThread } from './inspection-thread';

type Registered = Pick<Store, 'actions' | 'runnerTypes'>;

/** Tells everything that is wrong with definitions. */
export interface DefinitionInspector {
  /**
   * What is wrong with the text of a workflow, the actions included that it names.
   * @param context names of variables that are known beforehand
   * @throws DefinitionError for what is no definition at all, and the faults of `InspectionThread`
   */
  inspect(text: string, context: readonly string[]): Promise<FlatFinding[]>;
}

export interface InspectorOptions {
  /** Texts of up to so many characters are inspected at one go, longer ones in a thread of their own. */
  readonly atOneGo: number;
  /** So many may wait for that thread; more are a fault. */
  readonly mostWaiting: number;
}

/** For texts from outside: nothing takes more than some milliseconds on the thread that answers everybody. */
const FOR_STRANGERS: InspectorOptions = { atOneGo: 8 * KIB, mostWaiting: 16 };

export function createDefinitionInspector(
  store: Registered,
  { atOneGo, mostWaiting }: InspectorOptions = FOR_STRANGERS,
): DefinitionInspector {
  const thread = inspectionThread({ mostWaiting });
  const actionsOf = (references: readonly string[]) => lookup(store, references);
  return {
    async inspect(text, context) {
      if (text.length > atOneGo) return thread.inspect({ text, context, actionsOf });
      const parsed = parseYaml(text);
      const known = await actionsOf(actionsNamedIn(parsed));
      return flatFindings(inspectWorkflow(parsed, { context, actions: (reference) => known.get(reference) }));
    },
  };
}

async function lookup(store: Registered, references: readonly string[]): Promise<KnownActions> {
  const found = new Map<string, ActionParameters>();
  const turn = slices();
  for (const reference of references) {
    await turn.next();
    const record = await store.actions.byKey(reference);
    const runner = record && (await store.runnerTypes.byKey(record.runner_type));
    if (record && runner) found.set(reference, mergeParameters(runner.runner_parameters, record.parameters));
  }
  return found;
}
