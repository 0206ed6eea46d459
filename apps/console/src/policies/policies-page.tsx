import { t } from '@lingui/core/macro';
import { Alert, Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PolicyRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { containsWords } from '../shared/contains-words';
import { FilterChoice } from '../shared/filters';
import { ListByPack } from '../shared/list-by-pack';
import { ListHead } from '../shared/list-head';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { allPolicies, policyTypes } from './policy-queries';
import { PolicySwitch } from './policy-switch';

/** All policies by pack, with a switch for each. The address holds the type and the search. */
export function PoliciesPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const type = state.get('type');
  const { data, error, refetch } = useQuery(allPolicies());
  const { data: types = [] } = useQuery(policyTypes());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  const found = data.filter(
    (policy) =>
      (type === null || policy.policy_type === type) &&
      containsWords(text, policy.ref, policy.description, policy.resource_ref),
  );
  return (
    <>
      <ListHead title={t`Policies`} count={t`${found.length} of ${data.length}`} />
      <Group align="flex-start">
        <PageSearch
          label={t`Search policies`}
          placeholder={t`Pack, name or action`}
          value={text}
          onChange={(value) => change({ text: value })}
        />
        <FilterChoice
          label={t`Policy type`}
          choices={types.flatMap(({ ref }) => ref ?? [])}
          value={type}
          onChange={(value) => change({ type: value })}
        />
      </Group>
      {found.length === 0 && (
        <Alert color="gray" title={t`No policies`}>
          {data.length === 0
            ? t`Policies limit and repeat the executions of actions. Packs bring them, and svc policy create creates them.`
            : t`No policy matches. Search for another word, or clear the type.`}
        </Alert>
      )}
      <ListByPack rows={found}>{(policy, index) => <PolicyLine policy={policy} index={index} />}</ListByPack>
    </>
  );
}

function PolicyLine({ policy, index }: { policy: PolicyRow; index: number }) {
  const { id, ref = id, name = ref, policy_type: type, resource_ref: action, unreadable } = policy;
  return (
    <Group wrap="nowrap" py="xs" px="sm">
      <PolicySwitch policy={policy} />
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Anchor component={Link} to={`/policies/${ref}`} fw={500} data-list-row={index}>
          {name}
        </Anchor>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {unreadable ?? t`${type ?? ''} for ${action ?? ''}`}
        </Text>
      </Stack>
    </Group>
  );
}
