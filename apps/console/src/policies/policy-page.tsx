import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { textsOf, type ParameterFields } from '../actions/parameter-values';
import { ValuesForm } from '../actions/values-form';
import type { PolicyDetail } from '../api/client';
import { Failure } from '../frame/error-page';
import { Permitted, uidOfRef } from '../session/permissions';
import { CodeView } from '../shared/code-view';
import { ResourceHead } from '../shared/resource-head';
import { usePageState } from '../shared/use-page-state';
import { editablePolicy, policyOfYaml, replacePolicy, yamlOfPolicy } from './policy-body';
import { POLICIES, policyOf, policyTypes } from './policy-queries';
import { PolicySwitch } from './policy-switch';

/** One policy: its parameters as a form, and all of it as YAML. The address holds the tab. */
export function PolicyPage() {
  const { ref = '' } = useParams();
  const [state, change] = usePageState();
  const { data, error, refetch } = useQuery(policyOf(ref));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  // Both editors start again with what was saved.
  const version = JSON.stringify(editablePolicy(data));
  return (
    <>
      <ResourceHead
        list={{ path: '/policies', label: t`Policies` }}
        within={data.pack}
        name={data.ref}
        description={data.description}
      >
        <PolicySwitch policy={data} />
      </ResourceHead>
      <Text my="sm">
        <Trans>
          {data.policy_type} for{' '}
          <Anchor component={Link} to={`/actions/${data.resource_ref}`} underline="always">
            {data.resource_ref}
          </Anchor>
        </Trans>
      </Text>
      <Tabs
        value={state.get('tab') === 'yaml' ? 'yaml' : 'form'}
        onChange={(tab) => change({ tab: tab === 'yaml' ? tab : null })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="form">
            <Trans>Parameters</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="yaml">YAML</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form" pt="sm" maw={640}>
          <PolicyForm key={version} policy={data} />
        </Tabs.Panel>
        <Tabs.Panel value="yaml" pt="sm">
          <PolicyYaml key={version} policy={data} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function useSave({ ref, enabled }: PolicyDetail) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Record<string, unknown>) => replacePolicy(ref, { enabled, ...body }),
    onSuccess: ({ ref: saved }) => {
      notifications.show({
        title: t`Saved`,
        message: t`It applies to executions that start from now on.`,
        color: 'green',
      });
      if (saved !== ref) void navigate(`/policies/${saved}?tab=yaml`, { replace: true });
    },
    onSettled: () => client.invalidateQueries({ queryKey: POLICIES }),
  });
}

function PolicyForm({ policy }: { policy: PolicyDetail }) {
  const { data, error } = useQuery(policyTypes());
  const save = useSave(policy);
  if (error) return <Failure error={error} />;
  if (!data) return <Loader aria-label={t`Loading the policy types`} />;
  const type = data.find(({ ref }) => ref === policy.policy_type);
  if (!type)
    return (
      <Text c="dimmed">
        <Trans>You may not view this policy type. Edit the policy as YAML.</Trans>
      </Text>
    );
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {type.description}
      </Text>
      <MayChange policy={policy}>
        <ValuesForm
          fields={type.parameters as ParameterFields}
          before={textsOf(policy.parameters)}
          action={t`Save`}
          isPending={save.isPending}
          onSubmit={(parameters) => save.mutate({ ...editablePolicy(policy), parameters })}
        />
      </MayChange>
    </>
  );
}

function PolicyYaml({ policy }: { policy: PolicyDetail }) {
  const [text, setText] = useState(() => yamlOfPolicy(policy));
  const save = useSave(policy);
  const { body, problem } = readText(text);
  return (
    <Stack gap="sm">
      <CodeView label={t`Definition of the policy`} text={text} maxHeight="50vh" onChange={setText} />
      {problem !== undefined && (
        <Alert color="red" role="alert" title={t`This is not a valid policy`}>
          {problem}
        </Alert>
      )}
      <MayChange policy={policy}>
        <Group>
          <Button onClick={() => body && save.mutate(body)} loading={save.isPending} disabled={body === undefined}>
            <Trans>Save</Trans>
          </Button>
        </Group>
      </MayChange>
    </Stack>
  );
}

const MayChange = ({ policy: { ref }, children }: { policy: PolicyDetail; children: ReactNode }) => (
  <Permitted permission="policy_modify" on={[uidOfRef('policy', ref)]} to={t`change this policy`}>
    {children}
  </Permitted>
);

function readText(text: string): { body?: Record<string, unknown>; problem?: string } {
  try {
    return { body: policyOfYaml(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
