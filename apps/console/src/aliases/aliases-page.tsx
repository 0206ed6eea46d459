import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Badge, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AliasRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { ANY_RESOURCE, Permitted } from '../session/permissions';
import { containsWords } from '../shared/contains-words';
import { ListByPack } from '../shared/list-by-pack';
import { ListHead } from '../shared/list-head';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { allAliases } from './alias-queries';
import { TryCommand } from './try-command';

/** All aliases by pack, and a command to try. The address holds the search and the command. */
export function AliasesPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const command = state.get('command') ?? '';
  const { data, error, refetch } = useQuery(allAliases());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  const found = data.filter((alias) =>
    containsWords(text, alias.ref, alias.description, alias.action_ref, ...formatsOf(alias)),
  );
  return (
    <>
      <ListHead title={t`Aliases`} count={t`${found.length} of ${data.length}`} />
      <Permitted permission="action_alias_match" on={[ANY_RESOURCE]} to={t`try commands`}>
        <TryCommand command={command} onTry={(next) => change({ command: next })} />
      </Permitted>
      <PageSearch
        label={t`Search aliases`}
        placeholder={t`Pack, name, format or action`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title={t`No aliases`}>
          {text === '' ? t`Install a pack with aliases.` : t`No alias matches. Search for another word.`}
        </Alert>
      )}
      <ListByPack rows={found}>{(alias) => <AliasLine alias={alias} />}</ListByPack>
    </>
  );
}

function AliasLine({ alias }: { alias: AliasRow }) {
  const { id, ref = id, name = ref, description, enabled, action_ref: action, unreadable, error } = alias;
  return (
    <Stack gap={2} py="xs" px="sm">
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {enabled === false && (
          <Badge variant="default" tt="none">
            <Trans>disabled</Trans>
          </Badge>
        )}
        {action && (
          <Anchor component={Link} to={`/actions/${action}`} size="sm">
            {action}
          </Anchor>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {unreadable ?? error ?? description}
      </Text>
      <Group gap="xs">
        {formatsOf(alias).map((format) => (
          <Code key={format} style={{ overflowWrap: 'anywhere' }}>
            {format}
          </Code>
        ))}
      </Group>
    </Stack>
  );
}

/** The formats as help shows them; those without such a text as their patterns. */
const formatsOf = ({ formats = [] }: AliasRow): string[] => [
  ...new Set(
    formats.flatMap((format) => {
      if (typeof format === 'string') return [format];
      return format.display ?? format.representation ?? [];
    }),
  ),
];
