import type { KeyRotation } from '@switchyard/client';
import { CommandError, exitCodes } from '../exit-codes';
import type { Printer } from '../output/printer';
import type { CommandContext } from '../program/command-context';

export const isSettled = ({ stage }: Pick<KeyRotation, 'stage'>): boolean =>
  stage === 'resealed' || stage === 'retired';

/** @param isReport true to show a rotation that may still be under way */
export async function showRotation(
  rotation: KeyRotation,
  printer: Printer,
  context: CommandContext,
  isReport: boolean,
): Promise<void> {
  const { stage, problem, resealed, lost } = rotation;
  if (printer.format) await printer.document(rotation);
  else if (isReport) await printer.records([rotation], {});
  else if (isSettled(rotation)) {
    printer.line(`${resealed} secrets were encrypted again.`);
    const count = lost.reduce((sum, each) => sum + each.count, 0);
    if (count > 0) printer.line(`No key opens ${count} others; svc doctor lists them.`);
    for (const { collection, id, field } of rotation.damaged ?? [])
      printer.line(`Damaged: ${field} of ${id} in ${collection}`);
    if (stage === 'retired') printer.line('The former keys were removed.');
    else printer.line('The former keys are still in the key files. To remove them: svc key rotate --retire');
  }
  if (problem !== undefined) throw new CommandError(problem);
  if (isReport && !isSettled(rotation)) context.exitCode = exitCodes.failed.code;
}
