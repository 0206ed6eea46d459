import { Command, CommanderError } from 'commander';
import { exitCodes } from '../exit-codes';
import { readCliConfigFile } from '../settings/config-file';
import type { GlobalOptions } from '../settings/settings';
import type { Terminal } from '../terminal';
import { createContext, type CommandContext } from './command-context';
import { commandGroups } from './command-groups';
import { normaliseArguments } from './normalise-arguments';
import { reportError } from './report-error';

/** Runs `svc` with the given words. Reports everything on the terminal and returns the exit code. */
export async function runProgram(words: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const program = createProgram(terminal, version);
  const context = createContext(terminal, version, () => program.opts<GlobalOptions>());
  const argv = normaliseArguments(words);
  try {
    await addCommands(program, context, argv);
    if (argv.includes('--print-config')) program.exitOverride().action(() => undefined);
    await program.parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof PrintConfig) return printConfig(terminal, program.opts<GlobalOptions>());
    if (error instanceof CommanderError) return usageExitCode(error);
    return reportError(error, context, program.opts<GlobalOptions>().debug ?? false);
  }
}

function createProgram({ stdout, stderr, env }: Terminal, version: string): Command {
  return new Command('svc')
    .description('Run actions, inspect executions and manage content of Switchyard.')
    .usage('[options] <command> [arguments]')
    .version(version, '--version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .option('--url <address>', 'Set the address of all services, without a port, such as https://host')
    .option('--api-url <address>', 'Set the address of the API, with its version, such as https://host/api/v1')
    .option('--auth-url <address>', 'Set the address of the auth service')
    .option('--stream-url <address>', 'Set the address of the stream service')
    .option('--api-version <version>', 'Set the version of the API (default: v1)')
    .option('--cacert <file>', 'Trust the certificates in this file; "false" trusts any certificate')
    .option('--basic-auth <user:password>', 'Set the credentials for a proxy in front of the services')
    .option('--config-file <file>', 'Read this configuration file (default: ~/.svc/config)')
    .option('--skip-config', 'Do not read a configuration file')
    .option('--print-config', 'Print the parsed configuration file')
    .option('--debug', 'Show requests, responses and stack traces, with secrets masked')
    .addHelpText('after', `\n${exitCodeTable()}\n`)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'ERROR: ')),
      getOutHelpWidth: () => Number(env['COLUMNS']) || stdout.columns || 80,
      getErrHelpWidth: () => Number(env['COLUMNS']) || stderr.columns || 80,
    })
    .helpCommand('help [command]', 'Show help for a command')
    .showHelpAfterError('Use --help to see the usage.')
    .exitOverride()
    .on('option:print-config', () => {
      throw new PrintConfig();
    });
}

/** Unused groups are defined only by their name and description. */
async function addCommands(program: Command, context: CommandContext, argv: readonly string[]): Promise<void> {
  for (const { name, description, load } of commandGroups) {
    const group = program.command(name).description(description);
    if (argv.includes(name)) (await load())(group, context);
  }
}

class PrintConfig extends Error {}

const SECRET = /password|key|token|basic_auth/;

function printConfig(terminal: Terminal, options: GlobalOptions): number {
  const { sections } = readCliConfigFile(terminal, { file: options.configFile, skip: options.skipConfig });
  for (const [name, keys] of Object.entries(sections)) {
    terminal.stdout.write(`[${name}]\n`);
    for (const [key, value] of Object.entries(keys)) {
      const shown = SECRET.test(key) && key !== 'cache_token' ? '********' : value;
      terminal.stdout.write(`${key} = ${shown}\n`);
    }
    terminal.stdout.write('\n');
  }
  return exitCodes.printedConfig.code;
}

const usageExitCode = ({ code }: CommanderError): number =>
  code === 'commander.helpDisplayed' || code === 'commander.version' ? exitCodes.ok.code : exitCodes.usage.code;

const exitCodeTable = (): string =>
  ['Exit codes:', ...Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`)].join(
    '\n',
  );
