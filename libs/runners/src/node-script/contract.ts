/**
 * An action in JavaScript or TypeScript: what its file exports by default. What it returns, or what the promise resolves to,
 * is the result; an exception or a rejection is a failure.
 */
export type Action = ActionFunction | ActionClass;

/** @param config the configuration of the pack */
export type ActionFunction<P = Parameters> = (parameters: P, service: ActionService, config: Parameters) => unknown;

export type ActionClass<P = Parameters> = new (
  service: ActionService,
  config: Parameters,
) => { run(parameters: P): unknown };

type Parameters = Readonly<Record<string, unknown>>;

/** What an action may use. Calls reject when the system refuses them. */
export interface ActionService {
  readonly logger: ActionLogger;
  readonly executionId: string;
  /** Items of the datastore; unless `local` is false, their names begin with `<pack>.<action>:`. */
  getValue(name: string, options?: { readonly local?: boolean; readonly decrypt?: boolean }): Promise<string | null>;
  setValue(
    name: string,
    value: string,
    options?: { readonly local?: boolean; readonly encrypt?: boolean; readonly ttlSeconds?: number },
  ): Promise<void>;
  /** @returns whether there was such an item */
  deleteValue(name: string, options?: { readonly local?: boolean }): Promise<boolean>;
  listValues(options?: {
    readonly local?: boolean;
    readonly prefix?: string;
    readonly limit?: number;
    readonly offset?: number;
  }): Promise<readonly { readonly name: string; readonly value: string }[]>;
  /** Whose rights count, as `GET /v1/user` tells. */
  getUserInfo(): Promise<Readonly<Record<string, unknown>>>;
  /** To be returned: the execution has failed, and this is its result. */
  failed(result?: unknown): ActionOutcome;
  /** To be returned: the same as returning the result itself. */
  succeeded(result?: unknown): ActionOutcome;
}

/** A result with a status, see `ActionService.failed`. */
export interface ActionOutcome {
  readonly succeeded: boolean;
  readonly result: unknown;
}

/** Writes to the error output: `actions.node.<pack>.<action>: INFO <message>`. */
export interface ActionLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
