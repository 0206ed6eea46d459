import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Loader, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { textsOf, type ParameterFields } from '../actions/parameter-values';
import { ValuesForm } from '../actions/values-form';
import { answerTo, apiClient } from '../api/client';
import { keys } from '../api/queries';
import { packConfiguration } from './pack-queries';
import { Failure } from '../frame/error-page';

type Values = Readonly<Record<string, unknown>>;

/** The configuration of a pack as a form made from its schema. */
export function PackConfigurationForm({ packRef }: { packRef: string }) {
  const { data, error, refetch } = useQuery(packConfiguration(packRef));
  return (
    <section>
      <Title order={2} mb="sm">
        <Trans>Configuration</Trans>
      </Title>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loader aria-label={t`Loading`} />}
      {data && data.fields === undefined && (
        <Text c="dimmed">
          <Trans>This pack needs no configuration.</Trans>
        </Text>
      )}
      {data?.fields && (
        <Form key={packRef} packRef={packRef} fields={data.fields as ParameterFields} stored={data.values} />
      )}
    </section>
  );
}

interface FormProps {
  readonly packRef: string;
  readonly fields: ParameterFields;
  readonly stored: Values;
}

/** Secrets are shown masked. The API keeps those that come back masked. */
function Form({ packRef, fields, stored }: FormProps) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (values: Values) => {
      const others = Object.entries(stored).filter(([name]) => !(name in fields));
      return answerTo(
        apiClient.PUT('/api/v1/configs/{pack_ref}', {
          params: { path: { pack_ref: packRef } },
          // The document of the API describes values as an object without known members.
          body: { ...Object.fromEntries(others), ...values } as Record<string, never>,
        }),
      );
    },
    onSuccess: () =>
      notifications.show({ title: t`Saved`, message: t`It applies to the next action that starts.`, color: 'green' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.packConfiguration(packRef) }),
  });
  return (
    <ValuesForm
      fields={fields}
      before={textsOf(stored)}
      action={t`Save`}
      isPending={save.isPending}
      onSubmit={(values) => save.mutate(values)}
    />
  );
}
