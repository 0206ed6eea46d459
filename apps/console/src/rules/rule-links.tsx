import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { allRules } from '../api/queries';
import { listensTo, ruleInWords } from './rule-words';

/** Links to the rules that listen to a trigger, or to any trigger of a type. */
export function RuleLinks({ trigger }: { trigger: string }) {
  const { data, error } = useQuery(allRules());
  if (error)
    return (
      <Text size="sm">
        <Trans>The rules cannot be read: {error.message}</Trans>
      </Text>
    );
  const rules = (data ?? []).filter((rule) => listensTo(rule, trigger));
  if (data && rules.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>No rule that you may view uses it.</Trans>
      </Text>
    );
  }
  return (
    <List size="sm" listStyleType="none" spacing="xs">
      {rules.map((rule) => (
        <List.Item key={rule.id}>
          <Anchor component={Link} to={`/rules/${rule.ref ?? rule.id}`} size="sm">
            {rule.ref ?? rule.id}
          </Anchor>
          {rule.enabled === false && ` ${t`(disabled)`}`}
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {ruleInWords(rule)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
