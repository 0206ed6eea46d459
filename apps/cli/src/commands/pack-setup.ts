import { ApiError, type Client, type PackFileProblem } from '@switchyard/client';
import { asOperation, exitCodes, usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import type { CommonOptions } from '../program/common-options';

export interface RegisterOptions extends CommonOptions {
  types?: string[];
  failOnFailure?: true;
  setupVirtualenvs?: true;
  recreateVirtualenvs?: true;
}

/** `svc pack register` */
export async function registerAndSetUp(
  context: CommandContext,
  packs: readonly string[],
  options: RegisterOptions,
): Promise<void> {
  const { types = [], setupVirtualenvs, recreateVirtualenvs: recreate = false } = options;
  const client = await context.client(options);
  const isStrict = options.failOnFailure === true;
  const registering = client.packs.register({ packs, types, isStrict }).catch((error: unknown) => {
    if (!printProblems(context, error)) throw error;
  });
  const registered = await asOperation(registering);
  if (!registered) return;
  const { counts, failures, warnings } = registered;
  for (const problem of [...failures, ...warnings]) {
    context.terminal.stderr.write(`WARNING: ${placeOf(problem)}: ${problem.text}\n`);
  }
  if (!setupVirtualenvs && !recreate) return context.printer(options).records([counts], {});
  const refs = packs.length > 0 ? packs : (await client.packs.list()).map(({ ref }) => ref);
  const done = await setUpPacks(context, client, refs, { recreate });
  const virtualenvs = done.filter(({ virtualenv }) => virtualenv === 'ready').length;
  await context.printer(options).records([{ ...counts, virtualenvs }], {});
}

/**
 * Prints the problems for which a registration was refused, each in a line of its own.
 * @returns whether there is more than one
 */
function printProblems(context: CommandContext, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 400) return false;
  const problems = error.faultstring.trim().split('\n');
  if (problems.length === 1) return false;
  for (const problem of problems) context.terminal.stderr.write(`ERROR: ${problem}\n`);
  context.exitCode = exitCodes.usage.code;
  return true;
}

const placeOf = ({ file, line, field }: PackFileProblem): string =>
  [file, ...(line === undefined ? [] : [`line ${line}`]), ...(field === undefined ? [] : [`field "${field}"`])].join(
    ', ',
  );

export interface CheckOptions extends CommonOptions {
  packPath?: string;
  configPath?: string;
  schemaPath?: string;
}

/** `svc pack check`: fails if a file is invalid. With a path, the files are on this machine, and no server is asked. */
export async function checkPacks(
  context: CommandContext,
  refs: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const { packPath, configPath, schemaPath } = options;
  if ((configPath === undefined) !== (schemaPath === undefined))
    throw usageError('--config-path and --schema-path need each other.');
  const asked = [refs.length > 0, packPath !== undefined, configPath !== undefined];
  if (asked.filter(Boolean).length > 1)
    throw usageError('Specify refs of packs, or -p DIRECTORY, or --config-path FILE, not several of them.');
  const { failures, warnings } = await problemsIn(context, refs, options);
  const rows = [
    ...failures.map((problem) => ({ severity: 'error', ...problem })),
    ...warnings.map((problem) => ({ severity: 'warning', ...problem })),
  ];
  const printer = context.printer(options);
  if (rows.length === 0 && !printer.format) printer.line('No problems were found.');
  else await printer.list(rows, ['severity', 'file', 'line', 'field', 'text']);
  if (failures.length > 0) context.exitCode = exitCodes.failed.code;
}

async function problemsIn(
  context: CommandContext,
  refs: readonly string[],
  { packPath, configPath, schemaPath, ...options }: CheckOptions,
) {
  if (packPath !== undefined) {
    const { checkDirectory } = await import('./pack-check-run.js');
    return checkDirectory(packPath, context.terminal);
  }
  if (configPath !== undefined && schemaPath !== undefined) {
    const { checkPackConfig } = await import('./pack-check-run.js');
    return checkPackConfig(configPath, schemaPath);
  }
  return asOperation((await context.client(options)).packs.check(refs));
}

/** `svc pack setup` */
export async function setUpOnServer(
  context: CommandContext,
  refs: readonly string[],
  options: CommonOptions & { recreate?: true },
): Promise<void> {
  const client = await context.client(options);
  const done = await setUpPacks(context, client, refs, { recreate: options.recreate === true });
  await context.printer(options).list(done, ['pack', 'virtualenv']);
}

/** The outcome for one pack. */
interface PackSetup {
  readonly pack: string;
  readonly virtualenv: 'ready' | 'not needed' | 'failed';
}

/** Creates virtual environments on the server, one by one. A failure fails the command, but the other packs continue. */
async function setUpPacks(
  context: CommandContext,
  { packs }: Client,
  refs: readonly string[],
  how: { recreate: boolean },
): Promise<PackSetup[]> {
  const done: PackSetup[] = [];
  for (const pack of refs) {
    context.terminal.stderr.write(`Setting up the pack "${pack}"\n`);
    done.push({ pack, virtualenv: await setUpPack(context, packs, pack, how) });
  }
  return done;
}

async function setUpPack(
  context: CommandContext,
  packs: Client['packs'],
  pack: string,
  how: { recreate: boolean },
): Promise<PackSetup['virtualenv']> {
  try {
    return (await packs.setUp(pack, how)) ? 'ready' : 'not needed';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    // The last lines of pip's output.
    context.terminal.stderr.write(`ERROR: ${error.faultstring.trimEnd()}\n`);
    context.exitCode = exitCodes.failed.code;
    return 'failed';
  }
}
