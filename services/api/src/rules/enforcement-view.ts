import { microsToIso } from '@switchyard/base';
import type { Executions } from '@switchyard/executions';
import type { ExecutionRecord, RuleEnforcementRecord } from '@switchyard/model';
import {
  attributeNames,
  executionAnswer,
  ruleEnforcementAnswer,
  schemaByName,
  triggerInstanceAnswer,
} from '@switchyard/model/resources';
import { isOneOf, where, type Filter, type Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import { triggerInstanceView } from '../triggers/trigger-views';
import type { Requester } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { visibleExecutions } from '../executions/execution-permissions';
import { visibleRecords } from '../permissions/visible-records';
import { visibleInstances } from '../triggers/trigger-permissions';

type View = Record<string, unknown>;

/** Attributes that are stored under their own names. */
export const ENFORCEMENT_ATTRIBUTES = attributeNames(ruleEnforcementAnswer);

const text = Type.String();
const executionOfView = Type.Object(
  {
    ...Type.Pick(executionAnswer, ['id', 'status', 'start_timestamp', 'parameters']).properties,
    action: Type.Object({ ref: text, parameters: schemaByName }),
    runner: Type.Object({ name: text, runner_parameters: schemaByName }),
  },
  { title: 'ExecutionOfEnforcement' },
);
const nothing = Type.Object({}, { additionalProperties: false });

/** An enforcement with its trigger instance and its execution. */
export const enforcementViewAnswer = Type.Object(
  {
    ...ruleEnforcementAnswer.properties,
    trigger_instance: Type.Union([triggerInstanceAnswer, nothing]),
    execution: Type.Union([executionOfView, nothing]),
  },
  { title: 'RuleEnforcementView' },
);

/** @param record may lack the fields of attributes that were not requested */
export function enforcementView(record: RuleEnforcementRecord): View {
  const { _id, request_key: _key, enforced_at: time, ...shown } = record as Partial<RuleEnforcementRecord>;
  return { id: _id, ...shown, ...(time === undefined ? {} : { enforced_at: microsToIso(time) }) };
}

interface Needed {
  readonly store: Pick<Store, 'triggers' | 'triggerInstances'>;
  readonly executions: Pick<Executions, 'records' | 'view'>;
  readonly config: ApiDependencies['config'];
  readonly identities: ApiDependencies['identities'];
}

/** Enforcements with their trigger instances and executions; `{}` stands for missing ones, and for those that the viewer may not see. */
export async function viewEnforcements(
  deps: Needed,
  records: readonly RuleEnforcementRecord[],
  viewer: Requester,
  showSecrets: boolean,
): Promise<View[]> {
  const { store, executions } = deps;
  const [seenInstances, seenExecutions] = await Promise.all([
    visibleRecords(deps, viewer, visibleInstances(store)),
    visibleRecords(deps, viewer, visibleExecutions),
  ]);
  const [instances, runs] = await Promise.all([
    byId(
      store.triggerInstances,
      records.map((record) => record.trigger_instance_id),
      seenInstances,
    ),
    byId(
      executions.records,
      records.map((record) => record.execution_id),
      seenExecutions,
    ),
  ]);
  return Promise.all(
    records.map(async (record) => {
      const instance = instances.get(record.trigger_instance_id);
      const run = record.execution_id === undefined ? undefined : runs.get(record.execution_id);
      return {
        ...enforcementView(record),
        trigger_instance: instance ? triggerInstanceView(instance) : {},
        execution: run ? await executionPart(executions, run, showSecrets) : {},
      };
    }),
  );
}

async function byId<T extends { _id: string }>(
  records: { list(page: { filter: Filter<T> }): Promise<T[]> },
  ids: readonly (string | undefined)[],
  visible: Filter<T>,
): Promise<Map<string, T>> {
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  const found =
    wanted.length === 0 ? [] : await records.list({ filter: { ...visible, ...where<T>('_id', isOneOf(wanted)) } });
  return new Map(found.map((record) => [record._id, record]));
}

const WANTED: readonly string[] = ['id', 'action', 'runner', 'parameters', 'status', 'start_timestamp'];

async function executionPart(
  { view }: Pick<Executions, 'view'>,
  record: ExecutionRecord,
  showSecrets: boolean,
): Promise<View> {
  const options = { showSecrets, result: false, children: false, wants: (name: string) => WANTED.includes(name) };
  const { action, runner, ...shown } = await view.execution(record, options);
  const { ref, parameters } = action as View;
  const { name, runner_parameters } = runner as View;
  return { ...shown, action: { ref, parameters }, runner: { name, runner_parameters } };
}
