import { useSearchParams } from 'react-router';

type Changes = Readonly<Record<string, string | null>>;

/** The state of a page, such as its filters, as the search parameters of its address. Empty members are left out. */
export function usePageState(): [state: URLSearchParams, change: (changes: Changes) => void] {
  const [state, setState] = useSearchParams();
  const change = (changes: Changes) =>
    setState(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      },
      { replace: true },
    );
  return [state, change];
}
