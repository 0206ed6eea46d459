/** One value that somebody set, before it is checked. Later settings of the same option win. */
export interface Setting {
  readonly section: string;
  readonly option: string;
  /** A text as in a file, or from an embedding program a value of the option's type. */
  readonly value: unknown;
  readonly source: 'file' | 'environment' | 'command line';
  /** Where it was set, for messages: `svc.conf line 3`. */
  readonly origin: string;
}
