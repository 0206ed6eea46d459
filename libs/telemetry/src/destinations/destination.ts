/** Where lines go. Writing neither waits nor throws: a log that cannot be written must not stop the work it tells of. */
export interface Destination {
  /** @param line without its line end */
  write(line: string): void;
  /** Opens a file anew, after it was rotated. */
  reopen(): void;
  /** Writes what is pending, then lets go. */
  close(): Promise<void>;
}
