import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient } from '../api/client';

/** The key of everything about policies. */
export const POLICIES = ['policies'] as const;

export const allPolicies = () =>
  queryOptions({
    queryKey: [...POLICIES, 'all'],
    queryFn: () => answerTo(apiClient.GET('/api/v1/policies', { params: { query: { limit: -1 } } })),
  });

export const policyOf = (ref: string) =>
  queryOptions({
    queryKey: [...POLICIES, 'one', ref],
    queryFn: () => answerTo(apiClient.GET('/api/v1/policies/{ref_or_id}', { params: { path: { ref_or_id: ref } } })),
  });

/** The types of policies, which never change while the system runs. */
export const policyTypes = () =>
  queryOptions({
    queryKey: ['policy types'],
    queryFn: () => answerTo(apiClient.GET('/api/v1/policytypes', { params: { query: { limit: -1 } } })),
    staleTime: Infinity,
  });
