/** What came back from a request. */
export interface Answer {
  /** 0 when the connection ended without one. */
  readonly status: number;
  /** The body, or the beginning of a very long one. */
  readonly text: string;
  readonly bytes: number;
  readonly durationMs: number;
  /** Why there is no answer. */
  readonly failure?: string;
}

/** The body as JSON; undefined when it is none. */
export function jsonOf({ text }: Answer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A member of the body that is a text: an id, a status, a message. */
export const memberOf = (answer: Answer, name: string): string => {
  const member = jsonOf(answer)?.[name];
  return typeof member === 'string' ? member : '';
};
