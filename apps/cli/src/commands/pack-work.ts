import type { Client, Execution, Pack } from '@switchyard/client';
import { statusExitCode } from '../exit-codes';
import { RUN_ATTRIBUTES, showExecutions } from '../output/show-execution';
import { showProgress } from '../output/task-progress';
import type { CommandContext } from '../program/command-context';
import type { CommonOptions } from '../program/common-options';
import { interruptible } from '../program/interruptible';

export interface PackWorkOptions extends CommonOptions {
  readonly detail?: true;
}

export const PACK_COLUMNS: readonly string[] = ['ref', 'name', 'description', 'version', 'author'];

/**
 * Waits for an execution that installs or removes packs, telling how its tasks go. One that does not succeed is shown, and
 * makes the command fail.
 * @returns the execution once it has succeeded
 */
export async function followPackWork(
  context: CommandContext,
  client: Client,
  id: string,
  { json, yaml }: PackWorkOptions,
): Promise<Execution | undefined> {
  const display = { ...(json && { json }), ...(yaml && { yaml }), depth: 1 };
  const printer = context.printer(display);
  const hint = () => `The execution goes on: svc execution get ${id}, svc execution cancel ${id}.`;
  const ended = await interruptible(hint, async (signal) => {
    if (!printer.format) await showProgress(context.terminal, client, id, signal);
    return client.executions.wait(id, { signal });
  });
  if (ended.status === 'succeeded') return ended;
  context.exitCode = statusExitCode(ended.status);
  const { timezone } = context.settings();
  await showExecutions(printer, [ended], display, { client, attributes: RUN_ATTRIBUTES, elapsed: false, timezone });
  return undefined;
}

/** One pack as a table of properties, several one a row. */
export async function showPacks(
  context: CommandContext,
  packs: readonly Pack[],
  options: PackWorkOptions,
  { many }: { many: boolean },
): Promise<void> {
  const printer = context.printer(options.detail ? { ...options, attr: ['all'] } : options);
  if (many) return printer.list(packs, PACK_COLUMNS);
  return printer.records(packs, { columns: PACK_COLUMNS, first: PACK_COLUMNS });
}
