import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Loader } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Failure } from '../frame/error-page';
import { Permitted, uidOfRef } from '../session/permissions';
import { ResourceHead } from '../shared/resource-head';
import { refuseErrors } from './definition-checks';
import { useKeptDraft, useKeptRehearsal, type KeptDraft } from './kept-draft';
import { forgetWorkflow, saveDefinition, storedWorkflow, type StoredWorkflow } from './stored-workflow';
import { useUnsavedChanges } from './unsaved-changes';
import { WorkflowEditor } from './workflow-editor';

/** Changes the definition of a workflow of a pack. */
export function EditWorkflowPage() {
  const { ref = '' } = useParams();
  const { data, error, refetch } = useQuery({ ...storedWorkflow(ref), refetchOnWindowFocus: false });
  // A later read that fails must not discard what has been typed.
  if (!data)
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loader aria-label={t`Loading`} />;
  if (data.action.runner_type !== 'orquesta') {
    return (
      <Alert title={t`Not a workflow`}>{t`The runner of ${ref} is ${data.action.runner_type}, not orquesta.`}</Alert>
    );
  }
  return <Edited key={ref} found={data} />;
}

/** @param found as it is when the page opens; later reads of the same workflow do not replace what is being typed */
function Edited({ found }: { found: StoredWorkflow }) {
  const { ref, pack, description } = found.action;
  const { draft, change, discard } = useKeptDraft(`workflow.${ref}`, { base: found.text, text: found.text }, isChanged);
  const rehearsal = useKeptRehearsal(ref);
  const { question } = useUnsavedChanges(isChanged(draft), discard);
  const { save, conflict, settle } = useSave(ref, draft, change);
  return (
    <>
      {question}
      <ResourceHead list={{ path: '/actions', label: t`Actions` }} within={pack} name={ref} description={description}>
        <Permitted permission="action_modify" on={[uidOfRef('action', ref)]} to={t`change this workflow`}>
          <Button size="xs" onClick={() => save.mutate()} loading={save.isPending} disabled={!isChanged(draft)}>
            <Trans>Save</Trans>
          </Button>
        </Permitted>
        <Button size="xs" variant="default" component={Link} to={`/actions/${ref}`}>
          <Trans>Run</Trans>
        </Button>
      </ResourceHead>
      {conflict && (
        <Alert color="orange" role="alert" title={t`Someone else has changed this workflow`} my="sm">
          <Trans>
            It was not saved. Take over the stored definition, which discards your changes, or keep yours and save
            again.
          </Trans>
          <Group mt="xs" gap="xs">
            <Button size="xs" variant="default" onClick={() => settle(conflict.text)}>
              <Trans>Take over the stored one</Trans>
            </Button>
            <Button size="xs" variant="default" onClick={() => settle(draft.text)}>
              <Trans>Keep mine</Trans>
            </Button>
          </Group>
        </Alert>
      )}
      <WorkflowEditor
        text={draft.text}
        onChange={(text) => change((before) => ({ ...before, text }))}
        rehearsal={rehearsal}
      />
    </>
  );
}

interface EditedText {
  /** The stored text that it was made from. */
  readonly base: string;
  readonly text: string;
}

const isChanged = ({ base, text }: EditedText): boolean => text !== base;

/** Saves the text unless the stored one is no longer the one that it was made from. */
function useSave(ref: string, { base, text }: EditedText, change: KeptDraft<EditedText>['change']) {
  const client = useQueryClient();
  const [conflict, setConflict] = useState<StoredWorkflow>();
  const save = useMutation({
    mutationFn: async () => {
      await refuseErrors(client, text);
      const now = await client.fetchQuery(storedWorkflow(ref));
      if (now.text !== base) return now;
      return (await saveDefinition(now, text)) ? undefined : client.fetchQuery(storedWorkflow(ref));
    },
    onSuccess: (changed) => {
      setConflict(changed);
      if (changed) return;
      change((before) => ({ ...before, base: text }));
      notifications.show({ title: t`Saved`, message: t`New runs of ${ref} use it.`, color: 'green' });
    },
    onSettled: () => forgetWorkflow(client, ref),
  });
  const settle = (chosen: string) => {
    if (conflict) change({ base: conflict.text, text: chosen });
    setConflict(undefined);
  };
  return { save, conflict, settle };
}
