/** Named figures of one thing that was measured: `{ what: 'noop, idle', figures: { 'p50 ms': 4.1 } }`. */
export interface Measurement {
  readonly what: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** Prints a table with a row for each measurement, and a column for each figure that any of them has. */
export function printMeasurements(measurements: readonly Measurement[]): void {
  console.table(
    Object.fromEntries(
      measurements.map(({ what, figures }) => [
        what,
        Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)])),
      ]),
    ),
  );
}

/** About three digits, as text. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}
