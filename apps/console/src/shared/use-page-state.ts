import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Values by name. Null and the empty text remove one. */
type Changes = Readonly<Record<string, string | null>>;

/**
 * The state of a page, such as its filters and its tab, as the search parameters of its address. A change is shown at once,
 * before the next event: otherwise React would put a switch or a typed character back until the page is drawn again.
 */
export function usePageState(): [state: URLSearchParams, change: (changes: Changes) => void] {
  const [state, setState] = useSearchParams();
  const change = useCallback(
    (changes: Changes) =>
      setState(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value) after.set(name, value);
            else after.delete(name);
          }
          return after;
        },
        { replace: true, flushSync: true },
      ),
    [setState],
  );
  return [state, change];
}
