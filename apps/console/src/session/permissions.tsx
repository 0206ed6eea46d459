import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, type ReactNode } from 'react';
import { answerTo, apiClient } from '../api/client';
import { currentUser } from '../api/queries';
import { useSession } from './session';

/** What a user may do, and on which resources; undefined is the current user, by the token. */
export const heldPermissionsOf = (user: string | undefined, token: string | undefined) =>
  queryOptions({
    queryKey: ['permissions', user, token],
    queryFn: () => answerTo(apiClient.GET('/api/v1/user/permissions', { params: { query: user ? { user } : {} } })),
    staleTime: 60_000,
    retry: false,
  });

/** In place of a uid: the resource is not known yet. */
export const ANY_RESOURCE = '*';

/**
 * Whether the current user may do something.
 * @param permission a permission type, or `administrators`
 * @param resources uids, such as `rule:core:greet`; a permission on one of them, or on its pack, is enough. `ANY_RESOURCE`
 * asks whether there is any
 */
type PermissionCheck = (permission: string, ...resources: readonly string[]) => boolean;

/** Checks what the current user may do, as far as known: the API checks each request anyway. */
export function usePermissionCheck(): PermissionCheck {
  const token = useSession()?.token;
  const { data: user } = useQuery(currentUser(token));
  const { data: held } = useQuery(heldPermissionsOf(undefined, token));
  return useCallback(
    (permission, ...resources) => {
      if (!user || user.rbac.is_admin) return true;
      if (permission === 'administrators') return false;
      if (!held) return true;
      const found = held.find(({ permission_type: type }) => type === permission);
      if (!found) return false;
      if (resources.includes(ANY_RESOURCE)) return true;
      const accepted = new Set(resources.flatMap((uid) => [uid, packOf(uid)]));
      return found.everywhere || found.resources.some((uid) => accepted.has(uid));
    },
    [user, held],
  );
}

/** Whether the current user may do something. */
export const useMay: PermissionCheck = (permission, ...resources) => usePermissionCheck()(permission, ...resources);

/** `pack:core` for `rule:core:greet`. */
const packOf = (uid: string): string => `pack:${uid.split(':')[1] ?? ''}`;

/** The uid of a rule or an action by its reference: `rule:core:greet` for `core.greet`. */
export function uidOfRef(type: string, ref: string): string {
  const dot = ref.indexOf('.');
  return `${type}:${ref.slice(0, dot)}:${ref.slice(dot + 1)}`;
}

/** The uids whose grants apply to an execution. */
export const uidsOfExecution = (id: string, action: string | undefined): string[] => [
  `execution:${id}`,
  ...(action === undefined ? [] : [uidOfRef('action', action)]),
];

interface PermittedProps {
  readonly permission: string;
  /** Uids; a permission on one of them is enough. */
  readonly on?: readonly string[];
  /** What it is about: "run this action". */
  readonly to: string;
  readonly children: ReactNode;
}

/** Controls for users who may use them; others see the reason why they are absent. */
export function Permitted({ permission, on = [], to, children }: PermittedProps) {
  if (useMay(permission, ...on)) return children;
  return (
    <Text size="sm" c="dimmed">
      {permission === 'administrators'
        ? t`Only administrators may ${to}.`
        : t`Your roles do not permit you to ${to} (${permission}).`}
    </Text>
  );
}
