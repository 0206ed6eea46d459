import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { currentUser } from '../api/queries';
import { useSession } from '../session/session';

export interface KeptDraft<T> {
  readonly draft: T;
  readonly change: Dispatch<SetStateAction<T>>;
  readonly discard: () => void;
}

/**
 * Unsaved work of the user. The tab keeps it while the page is loaded again, or while its user has to log in again.
 * @param isUnsaved whether a draft differs from what is stored
 */
export function useKeptDraft<T>(name: string, initial: T, isUnsaved: (draft: T) => boolean): KeptDraft<T> {
  const { data: user } = useQuery(currentUser(useSession()?.token));
  const [key] = useState(`switchyard.draft.${user?.username}.${name}`);
  const [draft, change] = useState(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? initial : (JSON.parse(kept) as T);
  });
  useEffect(() => {
    if (isUnsaved(draft)) sessionStorage.setItem(key, JSON.stringify(draft));
    else sessionStorage.removeItem(key);
  }, [key, draft, isUnsaved]);
  return { draft, change, discard: () => sessionStorage.removeItem(key) };
}
