/** Values that earlier calls have kept, by name. */
export type Kept = Readonly<Record<string, unknown>>;

/** A request of the reference's console, and what the console does with the response. */
export interface ConsoleCall {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1` of the API. `{name}` is a value that an earlier call has kept. */
  readonly path: string;
  /** Values may contain `{name}` as well. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: (kept: Kept) => unknown;
  /** Default: 200. */
  readonly status?: number;
  /** How the credential is sent. Default: `header`. Images and event streams only have the cookie. */
  readonly by?: 'header' | 'cookie';
  /** The members that the console reads, as dotted paths; `*` is the first value of a list or a map. */
  readonly reads?: readonly string[];
  /** Headers of the response that the console reads. */
  readonly headers?: readonly string[];
  /** Repeats the call until these members have these values, as the console does for a run that it shows. */
  readonly until?: Readonly<Record<string, unknown>>;
  /** Values for later calls: the path of each in the response; an empty path is the whole response. */
  readonly keeps?: Readonly<Record<string, string>>;
}

export interface ConsolePage {
  readonly title: string;
  readonly calls: readonly ConsoleCall[];
}

/** The member with a dotted path; undefined if there is none. */
export function memberAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path === '' ? [] : path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = step === '*' ? Object.values(found)[0] : (found as Record<string, unknown>)[step];
  }
  return found;
}

/** Replaces each `{name}` by the kept value. */
export const filledIn = (text: string, kept: Kept): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!(name in kept)) throw new Error(`No earlier call has kept "${name}".`);
    return String(kept[name]);
  });
