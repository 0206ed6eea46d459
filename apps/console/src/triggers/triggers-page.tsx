import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { allRules } from '../api/queries';
import { Failure } from '../frame/error-page';
import { listensTo } from '../rules/rule-words';
import { containsWords } from '../shared/contains-words';
import { ListByPack } from '../shared/list-by-pack';
import { ListHead } from '../shared/list-head';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { allTriggerTypes } from './trigger-queries';

/** All trigger types by pack, with the number of rules that use each. The address holds the search. */
export function TriggersPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const { data, error, refetch } = useQuery(allTriggerTypes());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  const found = data.filter(({ ref, description }) => containsWords(text, ref, description));
  return (
    <>
      <ListHead title={t`Triggers`} count={t`${found.length} of ${data.length}`} />
      <PageSearch
        label={t`Search trigger types`}
        placeholder={t`Pack, name or description`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title={t`No trigger types`}>
          <Trans>No trigger type matches. Search for another word, or install a pack with sensors.</Trans>
        </Alert>
      )}
      <ListByPack rows={found}>
        {({ id, ref = id, name, description, unreadable }, index) => (
          <Link to={`/triggers/${ref}`} className="row-link" data-list-row={index}>
            <Text size="sm" fw={500} style={{ flexShrink: 0 }}>
              {name ?? ref}
            </Text>
            <Text size="sm" c="dimmed" className="visually-clipped" style={{ flexGrow: 1 }}>
              {unreadable ?? description}
            </Text>
            <UsedBy trigger={ref} />
          </Link>
        )}
      </ListByPack>
    </>
  );
}

/** How many rules use a trigger type. */
function UsedBy({ trigger }: { trigger: string }) {
  const { data: rules = [] } = useQuery(allRules());
  const count = rules.filter((rule) => listensTo(rule, trigger)).length;
  return (
    <Text size="sm" c="dimmed" style={{ flexShrink: 0 }}>
      {count > 0 && plural(count, { one: '# rule', other: '# rules' })}
    </Text>
  );
}
