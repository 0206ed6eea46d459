import type { ApiTransport } from '../transport/transport';
import {
  answerOf,
  records,
  requestPage,
  type ListPage,
  type ListQuery,
  type PackContent,
  type Records,
} from './records';

/** A rule as the API shows it. */
export interface Rule extends PackContent {
  enabled: boolean;
  type: { ref: string; parameters: Record<string, unknown> };
  /** Only the reference if the trigger no longer exists. */
  trigger: { type: string; ref: string; parameters: Record<string, unknown> } | string;
  criteria: Record<string, Record<string, unknown>>;
  action: { ref: string; parameters: Record<string, unknown>; description?: string };
  context: Record<string, unknown>;
  tags: { name: string; value: string }[];
  correlation?: Record<string, unknown>;
  /** Why the parameters of the action cannot be shown. */
  error?: string;
}

export interface RulesResource extends Omit<Records<Rule>, 'list'> {
  list(query?: ListQuery): Promise<ListPage<Rule>>;
  /** What a rule would have run for past trigger instances. @param rule a definition, or the ref of a stored rule */
  backtest(rule: Record<string, unknown> | string, since?: string): Promise<Backtest>;
}

export interface Backtest {
  /** Reference of the trigger whose instances were checked. */
  trigger: string;
  instances: number;
  /** False if there were more instances than the server checks or returns. */
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

const RULES = ['rules'];

export const rulesResource = (transport: ApiTransport): RulesResource => ({
  ...records<Rule>(transport, RULES),
  list: (query = {}) => requestPage<Rule>(transport, RULES, query),
  backtest: (rule, since) =>
    answerOf(transport, 'POST', [...RULES, 'backtest'], { rule, ...(since === undefined ? {} : { since }) }),
});

/** The outcome of a rule that matched. */
export interface RuleEnforcement {
  id: string;
  rule: { ref: string; id: string; uid: string };
  trigger_instance_id: string;
  execution_id?: string;
  failure_reason?: string;
  enforced_at: string;
  status: string;
}

export interface RuleEnforcements {
  list(query?: ListQuery): Promise<ListPage<RuleEnforcement>>;
  /** @throws ApiError with status 404 if it does not exist */
  get(id: string): Promise<RuleEnforcement>;
}

const ENFORCEMENTS = ['ruleenforcements'];

export const createRuleEnforcements = (transport: ApiTransport): RuleEnforcements => ({
  list: (query = {}) => requestPage<RuleEnforcement>(transport, ENFORCEMENTS, query),
  get: async (id) =>
    (await transport.json<RuleEnforcement>({ service: 'api', method: 'GET', path: [...ENFORCEMENTS, id] })).body,
});
