/**
 * A JavaScript or TypeScript action: the default export of its file. The returned or resolved value is the result; an
 * exception or a rejection is a failure.
 */
export type NodeAction = ActionFunction | ActionClass;

/** @param config the configuration of the pack */
export type ActionFunction<P = Parameters> = (parameters: P, service: ActionService, config: Parameters) => unknown;

export type ActionClass<P = Parameters> = new (
  service: ActionService,
  config: Parameters,
) => { run(parameters: P): unknown };

type Parameters = Readonly<Record<string, unknown>>;

/** Services for an action. Calls reject if the API refuses them. */
export interface ActionService {
  readonly logger: ActionLogger;
  readonly executionId: string;
  /** Datastore items. Unless `local` is false, their names get the prefix `<pack>.<action>:`. */
  getValue(name: string, options?: { readonly local?: boolean; readonly decrypt?: boolean }): Promise<string | null>;
  setValue(
    name: string,
    value: string,
    options?: { readonly local?: boolean; readonly encrypt?: boolean; readonly ttlSeconds?: number },
  ): Promise<void>;
  /** @returns whether the item existed */
  deleteValue(name: string, options?: { readonly local?: boolean }): Promise<boolean>;
  listValues(options?: {
    readonly local?: boolean;
    readonly prefix?: string;
    readonly limit?: number;
    readonly offset?: number;
  }): Promise<readonly { readonly name: string; readonly value: string }[]>;
  /** The user whose permissions apply, as returned by `GET /v1/user`. */
  getUserInfo(): Promise<Readonly<Record<string, unknown>>>;
  /** Return this to fail the execution with a result. */
  failed(result?: unknown): ActionOutcome;
  /** Return this to succeed; the same as returning the result itself. */
  succeeded(result?: unknown): ActionOutcome;
}

/** A result with a status, see `ActionService.failed`. */
export interface ActionOutcome {
  readonly succeeded: boolean;
  readonly result: unknown;
}

/** Writes to standard error: `actions.node.<pack>.<action>: INFO <message>`. */
export interface ActionLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
