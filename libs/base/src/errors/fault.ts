import { catalogue, type ErrorCode } from './catalogue';

/** The placeholders of a template: `'Action "{ref}" cannot be found.'` has `ref`. */
type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Template<C extends ErrorCode> = (typeof catalogue)[C]['template'];

/** The values that a throw site must pass for an error code. */
export type FaultDetails<C extends ErrorCode> = { [K in Placeholders<Template<C>>]: string | number };

/**
 * An error that a user may see. `status` is the HTTP status and `message` the `faultstring` of the response. `code` is a
 * stable name; docs/errors.md lists all of them.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(
    readonly code: ErrorCode,
    readonly status: number,
    message: string,
    options: { cause?: unknown; readonly extra?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.extra = options.extra ?? {};
  }
  /** Additional members of the response body, such as `conflict-id`. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Creates the fault of a catalogue entry. @param details one value for each placeholder of its template */
export function fault<C extends ErrorCode>(
  code: C,
  ...[details, options]: [Placeholders<Template<C>>] extends [never]
    ? [details?: Record<string, never>, options?: FaultOptions]
    : [details: FaultDetails<C>, options?: FaultOptions]
): Fault {
  const { status, template } = catalogue[code];
  const values = (details ?? {}) as Record<string, string | number>;
  const message = template.replace(/\{(\w+)\}/g, (all: string, name: string) =>
    name in values ? String(values[name]) : all,
  );
  return new Fault(code, status, message, options);
}

export interface FaultOptions {
  cause?: unknown;
  extra?: Readonly<Record<string, unknown>>;
}

export const isFault = (value: unknown): value is Fault => value instanceof Fault;

/** The message of any thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const LACKING: readonly unknown[] = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];

/** Whether a call failed because file descriptors, processes or memory ran out. The same call may succeed later. */
export const lacksResources = (thrown: unknown): boolean =>
  thrown instanceof Error && LACKING.includes((thrown as NodeJS.ErrnoException).code);

/** Makes the compiler check that a switch handles all cases. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
