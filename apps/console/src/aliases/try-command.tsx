import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Autocomplete, Button, Code, Group, List, Loader, Paper, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { answerTo, apiClient, type ShownAliasMatch } from '../api/client';
import { currentUser } from '../api/queries';
import { ANY_RESOURCE, Permitted, uidOfRef, useMay } from '../session/permissions';
import { useSession } from '../session/session';
import { helpOfAliases, matchOf } from './alias-queries';

interface TryCommandProps {
  readonly command: string;
  readonly onTry: (command: string) => void;
}

/** Shows which alias a command runs, and with which parameters, before it is run. */
export function TryCommand({ command, onTry }: TryCommandProps) {
  const [text, setText] = useState(command);
  const mayReadHelp = useMay('action_alias_help', ANY_RESOURCE);
  const { data: help } = useQuery({ ...helpOfAliases(), enabled: mayReadHelp });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(text.trim());
  };
  return (
    <Paper component="section" withBorder p="sm" mb="lg" aria-label={t`Try a command`}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <Autocomplete
            label={t`Try a command`}
            description={t`As a user of the chat would write it, without the name of the bot`}
            data={[...new Set(help?.helpstrings.map(({ display }) => display))]}
            limit={12}
            value={text}
            onChange={setText}
            w={{ base: '100%', sm: 480 }}
          />
          <Button type="submit" variant="default">
            <Trans>Show the alias</Trans>
          </Button>
        </Group>
      </form>
      {command !== '' && <Match key={command} command={command} />}
    </Paper>
  );
}

function Match({ command }: { command: string }) {
  const { data, error } = useQuery(matchOf(command));
  if (error) {
    return (
      <Alert color="orange" mt="sm" role="alert" title={t`Nothing would run`}>
        {error.message}
      </Alert>
    );
  }
  if (!data) return <Loader aria-label={t`Looking for the alias`} mt="sm" />;
  return <Matched command={command} match={data} />;
}

function Matched({ command, match }: { command: string; match: ShownAliasMatch }) {
  const { actionalias: alias, representation, parameters } = match;
  return (
    <>
      <Title order={2} mt="sm">
        {alias.ref}
      </Title>
      <Text size="sm">
        <Trans>
          The format <Code>{representation}</Code> runs{' '}
          <Anchor component={Link} to={`/actions/${alias.action_ref}`} size="sm" underline="always">
            {alias.action_ref}
          </Anchor>
          {parameters.length > 1 && ` ${t`${parameters.length} times`}`}.
        </Trans>
      </Text>
      <List size="sm" my="sm" listStyleType="none" aria-label={t`Parameters`}>
        {parameters.flatMap((given, run) =>
          Object.entries(given).map(([name, value]) => (
            <List.Item key={`${run} ${name}`}>
              {name}: <Code>{value}</Code>
            </List.Item>
          )),
        )}
      </List>
      <Permitted permission="action_execute" on={[uidOfRef('action', alias.action_ref)]} to={t`run this action`}>
        <RunCommand command={command} />
      </Permitted>
    </>
  );
}

/** Named as the place of the command in the executions that it starts. */
const CHANNEL = 'console';

function RunCommand({ command }: { command: string }) {
  const navigate = useNavigate();
  const session = useSession();
  const { data: user } = useQuery(currentUser(session?.token));
  const run = useMutation({
    mutationFn: (name: string) =>
      answerTo(
        apiClient.POST('/api/v1/aliasexecution/match_and_execute', {
          body: { command, user: name, source_channel: CHANNEL },
        }),
      ),
    onSuccess: ({ results }) => navigate(results.length === 1 ? `/history/${results[0]!.execution.id}` : '/history'),
  });
  return (
    <Button loading={run.isPending} disabled={!user} onClick={() => user && run.mutate(user.username)}>
      <Trans>Run the command</Trans>
    </Button>
  );
}
