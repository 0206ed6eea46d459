import { t } from '@lingui/core/macro';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { yaml } from '@codemirror/lang-yaml';
import { tags } from '@lezer/highlight';
import { useComputedColorScheme } from '@mantine/core';
import CodeMirror, { EditorState, EditorView, type Extension } from '@uiw/react-codemirror';
import { useMemo } from 'react';

interface CodeViewProps {
  readonly label: string;
  readonly text: string;
  readonly maxHeight: string;
  /** Further abilities of the editor. They must not change with each rendering. */
  readonly extensions?: readonly Extension[];
  readonly onCreate?: (view: EditorView) => void;
  /** Without it, the text is read-only. */
  readonly onChange?: (text: string) => void;
}

const NONE: readonly Extension[] = [];

/** YAML with line numbers and colours. */
export function CodeView({ label, text, maxHeight, extensions = NONE, onCreate, onChange }: CodeViewProps) {
  const isDark = useComputedColorScheme('light') === 'dark';
  const all = useMemo(() => [...extensionsFor(label, isDark), ...extensions], [label, isDark, extensions]);
  return (
    <CodeMirror
      value={text}
      theme="none"
      readOnly={onChange === undefined}
      extensions={all}
      maxHeight={maxHeight}
      {...(onCreate && { onCreateEditor: onCreate })}
      {...(onChange && { onChange })}
    />
  );
}

/** The texts of the library. */
const PHRASES = EditorState.phrases.of({
  Find: t`Find`,
  Replace: t`Replace`,
  next: t`next`,
  previous: t`previous`,
  all: t`all`,
  'match case': t`match case`,
  regexp: t`regexp`,
  'by word': t`by word`,
  replace: t`replace`,
  'replace all': t`replace all`,
  close: t`close`,
  'Go to line': t`Go to line`,
  go: t`go`,
  Completions: t`Completions`,
  Diagnostics: t`Diagnostics`,
  'No diagnostics': t`No diagnostics`,
});

const extensionsFor = (label: string, dark: boolean) => [
  PHRASES,
  yaml(),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  EditorView.theme(LOOK, { dark }),
  syntaxHighlighting(dark ? DARK : LIGHT),
];

const LOOK = {
  '&': { fontSize: '0.8125rem' },
  '.cm-gutters, .cm-activeLineGutter': {
    background: 'transparent',
    border: 'none',
    color: 'var(--mantine-color-dimmed)',
  },
  '.cm-activeLine': { background: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))' },
};

const colors = (name: string, text: string, other: string, comment: string): HighlightStyle =>
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: name },
    { tag: [tags.string, tags.special(tags.string)], color: text },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: other },
    { tag: tags.comment, color: comment },
  ]);

const LIGHT = colors('#1864ab', '#22702f', '#862e9c', '#495057');
const DARK = colors('#74c0fc', '#69db7c', '#e599f7', '#b8b8b8');
