import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Grid, Loader, Text } from '@mantine/core';
import type { EditorView } from '@uiw/react-codemirror';
import { useCallback, useRef } from 'react';
import type { ShownGraph } from '../api/client';
import { usePageState } from '../shared/use-page-state';
import { showTask } from '../workflow/definition-view';
import { WorkflowGraph } from '../workflow/workflow-graph';
import { useDefinitionChecks } from './definition-checks';
import { DefinitionEditor, goToPlace } from './definition-editor';
import { FindingList } from './finding-list';
import type { KeptDraft } from './kept-draft';
import { RehearsalPanel } from './rehearsal-panel';

interface WorkflowEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly rehearsal: Pick<KeptDraft<string>, 'draft' | 'change'>;
}

/** A definition as text, its findings, its graph, and its rehearsal. The address names the selected task. */
export function WorkflowEditor({ text, onChange, rehearsal }: WorkflowEditorProps) {
  const [state, change] = usePageState();
  const view = useRef<EditorView>(null);
  const { checked, graph, error } = useDefinitionChecks(text);
  const select = useCallback(
    (task: string) => {
      change({ task });
      if (view.current) showTask(view.current, view.current.state.doc.toString(), task);
    },
    [change],
  );
  return (
    <Grid gutter="md">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <DefinitionEditor
          text={text}
          onChange={onChange}
          checked={checked}
          onCreate={(created) => {
            view.current = created;
          }}
        />
        <Text size="xs" c="dimmed" my={4}>
          <Trans>Ctrl-Space completes. Escape, then Tab, leaves the text.</Trans>
        </Text>
        <FindingList
          checked={checked}
          error={error}
          onSelect={({ line = 1, column }) => view.current && goToPlace(view.current, line, column)}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Drawing graph={graph} selected={state.get('task') ?? undefined} onSelect={select} />
      </Grid.Col>
      <Grid.Col span={12}>
        <RehearsalPanel
          definition={text}
          rehearsal={rehearsal.draft}
          graph={graph}
          onChange={rehearsal.change}
          onSelect={select}
        />
      </Grid.Col>
    </Grid>
  );
}

interface DrawingProps {
  readonly graph: ShownGraph | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (task: string) => void;
}

const NO_EXECUTIONS: ReadonlyMap<string, never> = new Map<string, never>();

function Drawing({ graph, selected, onSelect }: DrawingProps) {
  if (!graph) return <Loader aria-label={t`Drawing the workflow`} />;
  if (graph.nodes.length === 0)
    return (
      <Text c="dimmed">
        <Trans>The graph appears here once there is a task.</Trans>
      </Text>
    );
  return <WorkflowGraph graph={graph} executions={NO_EXECUTIONS} selected={selected} onSelect={onSelect} isPlan />;
}
