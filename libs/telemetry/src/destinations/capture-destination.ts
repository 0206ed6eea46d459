import type { Destination } from './destination';

/** Keeps lines in memory, for tests. */
export interface CaptureDestination extends Destination {
  readonly lines: readonly string[];
}

export function captureDestination(): CaptureDestination {
  const lines: string[] = [];
  return {
    lines,
    write: (line) => void lines.push(line),
    reopen: () => undefined,
    close: () => Promise.resolve(),
  };
}
