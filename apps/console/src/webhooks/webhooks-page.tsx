import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Code, Group, Loader, Paper, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerTo, apiClient, type WebhookRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { RuleLinks } from '../rules/rule-links';
import { containsWords } from '../shared/contains-words';
import { CopyText } from '../shared/copy-text';
import { ListHead } from '../shared/list-head';
import { PageSearch } from '../shared/page-search';
import { shellWord } from '../shared/shell-word';
import { textMember } from '../shared/text-member';
import { usePageState } from '../shared/use-page-state';

const allWebhooks = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: () => answerTo(apiClient.GET('/api/v1/webhooks', { params: { query: { limit: -1 } } })),
  });

/** All webhooks with their rules, and a request for each. The address holds the search. */
export function WebhooksPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const { data, error, refetch } = useQuery(allWebhooks());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  const found = data.filter((hook) => containsWords(text, pathOf(hook)));
  return (
    <>
      <ListHead title={t`Webhooks`} count={t`${found.length} of ${data.length}`} />
      <PageSearch
        label={t`Search webhooks`}
        placeholder={t`Path`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title={t`No webhooks`}>
          {text === ''
            ? t`A rule on core.st2.webhook opens the address that its parameter url names.`
            : t`No webhook matches. Search for another path.`}
        </Alert>
      )}
      {found.map((hook) => (
        <Webhook key={hook.id} hook={hook} />
      ))}
    </>
  );
}

function Webhook({ hook }: { hook: WebhookRow }) {
  const path = pathOf(hook);
  const signature = hook.parameters?.['signature'] as { readonly scheme?: string } | undefined;
  const command = curlText(path);
  return (
    <Paper component="section" withBorder p="sm" mb="md" aria-label={path}>
      <Group gap="xs" mb="xs">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Title>
        {signature && (
          <Badge variant="default" tt="none">
            <Trans>signed ({signature.scheme})</Trans>
          </Badge>
        )}
      </Group>
      {hook.unreadable ? <Alert color="red">{hook.unreadable}</Alert> : <RuleLinks trigger={hook.ref ?? ''} />}
      <Code
        block
        tabIndex={0}
        mt="sm"
        aria-label={t`Request to ${path}`}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {command}
      </Code>
      <Group justify="flex-end" mt="xs">
        <CopyText text={command} />
      </Group>
      {signature && (
        <Text size="sm" c="dimmed">
          <Trans>A sender that signs its requests with this scheme needs no API key.</Trans>
        </Text>
      )}
    </Paper>
  );
}

/** The path below `/webhooks/`. Rules may write it with a slash at either end. */
const pathOf = ({ parameters, id }: WebhookRow): string => textMember(parameters, 'url').replace(/^\/|\/$/g, '') || id;

/** The key is a variable of the shell, so that it is neither in the address nor on the screen. */
function curlText(path: string): string {
  const address = path.split('/').map(encodeURIComponent).join('/');
  return [
    `curl ${shellWord(`${window.location.origin}/api/v1/webhooks/${address}`)}`,
    `  -H "Svc-Api-Key: $SVC_API_KEY" -H 'Content-Type: application/json'`,
    `  -d '{"name": "value"}'`,
  ].join(' \\\n');
}
