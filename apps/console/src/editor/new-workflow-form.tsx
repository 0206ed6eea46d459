import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allPacks } from '../packs/pack-queries';
import { CodeView } from '../shared/code-view';
import { parametersOfInputs, type WorkflowDraft } from './workflow-draft';

interface NewWorkflowFormProps {
  readonly draft: WorkflowDraft;
  readonly definition: string;
  readonly onChange: (changes: Partial<WorkflowDraft>) => void;
}

/** The metadata of a workflow that does not exist yet. */
export function NewWorkflowForm({ draft, definition, onChange }: NewWorkflowFormProps) {
  const { data: packs = [] } = useQuery(allPacks());
  // The API refuses changes of this pack.
  const choices = packs.map(({ ref = '' }) => ref).filter((ref) => ref !== '' && ref !== 'core');
  return (
    <Stack component="section" gap="xs" mb="md" aria-label={t`Metadata`}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs">
        <Select
          label={t`Pack`}
          data={choices}
          value={draft.pack}
          onChange={(pack) => onChange({ pack })}
          searchable
          required
        />
        <TextInput
          label={t`Name`}
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
          required
        />
        <TextInput
          label={t`Description`}
          value={draft.description}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </SimpleGrid>
      <Group gap="xs">
        <Title order={2} size="h4">
          <Trans>Parameters</Trans>
        </Title>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onChange({ parameters: parametersOfInputs(definition, draft.parameters) })}
        >
          <Trans>Add the inputs of the definition</Trans>
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        <Trans>As in the metadata of an action: a schema for each parameter. Users see them as a form.</Trans>
      </Text>
      <CodeView
        label={t`Parameters of the workflow`}
        text={draft.parameters}
        maxHeight="16em"
        onChange={(parameters) => onChange({ parameters })}
      />
    </Stack>
  );
}
