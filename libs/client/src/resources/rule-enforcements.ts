import type { Transport } from '../transport/transport';
import { readPage, type ListQuery, type Page } from './list-query';

/** What became of a rule that matched. */
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
  list(query?: ListQuery): Promise<Page<RuleEnforcement>>;
  /** @throws ApiError with status 404 when there is none */
  get(id: string): Promise<RuleEnforcement>;
}

const PATH = ['ruleenforcements'];

export const createRuleEnforcements = (transport: Transport): RuleEnforcements => ({
  list: (query = {}) => readPage<RuleEnforcement>(transport, PATH, query),
  get: async (id) =>
    (await transport.json<RuleEnforcement>({ service: 'api', method: 'GET', path: [...PATH, id] })).body,
});
