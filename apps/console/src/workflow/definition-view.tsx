import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EditorView } from '@uiw/react-codemirror';
import { useEffect, useState } from 'react';
import { sourceOfAction } from '../api/queries';
import { Failure } from '../frame/error-page';
import { CodeView } from '../shared/code-view';

/** The current definition of the workflow, scrolled to the selected task. */
export function DefinitionView({ actionRef, task }: { actionRef: string; task: string | undefined }) {
  const [view, setView] = useState<EditorView>();
  const { data, error, refetch } = useQuery(sourceOfAction(actionRef));
  useEffect(() => {
    if (view && data && task !== undefined) showTask(view, String(data), task);
  }, [view, data, task]);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        <Trans>The current version in the pack. This run may have used an earlier one.</Trans>
      </Text>
      <CodeView label={t`Definition`} text={String(data)} maxHeight="calc(100dvh - 360px)" onCreate={setView} />
    </>
  );
}

/** Selects the line at which a task begins. */
export function showTask(view: EditorView, text: string, task: string): void {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => /^\s/.test(line) && line.trim().replace(/["']/g, '') === `${task}:`);
  if (index < 0) return;
  const { from, to } = view.state.doc.line(index + 1);
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'start' }) });
}
