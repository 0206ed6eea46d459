import { isPlainObject } from '@switchyard/base';
import { ApiError, isNotFound, type Client, type Execution, type IndexedPack, type Pack } from '@switchyard/client';
import { asOperation, CommandError, exitCodes, interruptible, statusExitCode } from '../exit-codes';
import { RUN_ATTRIBUTES, showExecutions } from '../output/show-execution';
import { tailWorkflow } from '../output/tail-workflow';
import { showProgress } from '../output/task-progress';
import type { CommandContext } from '../program/command-context';
import type { CommonOptions } from '../program/common-options';

export interface PackWorkOptions extends CommonOptions {
  readonly detail?: true;
}

export interface InstallOptions extends PackWorkOptions {
  readonly force?: true;
  readonly skipDependencies?: true;
  readonly tail?: true;
}

/** `svc pack install` */
export async function installPacks(
  context: CommandContext,
  packs: readonly string[],
  options: InstallOptions,
  columns: readonly string[],
): Promise<void> {
  const { json, yaml, force = false, skipDependencies = false } = options;
  const client = await context.client(options);
  if (!json && !yaml) await announce(context, client, packs);
  const id = await asOperation(client.packs.install({ packs, force, skipDependencies }));
  const ended = await followPackWork(context, client, id, options);
  if (!ended) return;
  const output = outputOf(ended);
  const installed = await Promise.all(texts(output['packs_list']).map((ref) => client.packs.get(ref)));
  await showPacks(context, installed, options, columns, installed.length !== 1);
  for (const warning of texts(output['warning_list'])) context.terminal.stderr.write(`WARNING: ${warning}\n`);
}

/** `svc pack remove` */
export async function removePacks(
  context: CommandContext,
  refs: readonly string[],
  options: PackWorkOptions,
  columns: readonly string[],
): Promise<void> {
  const client = await context.client(options);
  const before = await client.packs.list();
  const id = await asOperation(client.packs.uninstall(refs));
  if (!(await followPackWork(context, client, id, options))) return;
  for (const ref of refs) await refuseLeftover(client, ref);
  const gone = before.filter(({ ref }) => refs.includes(ref));
  await showPacks(context, gone, options, columns, gone.length !== 1);
}

/**
 * Waits for an execution that installs or removes packs, and reports the progress of its tasks, or with `tail` their output. If it
 * does not succeed, shows it with the reason and makes the command fail.
 * @returns the execution, if it succeeded
 */
async function followPackWork(
  context: CommandContext,
  client: Client,
  id: string,
  { json, yaml, tail }: PackWorkOptions & Pick<InstallOptions, 'tail'>,
): Promise<Execution | undefined> {
  const display = { ...(json && { json }), ...(yaml && { yaml }), depth: 1 };
  const printer = context.printer(display);
  const hint = () => `The execution continues: svc execution get ${id}, svc execution cancel ${id}.`;
  const ended = await interruptible(hint, async (signal) => {
    const ownStream = printer.format !== undefined;
    if (tail) await tailWorkflow(context.terminal, client, { id, status: 'running' }, { signal, ownStream });
    else if (!ownStream) await showProgress(context.terminal, client, id, signal);
    return client.executions.wait(id, { signal });
  });
  if (ended.status === 'succeeded') return ended;
  context.exitCode = statusExitCode(ended.status);
  const { timezone } = context.settings();
  await showExecutions(printer, [ended], display, { client, attributes: RUN_ATTRIBUTES, elapsed: false, timezone });
  const { message } = outputOf(ended);
  if (typeof message === 'string') context.terminal.stderr.write(`ERROR: ${message}\n`);
  return undefined;
}

const outputOf = ({ result }: Execution): Record<string, unknown> =>
  isPlainObject(result) && isPlainObject(result['output']) ? result['output'] : {};

/** Shows one pack as a property table, several as a list. */
async function showPacks(
  context: CommandContext,
  packs: readonly Pack[],
  options: PackWorkOptions,
  columns: readonly string[],
  many: boolean,
): Promise<void> {
  const printer = context.printer(options.detail ? { ...options, attr: ['all'] } : options);
  if (many) return printer.list(packs, columns);
  return printer.records(packs, { columns, first: columns });
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

const KINDS = ['actions', 'rules', 'sensors', 'aliases', 'triggers'];

/** Prints how much content packs of the index have. This is informational only, so errors are ignored. */
async function announce({ terminal }: CommandContext, client: Client, packs: readonly string[]): Promise<void> {
  const names = packs.filter((pack) => /^[\w-]+(=|$)/.test(pack)).map((pack) => pack.split('=', 1)[0] ?? '');
  const found: IndexedPack[] = [];
  for (const name of names) {
    const pack = await client.packs.show(name).catch(unlessRefused);
    if (pack) found.push({ name, ...pack });
  }
  const counts = KINDS.flatMap((kind) => {
    const count = found.reduce((sum, { content }) => sum + (content?.[kind]?.count ?? 0), 0);
    return count > 0 ? [`  ${kind.padEnd(8)}  ${count}\n`] : [];
  });
  if (counts.length === 0) return;
  const named = found.map(({ name = '' }) => name).join(', ');
  terminal.stderr.write(
    `For the "${named}" ${found.length > 1 ? 'packs' : 'pack'}, the following content will be registered:\n`,
  );
  for (const line of counts) terminal.stderr.write(line);
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof ApiError && error.status !== 401) return undefined;
  throw error;
}

async function refuseLeftover({ packs }: Client, ref: string): Promise<void> {
  const found = await packs.get(ref).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return undefined;
  });
  if (found)
    throw new CommandError(`Pack "${ref}" was not removed completely: it is still registered.`, exitCodes.usage.code);
}
