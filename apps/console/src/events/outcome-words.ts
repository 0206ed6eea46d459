import { plural, t } from '@lingui/core/macro';
import type { EventRow } from '../api/client';

/** What the rules made of an event, in a few words. */
export function outcomeInWords(outcome: EventRow['outcome']): string {
  if (outcome === undefined) return '';
  const { reason, matched = [], rules = 0 } = outcome;
  if (reason !== undefined) return reason;
  if (matched.length > 0) return t`matched ${matched.join(', ')}`;
  return rules === 0
    ? t`no rule listens`
    : plural(rules, { one: 'none of # rule matched', other: 'none of # rules matched' });
}
