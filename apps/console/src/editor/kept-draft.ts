import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { currentUser } from '../api/queries';
import { useSession } from '../session/session';

export interface KeptDraft<T> {
  readonly draft: T;
  readonly change: Dispatch<SetStateAction<T>>;
  readonly discard: () => void;
  /** Keeps the draft under another name. */
  readonly rename: (name: string) => void;
}

/**
 * Unsaved work of the user. The tab keeps it while the page is loaded again, or while its user has to log in again.
 * @param isUnsaved whether a draft differs from what is stored
 */
export function useKeptDraft<T>(name: string, initial: T, isUnsaved: (draft: T) => boolean): KeptDraft<T> {
  const { data: user } = useQuery(currentUser(useSession()?.token));
  const [keyOf] = useState(() => (of: string) => `switchyard.draft.${user?.username}.${of}`);
  const [key] = useState(() => keyOf(name));
  const [draft, change] = useState(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? initial : (JSON.parse(kept) as T);
  });
  useEffect(() => {
    if (isUnsaved(draft)) sessionStorage.setItem(key, JSON.stringify(draft));
    else sessionStorage.removeItem(key);
  }, [key, draft, isUnsaved]);
  const discard = () => sessionStorage.removeItem(key);
  const rename = (other: string) => {
    if (isUnsaved(draft)) sessionStorage.setItem(keyOf(other), JSON.stringify(draft));
    discard();
  };
  return { draft, change, discard, rename };
}

/** The rehearsal of a workflow. It is never saved, so the tab keeps it until it is emptied. */
export const useKeptRehearsal = (workflow: string): KeptDraft<string> =>
  useKeptDraft<string>(rehearsalOf(workflow), '', isWritten);

export const rehearsalOf = (workflow: string): string => `rehearsal.${workflow}`;

const isWritten = (text: string): boolean => text !== '';
