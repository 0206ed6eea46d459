import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient, responseTo, type AuditRow } from './client';
import { PAGE_SIZE } from './queries';

/** The keys of the cache for what administrators see. */
export const administrationKeys = {
  apiKeys: ['api-keys'] as const,
  audit: ['audit'] as const,
  tokens: ['issued-tokens'] as const,
  roles: ['roles'] as const,
};

/** The API keys that the user may see, with the time of their last use. */
export const allApiKeys = () =>
  queryOptions({
    queryKey: administrationKeys.apiKeys,
    queryFn: () =>
      answerTo(apiClient.GET('/api/v1/apikeys', { params: { query: { limit: -1, last_use: true } as never } })),
  });

/** What the audit trail can be filtered by. The API compares whole values. */
export interface AuditFilter {
  readonly kind?: string;
  readonly outcome?: string;
  readonly user?: string;
  readonly operation?: string;
  readonly resource_type?: string;
  readonly resource?: string;
  readonly address?: string;
  readonly request_id?: string;
  readonly time_gt?: string;
}

export interface PageOfAudit {
  readonly rows: readonly AuditRow[];
  /** How many records match the filter. */
  readonly total: number;
}

/** What the list shows of a record. */
const LISTED = 'id,time,kind,user,operation,resource_type,resource,outcome,status';

/** Records of the audit trail, newest first. */
export const auditPage = (filter: AuditFilter, page: number) =>
  queryOptions({
    queryKey: [...administrationKeys.audit, filter, page],
    queryFn: async (): Promise<PageOfAudit> => {
      const query = { ...filter, limit: PAGE_SIZE, offset: page * PAGE_SIZE, include_attributes: LISTED };
      const { data, headers } = await responseTo(apiClient.GET('/api/v1/audit', { params: { query: query as never } }));
      return { rows: data, total: Number(headers.get('x-total-count') ?? data.length) };
    },
  });

export const auditRecord = (id: string) =>
  queryOptions({
    queryKey: [...administrationKeys.audit, id],
    queryFn: () => answerTo(apiClient.GET('/api/v1/audit/{id}', { params: { path: { id } } })),
    // Records never change.
    staleTime: Infinity,
  });

/** The tokens of the user that have not expired. */
export const ownTokens = () =>
  queryOptions({
    queryKey: administrationKeys.tokens,
    queryFn: () => answerTo(apiClient.GET('/auth/v1/issued_tokens', { params: { query: { limit: -1 } } })),
  });

/** The roles with their grants, and who has which. */
export const rolesAndAssignments = () =>
  queryOptions({
    queryKey: administrationKeys.roles,
    queryFn: async () => {
      const params = { query: { limit: -1 } };
      const [roles, assignments] = await Promise.all([
        answerTo(apiClient.GET('/api/v1/rbac/roles', { params })),
        answerTo(apiClient.GET('/api/v1/rbac/role_assignments', { params })),
      ]);
      return { roles, assignments };
    },
  });

/** The roles of one user; users who are not administrators see only their own. */
export const assignmentsOf = (user: string) =>
  queryOptions({
    queryKey: [...administrationKeys.roles, user],
    queryFn: () => answerTo(apiClient.GET('/api/v1/rbac/role_assignments', { params: { query: { user, limit: -1 } } })),
  });
