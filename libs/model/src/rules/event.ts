import { messageOf } from '@switchyard/base';
import type { CriteriaDocument } from '../criteria';
import { isEmptyPayload } from '../criteria/compile-criteria';
import { lookUp, type LookedUp } from '../criteria/look-up';

/** Why a key leads nowhere in a payload: it is no path, or leads to too many places. */
export interface NotLookedUp {
  readonly reason: string;
}

type KeyReader = (document: CriteriaDocument) => LookedUp;

/** A payload that rules are asked about. */
export interface RuleEvent {
  /** What the keys of criteria are looked up in. */
  readonly document: CriteriaDocument;
  /** Nothing that has criteria matches then. */
  readonly isEmpty: boolean;
  /** The value of a key, looked up once however many rules have it. @param read the reader of this key, if there is one */
  lookUp(key: string, read?: KeyReader): LookedUp | NotLookedUp;
}

export function ruleEvent(payload: unknown): RuleEvent {
  const document = { trigger: payload };
  const known = new Map<string, LookedUp | NotLookedUp>();
  return {
    document,
    isEmpty: isEmptyPayload(payload),
    lookUp(key, read = (from) => lookUp(from, key)) {
      const before = known.get(key);
      if (before) return before;
      const found = attempt(document, read);
      known.set(key, found);
      return found;
    },
  };
}

function attempt(document: CriteriaDocument, read: KeyReader): LookedUp | NotLookedUp {
  try {
    return read(document);
  } catch (thrown) {
    return { reason: messageOf(thrown) };
  }
}
