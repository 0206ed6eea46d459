import { t } from '@lingui/core/macro';
import { Alert, Anchor, Box, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { RuleRow } from '../api/client';
import { allRules } from '../api/queries';
import { Failure } from '../frame/error-page';
import { ListHead } from '../shared/list-head';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { RuleSwitch } from './rule-switch';
import { ruleInWords } from './rule-words';

/** All rules in words, with a switch for each. The address holds the search. */
export function RulesPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const { data, error, refetch } = useQuery(allRules());
  const found = useMemo(() => matchingRules(data ?? [], text), [data, text]);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <ListHead title={t`Rules`} count={t`${found.length} of ${data.length}`} />
      <PageSearch
        label={t`Search rules`}
        placeholder={t`Name, trigger or action`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title={t`No rules`}>
          {text === ''
            ? t`Install a pack with rules, or create one with svc rule create.`
            : t`No rule matches. Search for another word.`}
        </Alert>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {found.map((rule, index) => (
          <li key={rule.id}>
            <Group wrap="nowrap" align="flex-start" py="xs" px="sm">
              <RuleSwitch rule={rule} />
              <Stack gap={2} style={{ minWidth: 0 }}>
                <Anchor component={Link} to={`/rules/${rule.ref ?? rule.id}`} fw={500} data-list-row={index}>
                  {rule.ref ?? rule.id}
                </Anchor>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {rule.unreadable ?? ruleInWords(rule)}
                </Text>
              </Stack>
            </Group>
          </li>
        ))}
      </Box>
    </>
  );
}

function matchingRules(rules: readonly RuleRow[], text: string): readonly RuleRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (rule: RuleRow) => {
    const searched = `${rule.ref ?? ''} ${ruleInWords(rule)}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  return rules.filter(matches).toSorted((a, b) => (a.ref ?? '').localeCompare(b.ref ?? ''));
}
