import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, SegmentedControl, Select, Stack, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerTo, apiClient, type RuleDetail } from '../api/client';
import { keys } from '../api/queries';
import { Permitted, uidOfRef } from '../session/permissions';
import { CodeView } from '../shared/code-view';
import { usePageState } from '../shared/use-page-state';
import { BacktestOutcome } from './backtest-outcome';
import { replaceRule, ruleOfYaml, yamlOfMembers, yamlOfRule } from './rule-body';
import { RuleForm } from './rule-form';

/** The definition of a rule as YAML or as fields, which can be tested on past events before it is saved. */
export function RuleEditor({ rule }: { rule: RuleDetail }) {
  const [text, setText] = useState(() => yamlOfRule(rule));
  const problem = problemIn(text);
  return (
    <Stack gap="sm" component="section">
      <Definition text={text} isValid={problem === undefined} onChange={setText} />
      {problem !== undefined && (
        <Alert color="red" role="alert" title={t`This is not a valid rule`}>
          {problem}
        </Alert>
      )}
      <Controls rule={rule} text={text} isValid={problem === undefined} />
    </Stack>
  );
}

const FORMS = [
  { value: 'yaml', label: 'YAML' },
  { value: 'fields', label: t`Fields` },
];

interface DefinitionProps {
  readonly text: string;
  readonly isValid: boolean;
  readonly onChange: (text: string) => void;
}

/** The address holds the form. A text that is not a rule is shown as it is. */
function Definition({ text, isValid, onChange }: DefinitionProps) {
  const [state, change] = usePageState();
  const form = state.get('form') === 'fields' ? 'fields' : 'yaml';
  return (
    <>
      <Group justify="space-between">
        <Title order={2}>
          <Trans>Definition</Trans>
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t`Form of the definition`}
          data={FORMS}
          value={form}
          onChange={(next) => change({ form: next === 'yaml' ? null : next })}
        />
      </Group>
      {form === 'fields' && isValid ? (
        <RuleForm rule={ruleOfYaml(text)} onChange={(next) => onChange(yamlOfMembers(next))} />
      ) : (
        <CodeView label={t`Definition of the rule`} text={text} maxHeight="50vh" onChange={onChange} />
      )}
    </>
  );
}

const RANGES_OF_EVENTS = [
  { value: '1h', label: t`of the last hour` },
  { value: '1d', label: t`of the last day` },
  { value: '7d', label: t`of the last 7 days` },
];

interface ControlsProps {
  readonly rule: RuleDetail;
  readonly text: string;
  readonly isValid: boolean;
}

function Controls({ rule, text, isValid }: ControlsProps) {
  const [since, setSince] = useState('1d');
  const save = useSave(rule, text);
  const backtest = useMutation({
    mutationFn: () =>
      answerTo(apiClient.POST('/api/v1/rules/backtest', { body: { rule: ruleOfYaml(text) as never, since } })),
  });
  const resource = [uidOfRef('rule', rule.ref)];
  return (
    <>
      <Group gap="xs" align="flex-end">
        <Permitted permission="rule_modify" on={resource} to={t`change this rule`}>
          <Button onClick={() => save.mutate()} loading={save.isPending} disabled={!isValid}>
            <Trans>Save</Trans>
          </Button>
        </Permitted>
        <Permitted permission="rule_create" on={resource} to={t`test rules on events`}>
          <Button variant="default" onClick={() => backtest.mutate()} loading={backtest.isPending} disabled={!isValid}>
            <Trans>Test on events</Trans>
          </Button>
        </Permitted>
        <Select
          aria-label={t`Events to test the rule on`}
          data={RANGES_OF_EVENTS}
          value={since}
          onChange={(value) => setSince(value ?? '1d')}
          allowDeselect={false}
          w={170}
        />
      </Group>
      {backtest.data && <BacktestOutcome of={backtest.data} />}
    </>
  );
}

function useSave(rule: RuleDetail, text: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => replaceRule(rule.ref, { enabled: rule.enabled, ...ruleOfYaml(text) }),
    onSuccess: () =>
      notifications.show({ title: t`Saved`, message: t`${rule.ref} applies to new events.`, color: 'green' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.rules }),
        client.invalidateQueries({ queryKey: keys.rule(rule.ref) }),
      ]),
  });
}

/** The error in the text, if there is one. */
function problemIn(text: string): string | undefined {
  try {
    ruleOfYaml(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
