import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ParameterFields } from '../actions/parameter-values';
import { ValuesForm } from '../actions/values-form';
import { answerTo, apiClient, type InquiryRow } from '../api/client';
import { currentUser, execution, keys, openInquiries } from '../api/queries';
import { Failure } from '../frame/error-page';
import { ANY_RESOURCE, Permitted, uidOfRef, useMay } from '../session/permissions';
import { useSession } from '../session/session';
import { durationText } from '../shared/times';

/** The open questions to people, each with a form for its response. */
export function InquiriesPage() {
  const { data, error, refetch } = useQuery(openInquiries());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <Title order={1} mb="sm">
        <Trans>Inquiries</Trans>
      </Title>
      {data.length === 0 && (
        <Alert color="gray" title={t`No open inquiries`}>
          <Trans>Questions of workflows appear here until somebody responds.</Trans>
        </Alert>
      )}
      <Stack maw={640}>
        {data.map((inquiry) => (
          <InquiryCard key={inquiry.id} inquiry={inquiry} />
        ))}
      </Stack>
    </>
  );
}

/** Who may respond, and for how many minutes. */
function addresseesText(asked: readonly string[], ttl: number): string {
  const duration = durationText(ttl * 60);
  if (asked.length === 0)
    return ttl > 0 ? t`Everyone may respond, within ${duration} of the question.` : t`Everyone may respond.`;
  const names = asked.join(', ');
  return ttl > 0 ? t`For ${names}, within ${duration} of the question.` : t`For ${names}.`;
}

function InquiryCard({ inquiry }: { inquiry: InquiryRow }) {
  const { id, route = '', ttl = 0, users = [], roles = [] } = inquiry;
  const asked = [...users, ...roles.map((role) => t`the role ${role}`)];
  return (
    <Paper withBorder p="md" component="section" aria-label={t`Inquiry ${id}`}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{route === '' ? t`Question` : t`Question for ${route}`}</Title>
        <Anchor component={Link} to={`/history/${id}`} size="sm">
          <Trans>Open the execution</Trans>
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {addresseesText(asked, ttl)}
      </Text>
      <Permitted permission="inquiry_respond" on={useInquiryUids(id)} to={t`respond to it`}>
        <Response inquiry={inquiry} />
      </Permitted>
    </Paper>
  );
}

/**
 * The uids whose grants apply to an inquiry: its own, and the action of the workflow that asks. The action is read only if
 * the permission of the user may depend on it.
 */
function useInquiryUids(id: string): readonly string[] {
  const own = ['inquiry:', `inquiry:${id}`];
  const mayAnyway = useMay('inquiry_respond', ...own);
  const dependsOnAction = useMay('inquiry_respond', ANY_RESOURCE) && !mayAnyway;
  const { data: asking } = useQuery({ ...execution(id), enabled: dependsOnAction });
  const parent = asking?.parent;
  const { data: workflow } = useQuery({ ...execution(parent ?? ''), enabled: parent !== undefined });
  const action = (parent === undefined ? asking : workflow)?.action.ref;
  return action === undefined ? own : [...own, uidOfRef('action', action)];
}

function Response({ inquiry }: { inquiry: InquiryRow }) {
  const { data: user } = useQuery(currentUser(useSession()?.token));
  if (user && !isAsked(inquiry, user)) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>Only those whom it asks may respond.</Trans>
      </Text>
    );
  }
  return <ResponseForm id={inquiry.id} fields={fieldsOf(inquiry)} />;
}

interface Responder {
  readonly username: string;
  readonly rbac: { readonly enabled: boolean; readonly roles: readonly string[] };
}

/** Both users and roles have to match, as the API requires. An empty list matches everybody. */
function isAsked({ users = [], roles = [] }: InquiryRow, { username, rbac }: Responder): boolean {
  const isNamed = users.length === 0 || users.includes(username);
  return isNamed && (roles.length === 0 || !rbac.enabled || rbac.roles.some((role) => roles.includes(role)));
}

function ResponseForm({ id, fields }: { id: string; fields: ParameterFields }) {
  const client = useQueryClient();
  const respond = useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) =>
      answerTo(
        apiClient.PUT('/api/v1/inquiries/{id}', {
          params: { path: { id } },
          // The document of the API describes the response as an object without known members.
          body: { id, response: values as Record<string, never> },
        }),
      ),
    onSuccess: () =>
      notifications.show({ title: t`Response accepted`, message: t`The execution continues.`, color: 'green' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.inquiries }),
  });
  return (
    <ValuesForm
      fields={fields}
      action={t`Respond`}
      isPending={respond.isPending}
      onSubmit={(values) => respond.mutate(values)}
    />
  );
}

interface ResponseSchema {
  readonly properties?: ParameterFields;
  /** Names of required properties; a property may also be required by itself, as in parameters of actions. */
  readonly required?: unknown;
}

function fieldsOf({ schema = {} }: InquiryRow): ParameterFields {
  const { properties = {}, required } = schema as ResponseSchema;
  const names: unknown[] = Array.isArray(required) ? required : [];
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      { ...field, required: field.required === true || names.includes(name) },
    ]),
  );
}
