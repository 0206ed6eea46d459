import { resolve } from 'node:path';
import {
  explainConfig,
  explainUnknownName,
  type ConfigFinding,
  type ExplainedConfig,
  type ExplainedOption,
} from '@switchyard/config';
import type { ConfigCheckOptions, ConfigShowOptions } from './config';
import { CommandError, exitCodes, usageError } from '../exit-codes';
import { createPrinter, type DisplayOptions, type Printer } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { environmentValue } from '../terminal';

/** The kinds that `svc config check` calls errors: services do not start, or lose a setting. */
const ERRORS: ReadonlySet<ConfigFinding['kind']> = new Set(['invalid', 'unreadable', 'unknown']);

/** `svc config check`: prints every finding. */
export async function checkServiceConfig(options: ConfigCheckOptions, context: CommandContext): Promise<void> {
  const files = options.file?.map((path) => resolve(path)) ?? [undefined];
  const found: ConfigFinding[] = [];
  for (const file of files) found.push(...(await allFindings(explainFile(file, options, context))));
  const findings = found.map(({ kind, message, origins }) => ({
    level: ERRORS.has(kind) ? 'error' : 'warning',
    kind,
    message,
    origins,
  }));
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (errors > 0) context.exitCode = exitCodes.failed.code;
  const printer = printerFor(options, context);
  if (printer.format) return printer.document(findings);
  for (const { level, message, origins } of findings) {
    const where = origins.length === 0 ? '' : ` (${origins.join(', ')})`;
    printer.line(`${level}: ${message}${where}`);
  }
  if (findings.length === 0) printer.line('The configuration has no errors.');
  else printer.line(`Errors: ${errors}, warnings: ${findings.length - errors}`);
}

/** What is wrong with the values, and what the services themselves would refuse. An unreadable file is mentioned once. */
async function allFindings({ config, findings }: ExplainedConfig): Promise<ConfigFinding[]> {
  const { startProblems } = await import('@switchyard/all-in-one/start-problems');
  const unreadable = findings.flatMap(({ path }) => path ?? []);
  const refusals = (await startProblems(config))
    .filter((message) => !unreadable.some((path) => message.includes(path)))
    .map((message): ConfigFinding => ({ kind: 'invalid', message, origins: [] }));
  const errors = findings.filter(({ kind }) => ERRORS.has(kind));
  return [...errors, ...refusals, ...findings.filter(({ kind }) => !ERRORS.has(kind))];
}

/** `svc config show`: prints options with their sources. */
export async function showConfig(
  name: string | undefined,
  options: ConfigShowOptions,
  context: CommandContext,
): Promise<void> {
  const wanted = wantedOptions(name, options.all ?? false);
  const explained = explainFile(undefined, options, context);
  const errors = explained.findings.filter(({ kind }) => kind === 'invalid' || kind === 'unreadable').length;
  const printer = printerFor(options, context);
  const rows = explained.options.filter(wanted).map(({ option, value, source, origin }) => ({
    ...{ option, value, source, origin },
  }));
  if (printer.format) await printer.document(rows);
  else if (rows.length === 0) printer.line('All options have their defaults.');
  else await printer.list(rows, ['option', 'value', 'source', 'origin']);
  if (errors > 0) throw new CommandError('The configuration has errors: svc config check lists them.');
}

function wantedOptions(name: string | undefined, all: boolean): (option: ExplainedOption) => boolean {
  if (name === undefined) return ({ isDefault }) => all || !isDefault;
  const [section = '', option] = name.split('.');
  const unknown = explainUnknownName(section, option);
  if (unknown !== undefined) throw usageError(unknown);
  const isIn = (given: ExplainedOption): boolean => given.section.toLowerCase() === section.toLowerCase();
  if (option === undefined) return (given) => isIn(given) && (all || !given.isDefault);
  const normal = option.toLowerCase().replaceAll('-', '_');
  return (given) => isIn(given) && given.option.endsWith(`.${normal}`);
}

function explainFile(
  file: string | undefined,
  { configFile }: { configFile?: string },
  { terminal: { env } }: CommandContext,
): ExplainedConfig {
  const named = configFile ?? environmentValue(env, 'CONFIG_PATH');
  return explainConfig({
    environment: env,
    file: file ?? (named === undefined ? undefined : resolve(named)),
  });
}

/** Does not read the settings of the command, because `--config-file` names the file of the services here. */
const printerFor = (options: DisplayOptions, { terminal }: CommandContext): Printer =>
  createPrinter(terminal, options, 'UTC');
