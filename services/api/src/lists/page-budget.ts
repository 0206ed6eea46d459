import { isPlainObject, jsonSize, KIB } from '@switchyard/base';
import type { Config } from '@switchyard/config';

type View = Readonly<Record<string, unknown>>;

/** A part of a record that a list leaves out, and where to find it. */
export interface LeftOut {
  /** `result`, `liveaction.parameters` */
  readonly attribute: string;
  /** Size in bytes of its JSON. */
  readonly size: number;
  readonly link: string;
}

/** Limits the total size of the large parts of the records in one list: `limits.max_list_bytes`. */
export interface PageBudget {
  /** Records that a part of this size is shown. @returns false when it is too large for that */
  take(bytes: number): boolean;
  /** Marks a part of a view as already counted, before it was read. */
  taken(part: unknown): void;
  /** The view without parts that are too large; `left_out` names them and their sizes. */
  fit(view: View): View;
  /** Adds a part that is not in the view to `left_out`. */
  without(view: View, part: Omit<LeftOut, 'link'>): View;
}

/** Parts up to this size are always shown. */
const SMALL = 64 * KIB;
/** One part may use at most this fraction (1 / SHARE) of the list's budget. */
const SHARE = 4;

/**
 * @param path of the list, as requested
 * @param linkOf the address of one record; default: its id below the list
 */
export function pageBudget(
  { limits }: { readonly limits: Pick<Config['limits'], 'max_list_bytes'> },
  { path }: { readonly path: string },
  linkOf: (view: View, path: string) => string = ({ id }) => `${path}/${encodeURIComponent(String(id))}`,
): PageBudget {
  const largest = limits.max_list_bytes / SHARE;
  let left = limits.max_list_bytes;
  const noted = new WeakSet<object>();
  const take = (bytes: number): boolean => {
    if (bytes <= Math.min(SMALL, largest)) return true;
    if (bytes > largest || bytes > left) return false;
    left -= bytes;
    return true;
  };
  const fits = (value: unknown, size: number): boolean =>
    (typeof value === 'object' && value !== null && noted.has(value)) || take(size);
  const note = (view: View, parts: readonly Omit<LeftOut, 'link'>[]): View => {
    const link = linkOf(view, path);
    const before = (view['left_out'] as readonly LeftOut[] | undefined) ?? [];
    return { ...view, left_out: [...before, ...parts.map((part) => ({ ...part, link }))] };
  };
  return {
    take,
    taken(part) {
      if (typeof part === 'object' && part !== null) noted.add(part);
    },
    fit(view) {
      const removed: Omit<LeftOut, 'link'>[] = [];
      const shown = withoutLarge(view, '', { fits, removed });
      return removed.length === 0 ? view : note(shown, removed);
    },
    without: (view, part) => note(view, [part]),
  };
}

interface Fitting {
  fits(value: unknown, size: number): boolean;
  readonly removed: Omit<LeftOut, 'link'>[];
}

/** Goes one level into objects that are too large, so that their small members stay. */
function withoutLarge(view: View, within: string, fitting: Fitting): View {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(view)) {
    const attribute = within + name;
    const size = sizeOf(value);
    if (fitting.fits(value, size)) shown[name] = value;
    else if (within === '' && isPlainObject(value)) {
      const rest = withoutLarge(value, `${attribute}.`, fitting);
      const restSize = sizeOf(rest);
      if (fitting.fits(rest, restSize)) shown[name] = rest;
      else fitting.removed.push({ attribute, size: restSize });
    } else fitting.removed.push({ attribute, size });
  }
  return shown;
}

/** The exact size of a small value does not matter. */
const sizeOf = (value: unknown): number => {
  const size = jsonSize(value, SMALL);
  return size <= SMALL ? size : jsonSize(value);
};
