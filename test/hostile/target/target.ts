/** A process of the system, as long as it lives. */
export interface TargetProcess {
  readonly name: string;
  readonly pid: number;
}

/** What is attacked: a system in one process, or its services in processes of their own. */
export interface Target {
  /** Of the three listeners; new ones after a restart of one process. */
  readonly addresses: Readonly<Record<'api' | 'auth' | 'stream', string>>;
  /** Those that have a process of their own: where `/healthz` is looked at. */
  readonly probed: Readonly<Record<string, string>>;
  readonly directory: string;
  processes(): readonly TargetProcess[];
  /** Processes that have ended without having been told to. */
  died(): readonly string[];
  /** Stops everything and starts it on the same data. */
  restart(): Promise<void>;
  /** Everything that was logged, in pieces. */
  logs(): Iterable<string>;
  stop(): Promise<void>;
}

/** The address of a path of the API document, such as `/auth/v1/tokens`, at the listener of its service. */
export function urlOf({ addresses }: Pick<Target, 'addresses'>, path: string): string {
  const [, service = '', rest = ''] = /^\/(api|auth|stream)(\/.*)$/.exec(path) ?? [];
  const address = (addresses as Record<string, string>)[service];
  return address === undefined ? addresses.api + path : address + rest;
}
