import { isFault, microsToIso } from '@switchyard/base';
import type { RuleRecord } from '@switchyard/model';
import type { ApiDependencies } from '../../api-dependencies';
import type { Reader } from './backtest';
import type { ReadyRun } from './rehearse-correlation';

/** What a rule would have run, or why it would not. Secrets are masked. */
export interface RehearsedRun {
  trigger_instance: string;
  occurrence_time: string;
  action: string;
  parameters?: Record<string, unknown>;
  failure_reason?: string;
}

export async function rehearsedRun(
  { executions }: Pick<ApiDependencies, 'executions'>,
  { action, problem }: RuleRecord,
  { instance, payload, failure = problem, reader }: ReadyRun & { readonly reader: Reader },
): Promise<RehearsedRun> {
  const about = {
    trigger_instance: instance._id,
    occurrence_time: microsToIso(instance.occurrence_time),
    action: action.ref,
  };
  if (failure !== undefined) return { ...about, failure_reason: failure };
  try {
    const { parameters } = await executions.rehearse({
      action: action.ref,
      parameters: action.parameters,
      ...reader,
      names: { trigger: payload },
    });
    return { ...about, parameters };
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return { ...about, failure_reason: error.message };
  }
}
