import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient, responseTo, type ExecutionRow, type ShownExecution } from './client';

/** The keys of the cache. The first part of a list's key is what an event invalidates. */
export const keys = {
  /** Keyed by the token, so that it is read again after a login. */
  user: (token: string | undefined) => ['user', token] as const,
  pages: ['executions', 'page'] as const,
  filterValues: ['executions', 'filters'] as const,
  statistics: ['executions', 'statistics'] as const,
  execution: (id: string) => ['execution', id] as const,
  children: (id: string) => ['children', id] as const,
  graph: (id: string) => ['graph', id] as const,
  actions: ['actions'] as const,
  action: (ref: string) => ['action', ref] as const,
  inquiries: ['inquiries'] as const,
  rules: ['rules'] as const,
  rule: (ref: string) => ['rule', ref] as const,
  enforcements: (of: EnforcementFilter) => ['enforcements', of] as const,
  events: ['events'] as const,
  event: (id: string) => ['event', id] as const,
  triggerTypes: ['triggertypes'] as const,
  datastore: ['datastore'] as const,
  status: ['status'] as const,
  packs: ['packs'] as const,
  pack: (ref: string) => ['pack', ref] as const,
  packIndex: ['pack-index'] as const,
  packConfiguration: (ref: string) => ['pack-configuration', ref] as const,
};

export interface PageOfExecutions {
  readonly rows: readonly ExecutionRow[];
  /** The number of executions that match the filter. */
  readonly total: number;
}

/** What the list of executions can be filtered by. Empty values do not filter. */
export interface ExecutionFilter {
  readonly id?: string;
  readonly filter?: string;
  readonly status?: string;
  readonly action?: string;
  readonly user?: string;
  readonly rule?: string;
  readonly parent?: string;
  readonly timestamp_gt?: string;
  readonly timestamp_lt?: string;
}

export const PAGE_SIZE = 100;

/** The attributes that the list shows: whole executions may be large. */
const LISTED =
  'id,action.ref,action.runner_type,status,start_timestamp,end_timestamp,elapsed_seconds,context.user,parent,rule.ref,waiting_for';

export const executionPage = (filter: ExecutionFilter, page: number) =>
  queryOptions({
    queryKey: [...keys.pages, filter, page],
    queryFn: async (): Promise<PageOfExecutions> => {
      const query = {
        ...filter,
        limit: PAGE_SIZE,
        offset: page * PAGE_SIZE,
        include_attributes: LISTED,
        sort_desc: '1',
      };
      const { data, headers } = await responseTo(
        apiClient.GET('/api/v1/executions', { params: { query: query as never } }),
      );
      return { rows: data, total: Number(headers.get('x-total-count') ?? data.length) };
    },
  });

/** Often enough to be called live, and seldom enough for a server with many readers. */
const STATISTICS_MS = 10_000;

/** A range of time. Without a `to`, it ends now. */
export interface TimePeriod {
  /** How many seconds before the end, or the time in ISO 8601. */
  readonly from: number | string;
  readonly to?: string;
}

/** Figures of the executions that started in a period. */
export const executionStatistics = (filter: ExecutionFilter, { from, to }: TimePeriod) =>
  queryOptions({
    queryKey: [...keys.statistics, filter, from, to],
    queryFn: () => {
      const end = to === undefined ? Date.now() : Date.parse(to);
      const query = {
        ...filter,
        from: typeof from === 'string' ? from : new Date(end - from * 1000).toISOString(),
        ...(to !== undefined && { to }),
      };
      return answerTo(apiClient.GET('/api/v1/executions/views/statistics', { params: { query: query as never } }));
    },
    refetchInterval: STATISTICS_MS,
    placeholderData: keepPreviousData,
  });

export const currentUser = (token: string | undefined) =>
  queryOptions({
    queryKey: keys.user(token),
    queryFn: () => answerTo(apiClient.GET('/api/v1/user')),
    staleTime: Infinity,
    retry: false,
  });

export const filterValues = () =>
  queryOptions({
    queryKey: keys.filterValues,
    queryFn: () => answerTo(apiClient.GET('/api/v1/executions/views/filters')),
    staleTime: 60_000,
  });

