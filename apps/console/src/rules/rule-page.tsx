import { t } from '@lingui/core/macro';
import { Alert, Grid, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { enforcementsOf, ruleOf } from '../api/queries';
import { Failure } from '../frame/error-page';
import { ResourceHead } from '../shared/resource-head';
import { EnforcementList } from './enforcement-list';
import { RuleEditor } from './rule-editor';
import { RuleSwitch } from './rule-switch';
import { ruleInWords } from './rule-words';

/** One rule: in words, as text and fields that can be edited and tested on past events, and its latest enforcements. */
export function RulePage() {
  const { ref = '' } = useParams();
  const { data, error, refetch } = useQuery(ruleOf(ref));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <ResourceHead
        list={{ path: '/rules', label: t`Rules` }}
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
          <EnforcementList of={enforcementsOf({ rule_ref: data.ref })} none={t`No event has matched this rule yet.`} />
        </Grid.Col>
      </Grid>
    </>
  );
}
