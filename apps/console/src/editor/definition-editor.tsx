import { t } from '@lingui/core/macro';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { yamlLanguage } from '@codemirror/lang-yaml';
import { useQuery } from '@tanstack/react-query';
import { EditorView } from '@uiw/react-codemirror';
import { useEffect, useMemo, useRef, useState } from 'react';
import { allActions } from '../api/queries';
import { CodeView } from '../shared/code-view';
import type { CheckedText, ShownFinding } from './definition-checks';
import { definitionCompletion, type CompletionNames } from './definition-completion';

interface DefinitionEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly checked: CheckedText | undefined;
  readonly onCreate: (view: EditorView) => void;
}

/** The text of a definition, with completion, and the findings at their places. */
export function DefinitionEditor({ text, onChange, checked, onCreate }: DefinitionEditorProps) {
  const [view, setView] = useState<EditorView>();
  const names = useRef<CompletionNames>({ actions: [] });
  const { data: actions } = useQuery(allActions());
  useEffect(() => {
    names.current = {
      actions: (actions ?? []).map(({ ref = '', description = '' }) => ({ label: ref, detail: description })),
    };
  }, [actions]);
  const extensions = useMemo(
    () => [
      yamlLanguage.data.of({ autocomplete: definitionCompletion(() => names.current) }),
      lintGutter(),
      EditorView.theme(MARKS),
    ],
    [],
  );
  useEffect(() => {
    // The findings of an earlier text stay at their places, which move with the changes.
    if (!view || !checked || view.state.doc.toString() !== checked.text) return;
    view.dispatch(setDiagnostics(view.state, diagnosticsOf(view, checked.findings)));
  }, [view, checked, text]);
  return (
    <CodeView
      label={t`Definition of the workflow`}
      text={text}
      maxHeight="calc(100dvh - 300px)"
      extensions={extensions}
      onChange={onChange}
      onCreate={(created) => {
        setView(created);
        onCreate(created);
      }}
    />
  );
}

const diagnosticsOf = ({ state: { doc } }: EditorView, findings: readonly ShownFinding[]): Diagnostic[] =>
  findings.map(({ line = 1, column = 1, message, isError }) => {
    const { from, to, length } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return {
      from: from + Math.min(Math.max(column - 1, 0), Math.max(length - 1, 0)),
      to,
      severity: isError ? 'error' : 'warning',
      message,
    };
  });

const MARKS = {
  '&': { minHeight: '18em' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionDetail': { marginLeft: '1em', fontStyle: 'normal' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '18em' },
  '.cm-tooltip': {
    background: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid light-dark(var(--mantine-color-gray-4), var(--mantine-color-dark-3))',
  },
  '.cm-gutter-lint': { width: '1.2em' },
};

/** Moves the cursor to a place, and shows it. */
export function goToPlace(view: EditorView, line: number, column = 1): void {
  const found = view.state.doc.line(Math.min(line, view.state.doc.lines));
  const anchor = Math.min(found.from + column - 1, found.to);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}
