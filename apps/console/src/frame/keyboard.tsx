import { t } from '@lingui/core/macro';
import { Kbd, Modal, Table } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { tinykeys } from 'tinykeys';
import { useCommandPalette } from './command-palette';
import { useSections } from './sections';

let helpIsOpen = false;
const listeners = new Set<() => void>();

function showHelp(open: boolean): void {
  helpIsOpen = open;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The shortcuts of all pages. */
export function useKeyboard(): void {
  const navigate = useNavigate();
  const openPalette = useCommandPalette();
  const sections = useSections();
  useEffect(() => {
    const shortcuts = sections.map(({ key, path }) => [`g ${key}`, unlessTyping(() => void navigate(path))] as const);
    return tinykeys(window, {
      ...Object.fromEntries(shortcuts),
      '$mod+k': (event) => {
        event.preventDefault();
        void openPalette();
      },
      '/': unlessTyping(focusSearch),
      j: unlessTyping(() => focusRow(1)),
      k: unlessTyping(() => focusRow(-1)),
      'Shift+?': unlessTyping(() => showHelp(true)),
    });
  }, [navigate, openPalette, sections]);
}

const unlessTyping =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    const { target } = event;
    if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]'))
      return;
    event.preventDefault();
    act();
  };

const focusSearch = (): void => document.querySelector<HTMLInputElement>('[data-page-search]')?.focus();

/** Moves the focus among the rows of the list on the page; the list scrolls along. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-list-row]')].sort(
    (a, b) => Number(a.dataset['listRow']) - Number(b.dataset['listRow']),
  );
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}

const SHORTCUTS: readonly (readonly [string, string])[] = [
  [t`Ctrl K`, t`Go to a page, an action or an execution`],
  ['/', t`Search on this page`],
  ['j', t`Next row`],
  ['k', t`Previous row`],
  [t`Enter`, t`Open the row`],
  ['?', t`Show this list`],
];

export function KeyboardHelp() {
  const isOpen = useSyncExternalStore(subscribe, () => helpIsOpen);
  const rows = [...useSections().map(({ key, label }) => [`g ${key}`, label] as const), ...SHORTCUTS];
  return (
    <Modal
      opened={isOpen}
      onClose={() => showHelp(false)}
      title={t`Keyboard shortcuts`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      <Table>
        <Table.Tbody>
          {rows.map(([keys, label]) => (
            <Table.Tr key={keys}>
              <Table.Td w={100}>
                {keys.split(' ').map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
