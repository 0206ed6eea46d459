import { Alert, Button, Grid, Group, Loader, Select, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { answerTo, apiClient, type RuleDetail } from '../api/client';
import { enforcementsOf, keys, ruleOf } from '../api/queries';
import { Failure } from '../frame/error-page';
import { Permitted, uidOfRef } from '../session/permissions';
import { CodeView } from '../shared/code-view';
import { ResourceHead } from '../shared/resource-head';
import { BacktestOutcome } from './backtest-outcome';
import { replaceRule, ruleOfYaml, yamlOfRule } from './rule-body';
import { EnforcementList } from './enforcement-list';
import { RuleSwitch } from './rule-switch';
import { ruleInWords } from './rule-words';

/** One rule: in words, as YAML that can be edited and tested on past events, and its latest enforcements. */
export function RulePage() {
  const { ref = '' } = useParams();
  const { data, error, refetch } = useQuery(ruleOf(ref));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label="Loading" />;
  return (
    <>
      <ResourceHead
        list={{ path: '/rules', label: 'Rules' }}
        within={data.pack}
        name={data.ref}
        description={data.description}
      >
        <RuleSwitch rule={data} />
      </ResourceHead>
      <Text my="sm">{ruleInWords(data)}</Text>
      {data.error && <Alert color="red">{data.error}</Alert>}
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <RuleEditor key={data.ref} rule={data} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <EnforcementList of={enforcementsOf({ rule_ref: data.ref })} none="No event has matched this rule yet." />
        </Grid.Col>
      </Grid>
    </>
  );
}

const RANGES_OF_EVENTS = [
  { value: '1h', label: 'of the last hour' },
  { value: '1d', label: 'of the last day' },
  { value: '7d', label: 'of the last 7 days' },
];

function RuleEditor({ rule }: { rule: RuleDetail }) {
  const client = useQueryClient();
  const [text, setText] = useState(() => yamlOfRule(rule));
  const [since, setSince] = useState('1d');
  const checked = checkedRule(text);
  const save = useMutation({
    mutationFn: () => replaceRule(rule.ref, { enabled: rule.enabled, ...ruleOfYaml(text) }),
    onSuccess: () =>
      notifications.show({ title: 'Saved', message: `${rule.ref} applies to new events.`, color: 'green' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.rules }),
        client.invalidateQueries({ queryKey: keys.rule(rule.ref) }),
      ]),
  });
  const backtest = useMutation({
    mutationFn: () =>
      answerTo(apiClient.POST('/api/v1/rules/backtest', { body: { rule: ruleOfYaml(text) as never, since } })),
  });
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>Definition</Title>
      <CodeView label="Definition of the rule" text={text} maxHeight="50vh" onChange={setText} />
      {checked !== undefined && (
        <Alert color="red" role="alert" title="This is not a valid rule">
          {checked}
        </Alert>
      )}
      <Group gap="xs" align="flex-end">
        <Permitted permission="rule_modify" on={[uidOfRef('rule', rule.ref)]} to="change this rule">
          <Button onClick={() => save.mutate()} loading={save.isPending} disabled={checked !== undefined}>
            Save
          </Button>
        </Permitted>
        <Permitted permission="rule_create" on={[uidOfRef('rule', rule.ref)]} to="test rules on events">
          <Button
            variant="default"
            onClick={() => backtest.mutate()}
            loading={backtest.isPending}
            disabled={checked !== undefined}
          >
            Test on events
          </Button>
        </Permitted>
        <Select
          aria-label="Events to test the rule on"
          data={RANGES_OF_EVENTS}
          value={since}
          onChange={(value) => setSince(value ?? '1d')}
          allowDeselect={false}
          w={170}
        />
      </Group>
      {backtest.data && <BacktestOutcome of={backtest.data} />}
    </Stack>
  );
}

/** The error in the text, if there is one. */
function checkedRule(text: string): string | undefined {
  try {
    ruleOfYaml(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
