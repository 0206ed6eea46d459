/** The response to a request. */
export interface Answer {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  /** The body, or the start of a very long one. */
  readonly text: string;
  readonly bytes: number;
  readonly durationMs: number;
  /** Why there is no response. */
  readonly failure?: string;
}

/** The body parsed as JSON, or undefined if it is not JSON. */
export function jsonOf({ text }: Answer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A string member of the body, such as an id, a status or a message. */
export const memberOf = (answer: Answer, name: string): string => {
  const member = jsonOf(answer)?.[name];
  return typeof member === 'string' ? member : '';
};
