/** The version of the reference that this product stands in for: packs may ask for a range of it. */
export const COMPATIBLE_VERSION = '3.9.0';

const PART = /^(>=|<=|>|<|=)\s*(\d+)\.(\d+)\.(\d+)$/;

const tests: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '=': (order) => order === 0,
};

/**
 * Whether `version` lies in a range such as `>=3.0.0, <4.0.0`: every part must hold.
 * @returns undefined when the text is no range
 */
export function isInRange(range: string, version = COMPATIBLE_VERSION): boolean | undefined {
  const parts = range
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => PART.exec(part));
  if (parts.length === 0 || parts.includes(null)) return undefined;
  const own = version.split('.').map(Number);
  return parts.every((match) => {
    const [, operator = '', ...wanted] = match as RegExpExecArray;
    return tests[operator]?.(compare(own, wanted.map(Number)));
  });
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((number, place) => number !== right[place]);
  return index < 0 ? 0 : Math.sign((left[index] ?? 0) - (right[index] ?? 0));
}
