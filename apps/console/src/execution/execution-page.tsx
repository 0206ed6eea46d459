import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Loader, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import type { ShownExecution } from '../api/client';
import { execution } from '../api/queries';
import { Failure } from '../frame/error-page';
import { JsonValue } from '../shared/json-value';
import { usePageState } from '../shared/use-page-state';
import { ChildExecutions } from './child-executions';
import { ExecutionHead } from './execution-head';
import { ExecutionOutput } from './execution-output';
import { FailureCause } from './failure-cause';
import { StatusLog } from './status-log';
import { shownNumber } from '../locales/language';

const WorkflowRun = lazy(async () => ({ default: (await import('../workflow/workflow-run')).WorkflowRunView }));

/** One execution. The address names the open tab. */
export function ExecutionPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(execution(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <ExecutionHead of={data} />
      <FailureCause of={data} />
      <ExecutionTabs of={data} />
    </>
  );
}

function ExecutionTabs({ of }: { of: ShownExecution }) {
  const [state, change] = usePageState();
  const isWorkflow = of.liveaction?.action_is_workflow === true;
  const hasChildren = isWorkflow || (of.children?.length ?? 0) > 0;
  const tab = state.get('tab') ?? (isWorkflow ? 'workflow' : 'result');
  const open = (name: string | null) => change({ tab: name, view: null, task: null });
  return (
    <Tabs value={tab} onChange={open} mt="md" keepMounted={false}>
      <Tabs.List>
        {isWorkflow && (
          <Tabs.Tab value="workflow">
            <Trans>Workflow</Trans>
          </Tabs.Tab>
        )}
        <Tabs.Tab value="result">
          <Trans>Result</Trans>
        </Tabs.Tab>
        {!isWorkflow && (
          <Tabs.Tab value="output">
            <Trans>Output</Trans>
          </Tabs.Tab>
        )}
        <Tabs.Tab value="input">
          <Trans>Input</Trans>
        </Tabs.Tab>
        {hasChildren && (
          <Tabs.Tab value="children">
            <Trans>Tasks</Trans>
          </Tabs.Tab>
        )}
        <Tabs.Tab value="log">
          <Trans>Log</Trans>
        </Tabs.Tab>
      </Tabs.List>
      <Box pt="md">
        <Tabs.Panel value="workflow">
          <Suspense fallback={<Loader aria-label={t`Loading`} />}>
            <WorkflowRun of={of} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="result">
          <Result of={of} />
        </Tabs.Panel>
        <Tabs.Panel value="output">
          <ExecutionOutput key={of.id} id={of.id} />
        </Tabs.Panel>
        <Tabs.Panel value="input">
          <JsonValue value={of.parameters ?? {}} label={t`input`} />
        </Tabs.Panel>
        <Tabs.Panel value="children">
          <ChildExecutions id={of.id} />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <StatusLog of={of} />
        </Tabs.Panel>
      </Box>
    </Tabs>
  );
}

function Result({ of: { result, result_size: size, status } }: { of: ShownExecution }) {
  if (result !== undefined) return <JsonValue value={result} label={t`result`} />;
  if (size !== undefined && size > 0) {
    return (
      <Alert color="gray">
        <Trans>The result has {shownNumber(size)} bytes, which is too large to be shown here.</Trans>
      </Alert>
    );
  }
  return <Text c="dimmed">{status === 'succeeded' ? t`There is no result.` : t`There is no result yet.`}</Text>;
}
