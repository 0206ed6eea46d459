const WHOLE = /^\s*[+-]?\d+\s*$/;

/** A whole number, also when a text spells it; undefined for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && WHOLE.test(value)) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** A number of at least 0, also when a text spells it; undefined for anything else. */
export function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) && parsed >= 0 ? parsed : undefined;
}
