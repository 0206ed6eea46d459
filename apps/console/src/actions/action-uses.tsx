import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answerTo, apiClient } from '../api/client';
import { usePermissionCheck } from '../session/permissions';

interface NamedUse {
  readonly id: string;
  readonly ref?: string;
}

const NAMES = { limit: -1, include_attributes: 'id,ref' };

const rulesOf = (action: string) =>
  queryOptions({
    queryKey: ['rules', 'of action', action],
    queryFn: () => answerTo(apiClient.GET('/api/v1/rules', { params: { query: { ...NAMES, action } as never } })),
  });

const aliasesOf = (action: string) =>
  queryOptions({
    queryKey: ['aliases', 'of action', action],
    queryFn: () =>
      answerTo(apiClient.GET('/api/v1/actionalias', { params: { query: { ...NAMES, action_ref: action } as never } })),
  });

const policiesOf = (action: string) =>
  queryOptions({
    queryKey: ['policies', 'of action', action],
    queryFn: () =>
      answerTo(apiClient.GET('/api/v1/policies', { params: { query: { ...NAMES, resource_ref: action } as never } })),
  });

/** The rules, aliases and policies of an action, as far as the user may see them. */
export function ActionUses({ actionRef }: { actionRef: string }) {
  const may = usePermissionCheck();
  const rules = useQuery({ ...rulesOf(actionRef), enabled: may('rule_list') });
  const aliases = useQuery({ ...aliasesOf(actionRef), enabled: may('action_alias_list') });
  const policies = useQuery({ ...policiesOf(actionRef), enabled: may('policy_list') });
  const uses = [
    ...usesIn(t`rule`, rules.data, (ref) => `/rules/${ref}`),
    ...usesIn(t`alias`, aliases.data, (ref) => `/aliases?text=${ref}`),
    ...usesIn(t`policy`, policies.data, (ref) => `/policies/${ref}`),
  ];
  return (
    <Box component="section" mt="lg" aria-label={t`Used by`}>
      <Title order={2} mb="sm">
        <Trans>Used by</Trans>
      </Title>
      {uses.length === 0 && (
        <Text c="dimmed">
          <Trans>No rule, alias or policy names this action.</Trans>
        </Text>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {uses.map(({ kind, ref, path }) => (
          <Group key={path} component="li" gap="xs" wrap="nowrap" py={4}>
            <Text size="sm" c="dimmed" w={50} style={{ flexShrink: 0 }}>
              {kind}
            </Text>
            <Anchor component={Link} to={path} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {ref}
            </Anchor>
          </Group>
        ))}
      </Box>
    </Box>
  );
}

const usesIn = (kind: string, rows: readonly NamedUse[] | undefined, pathTo: (ref: string) => string) =>
  (rows ?? []).map(({ id, ref = id }) => ({ kind, ref, path: pathTo(ref) }));
