import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Grid, Group, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { answerTo, apiClient, type ShownGraph } from '../api/client';
import { CodeView } from '../shared/code-view';
import { RehearsalResult, RehearsalRefusal } from './rehearsal-result';
import { expectOutcome, firstRehearsal } from './rehearsal-text';

interface RehearsalPanelProps {
  readonly definition: string;
  /** YAML; empty if there is none yet. */
  readonly rehearsal: string;
  readonly graph: ShownGraph | undefined;
  readonly onChange: (rehearsal: string) => void;
  readonly onSelect: (task: string) => void;
}

/** Runs the definition as it is typed, with results that its author gives. */
export function RehearsalPanel({ definition, rehearsal, graph, onChange, onSelect }: RehearsalPanelProps) {
  const rehearse = useRehearsal();
  const { data, error } = rehearse;
  const isCurrent = data?.definition === definition && data.rehearsal === rehearsal;
  const outcome = data?.report.outcome;
  const isEmpty = rehearsal.trim() === '';
  return (
    <section aria-label={t`Rehearsal`}>
      <Group gap="xs" mt="md" mb="xs">
        <Title order={2} size="h4">
          <Trans>Rehearsal</Trans>
        </Title>
        {isEmpty ? (
          <Button
            size="compact-xs"
            variant="default"
            disabled={graph === undefined}
            onClick={() => graph && onChange(firstRehearsal(definition, graph))}
          >
            <Trans>Write a rehearsal</Trans>
          </Button>
        ) : (
          <Button
            size="compact-xs"
            loading={rehearse.isPending}
            onClick={() => rehearse.mutate({ definition, rehearsal })}
          >
            <Trans>Rehearse</Trans>
          </Button>
        )}
        {isCurrent && outcome && (
          <Button size="compact-xs" variant="default" onClick={() => onChange(expectOutcome(rehearsal, outcome))}>
            <Trans>Expect this outcome</Trans>
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" mb="xs">
        <Trans>
          The workflow runs with the results that you give here. No action runs, and nothing is saved. The text is also
          a file for svc workflow test, once it names the definition as &quot;workflow&quot;.
        </Trans>
      </Text>
      {!isEmpty && (
        <Grid gutter="md">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <CodeView label={t`Text of the rehearsal`} text={rehearsal} maxHeight="32em" onChange={onChange} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            {error && <RehearsalRefusal error={error} />}
            {!error && data && <RehearsalResult of={data.report} isCurrent={isCurrent} onSelect={onSelect} />}
          </Grid.Col>
        </Grid>
      )}
    </section>
  );
}

/** Runs a rehearsal. The report is kept with the texts that it is about. */
const useRehearsal = () =>
  useMutation({
    mutationFn: async (texts: RehearsedTexts) => ({
      ...texts,
      report: await answerTo(apiClient.POST('/api/v1/workflows/rehearse', { body: texts })),
    }),
    // The panel shows it.
    onError: () => undefined,
  });

interface RehearsedTexts {
  readonly definition: string;
  readonly rehearsal: string;
}
