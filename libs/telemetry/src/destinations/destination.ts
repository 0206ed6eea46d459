/** A destination of log lines. Writing neither waits nor throws, so that a broken log does not stop the work. */
export interface Destination {
  /** @param line without a line ending */
  write(line: string): void;
  /** Reopens a file after a rotation. */
  reopen(): void;
  /** Writes pending lines, then closes the destination. */
  close(): Promise<void>;
}

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
