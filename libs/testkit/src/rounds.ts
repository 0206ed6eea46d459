/**
 * How often a test repeats itself with other values or at other moments: `usual` times `SVC_TEST_ROUNDS`. CI sets 4; set
 * more to look for a rare defect.
 * @throws Error when the variable is not a positive number
 */
export function rounds(usual: number): number {
  const factor = Number(process.env['SVC_TEST_ROUNDS'] ?? 1);
  if (!(factor > 0)) throw new Error('SVC_TEST_ROUNDS must be a positive number.');
  return Math.ceil(usual * factor);
}
