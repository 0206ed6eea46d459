import { microsToIso } from '@switchyard/base';
import type { OutputRecord } from '@switchyard/model';
import type { OutputRepository } from '@switchyard/storage';

const STANDARD: readonly string[] = ['stdout', 'stderr'];

/** `all`, a type by name, or `other` for everything that is neither standard output nor error output. */
export function wantsOutput(wanted: string, type: string): boolean {
  if (wanted === 'all') return true;
  return wanted === 'other' ? !STANDARD.includes(type) : wanted === type;
}

/** The stored output of an execution after a sequence number, page by page. */
export async function* readOutput(
  output: Pick<OutputRepository, 'read'>,
  executionId: string,
  { type = 'all', after = 0 }: { type?: string; after?: number } = {},
): AsyncGenerator<OutputRecord> {
  for (let position = after; ;) {
    const page = await output.read(executionId, { after: position });
    for (const chunk of page) if (wantsOutput(type, chunk.output_type)) yield chunk;
    const last = page.at(-1);
    if (!last) return;
    position = last.sequence;
  }
}

/** A chunk as the stream shows it. */
export const outputView = ({
  _id,
  timestamp,
  sequence: _sequence,
  ...chunk
}: OutputRecord): Record<string, unknown> => ({
  id: _id,
  ...chunk,
  timestamp: microsToIso(timestamp),
});
