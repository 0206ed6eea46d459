import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ANY_RESOURCE, Permitted } from '../session/permissions';
import { refuseErrors } from './definition-checks';
import { NewWorkflowForm } from './new-workflow-form';
import { rehearsalOf, useKeptDraft, useKeptRehearsal } from './kept-draft';
import { createWorkflow, forgetWorkflow } from './stored-workflow';
import { useUnsavedChanges } from './unsaved-changes';
import { EMPTY_DRAFT, readDraft } from './workflow-draft';
import { WorkflowEditor } from './workflow-editor';

const FIRST_TEXT = 'version: 1.0\ntasks:\n  start:\n    action: core.noop\n';

const NEW = { draft: EMPTY_DRAFT, text: FIRST_TEXT };

const isBegun = (work: typeof NEW): boolean => JSON.stringify(work) !== JSON.stringify(NEW);

/** Creates a workflow in a pack: the action with its metadata, and the definition. */
export function NewWorkflowPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { draft: work, change, discard } = useKeptDraft('new-workflow', NEW, isBegun);
  const { draft, text } = work;
  const rehearsal = useKeptRehearsal('new-workflow');
  const { question, leave } = useUnsavedChanges(isBegun(work), () => {
    discard();
    rehearsal.discard();
  });
  const create = useMutation({
    mutationFn: async () => {
      const about = readDraft(draft);
      await refuseErrors(client, text);
      return createWorkflow(about, text);
    },
    onSuccess: async ({ ref }) => {
      notifications.show({ title: t`Created`, message: t`${ref} is ready to run.`, color: 'green' });
      await forgetWorkflow(client, ref);
      leave();
      discard();
      rehearsal.rename(rehearsalOf(ref));
      await navigate(`/workflows/${ref}/edit`, { replace: true });
    },
  });
  return (
    <>
      {question}
      <Group gap="sm" mb="sm">
        <Title order={1}>
          <Trans>New workflow</Trans>
        </Title>
        <Permitted
          permission="action_create"
          on={[draft.pack === null ? ANY_RESOURCE : `pack:${draft.pack}`]}
          to={t`create actions in this pack`}
        >
          <Button size="xs" onClick={() => create.mutate()} loading={create.isPending}>
            <Trans>Create</Trans>
          </Button>
        </Permitted>
      </Group>
      <NewWorkflowForm
        draft={draft}
        definition={text}
        onChange={(changes) => change((before) => ({ ...before, draft: { ...before.draft, ...changes } }))}
      />
      <WorkflowEditor
        text={text}
        onChange={(next) => change((before) => ({ ...before, text: next }))}
        rehearsal={rehearsal}
      />
    </>
  );
}
