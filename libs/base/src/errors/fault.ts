import { catalogue, type ErrorCode } from './catalogue';

/** The placeholders of a template: `'Action "{ref}" cannot be found.'` has `ref`. */
type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Template<C extends ErrorCode> = (typeof catalogue)[C]['template'];

/** The values a throw site has to give for an error code. */
export type FaultDetails<C extends ErrorCode> = { [K in Placeholders<Template<C>>]: string | number };

/**
 * Every error that a user may see. `status` is the HTTP status, `message` is what clients read as `faultstring`,
 * `code` is the stable name that programs and documents refer to (docs/errors.md lists all of them).
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
  /** Further members of the error body, such as `conflict-id`. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Builds the fault of a catalogue entry. @param details one value for each placeholder of the entry's template */
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

/** The text of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
