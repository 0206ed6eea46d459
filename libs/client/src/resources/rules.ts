import type { Backtest, Rule, RuleEnforcement } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf, records, requestPage, type ListPage, type ListQuery, type Records } from './records';

export interface RulesResource extends Omit<Records<Rule>, 'list'> {
  list(query?: ListQuery): Promise<ListPage<Rule>>;
  /** What a rule would have run for past trigger instances. @param rule a definition, or the ref of a stored rule */
  backtest(rule: Record<string, unknown> | string, since?: string): Promise<Backtest>;
}

const RULES = ['rules'];

export const rulesResource = (transport: ApiTransport): RulesResource => ({
  ...records<Rule>(transport, RULES),
  list: (query = {}) => requestPage<Rule>(transport, RULES, query),
  backtest: (rule, since) =>
    answerOf(transport, 'POST', [...RULES, 'backtest'], { rule, ...(since === undefined ? {} : { since }) }),
});

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