export const execution = (id: string) =>
  queryOptions({
    queryKey: keys.execution(id),
    queryFn: async () => {
      const found = await answerTo(apiClient.GET('/api/v1/executions/{id}', { params: { path: { id } } }));
      // Only requests that select attributes receive a part of an execution.
      return found as ShownExecution;
    },
  });

export const childrenOf = (id: string) =>
  queryOptions({
    queryKey: keys.children(id),
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/executions/{id}/children', {
          params: { path: { id }, query: { depth: 1, result_fmt: 'sorted' } },
        }),
      ),
  });

export const graphOf = (id: string) =>
  queryOptions({
    queryKey: keys.graph(id),
    queryFn: () => answerTo(apiClient.GET('/api/v1/executions/{id}/graph', { params: { path: { id } } })),
  });

/** The variables of a workflow before and after one run of a task. Read again when the graph is. */
export const taskVariables = (id: string, run: string) =>
  queryOptions({
    queryKey: [...keys.graph(id), 'context', run],
    queryFn: () =>
      answerTo(apiClient.GET('/api/v1/executions/{id}/tasks/{task}/context', { params: { path: { id, task: run } } })),
  });

export const allActions = () =>
  queryOptions({
    queryKey: keys.actions,
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/actions', {
          params: {
            query: { limit: -1, include_attributes: 'id,ref,name,pack,description,enabled,runner_type' } as never,
          },
        }),
      ),
    staleTime: 30_000,
  });

export const action = (ref: string) =>
  queryOptions({
    queryKey: keys.action(ref),
    queryFn: async () => {
      const params = { path: { ref_or_id: ref } };
      const [about, { parameters }] = await Promise.all([
        answerTo(apiClient.GET('/api/v1/actions/{ref_or_id}', { params })),
        answerTo(apiClient.GET('/api/v1/actions/views/parameters/{ref_or_id}', { params })),
      ]);
      return { about, parameters };
    },
  });

/** The text of the file that an action runs. */
export const sourceOfAction = (ref: string) =>
  queryOptions({
    queryKey: ['definition', ref],
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/actions/views/entry_point/{ref_or_id}', {
          params: { path: { ref_or_id: ref } },
          parseAs: 'text',
        }),
      ),
  });

export const openInquiries = () =>
  queryOptions({
    queryKey: keys.inquiries,
    queryFn: () => answerTo(apiClient.GET('/api/v1/inquiries', { params: { query: { limit: 100 } } })),
    refetchInterval: 15_000,
  });

export const allRules = () =>
  queryOptions({
    queryKey: keys.rules,
    queryFn: () => answerTo(apiClient.GET('/api/v1/rules', { params: { query: { limit: -1 } } })),
  });

export const ruleOf = (ref: string) =>
  queryOptions({
    queryKey: keys.rule(ref),
    queryFn: () => answerTo(apiClient.GET('/api/v1/rules/{ref_or_id}', { params: { path: { ref_or_id: ref } } })),
  });

export type EnforcementFilter = { readonly rule_ref: string } | { readonly trigger_instance: string };

/** The latest enforcements of a rule, or those for an event. */
export const enforcementsOf = (of: EnforcementFilter) =>
  queryOptions({
    queryKey: keys.enforcements(of),
    queryFn: () => answerTo(apiClient.GET('/api/v1/ruleenforcements', { params: { query: { ...of, limit: 20 } } })),
    refetchInterval: 10_000,
  });

export const systemStatus = () =>
  queryOptions({
    queryKey: keys.status,
    queryFn: () => answerTo(apiClient.GET('/api/v1/status')),
    refetchInterval: 5000,
  });

export const triggerTypes = () =>
  queryOptions({
    queryKey: keys.triggerTypes,
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/triggertypes', {
          params: { query: { limit: -1, include_attributes: 'id,ref,description' } as never },
        }),
      ),
    staleTime: 30_000,
  });

/** The items of one scope, secrets masked. */
export const datastoreItems = (scope: string) =>
  queryOptions({
    queryKey: [...keys.datastore, scope],
    queryFn: () => answerTo(apiClient.GET('/api/v1/keys', { params: { query: { scope, limit: -1 } as never } })),
  });
