import { jsonOf, type Answer } from '../answer';
import type { Sent } from '../caller';
import { ID_PLACE } from './examples';

/** The last created id of each resource. */
export interface KnownIds {
  learn(sent: Sent, answer: Answer): void;
  /** Replaces the placeholders by ids. */
  fill(sent: Sent): Sent;
}

const NO_ID = '0123456789abcdef01234567';

/** An id for resources that no request creates. */
const LISTED = ['traces', 'triggerinstances', 'ruleenforcements', 'inquiries', 'liveactions', 'triggers'];

export function knownIds(): KnownIds {
  const last = new Map<string, string>();
  return {
    learn({ method, path }, answer) {
      const resource = path.split(/[/?]/)[3] ?? '';
      const isMade = method === 'POST' && answer.status === 201;
      const isListed = method === 'GET' && answer.status === 200 && LISTED.includes(resource);
      if (!isMade && !isListed) return;
      const { id } = (firstOf(jsonOf(answer)) ?? {}) as { id?: unknown };
      if (typeof id === 'string' && id !== '') last.set(resource, id);
    },
    fill: (sent) => ({
      ...sent,
      path: sent.path.replaceAll(ID_PLACE, (_, resource: string) => last.get(resource) ?? NO_ID),
    }),
  };
}

const firstOf = (body: unknown): unknown => (Array.isArray(body) ? (body as unknown[])[0] : body);
