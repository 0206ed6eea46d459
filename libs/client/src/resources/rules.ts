import type { Transport } from '../transport/transport';
import { readPage, type ListQuery, type Page } from './list-query';
import { answerOf, records, type PackContent, type Records } from './records';

/** A rule as the API shows it. */
export interface Rule extends PackContent {
  enabled: boolean;
  type: { ref: string; parameters: Record<string, unknown> };
  /** The reference alone, when the trigger is gone. */
  trigger: { type: string; ref: string; parameters: Record<string, unknown> } | string;
  criteria: Record<string, Record<string, unknown>>;
  action: { ref: string; parameters: Record<string, unknown>; description?: string };
  context: Record<string, unknown>;
  tags: { name: string; value: string }[];
  correlation?: Record<string, unknown>;
  /** Why the parameters of the action cannot be shown. */
  error?: string;
}

export interface Rules extends Omit<Records<Rule>, 'list'> {
  list(query?: ListQuery): Promise<Page<Rule>>;
  /** What a rule would have run for what has happened. @param rule as it would be created, or the ref of one that is there */
  backtest(rule: Record<string, unknown> | string, since?: string): Promise<Backtest>;
}

export interface Backtest {
  /** Reference of the trigger whose instances were looked at. */
  trigger: string;
  instances: number;
  /** False when there were more than the server looks at or shows. */
  complete: boolean;
  matched: number;
  suppressed: number;
  runs: BacktestRun[];
}

export interface BacktestRun {
  trigger_instance: string;
  occurrence_time: string;
  action?: string;
  parameters?: Record<string, unknown>;
  failure_reason?: string;
}

const PATH = ['rules'];

export const createRules = (transport: Transport): Rules => ({
  ...records<Rule>(transport, PATH),
  list: (query = {}) => readPage<Rule>(transport, PATH, query),
  backtest: (rule, since) =>
    answerOf(transport, 'POST', [...PATH, 'backtest'], { rule, ...(since === undefined ? {} : { since }) }),
});
