import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { environmentValue } from '../terminal';

interface UpOptions {
  configFile?: string;
  dataDir?: string;
  host?: string;
  port?: number;
}

/** Starts all services in this process. Only this command loads them. */
export function defineUp(command: Command, { terminal }: CommandContext): void {
  command
    .option('--data-dir <directory>', 'Keep data, keys and packs in this directory')
    .option('--host <address>', 'Listen on this address (default: 127.0.0.1)')
    .option(
      '--port <number>',
      'Set the port of the API (default: 9101); auth uses the port below, stream the port above',
      portNumber,
    )
    .addHelpText('after', '\nHere --config-file names the configuration file of the services.')
    .action(async () => {
      const options = command.optsWithGlobals<UpOptions>();
      const { holdYoungGeneration } = await import('@switchyard/assembly/young-generation');
      holdYoungGeneration();
      const { runAllInOne } = await import('@switchyard/all-in-one');
      const file = options.configFile ?? environmentValue(terminal.env, 'CONFIG_PATH');
      await runAllInOne({
        environment: process.env,
        process,
        ...(file === undefined ? {} : { configFile: resolve(file) }),
        overrides: overridesOf(options),
      });
    });
}

/** The three listeners share a host and use neighbouring ports, in the order of the defaults. */
function overridesOf({ dataDir, host, port }: UpOptions) {
  const listener = (offset: number) => ({
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: port + offset }),
  });
  return {
    ...(dataDir === undefined ? {} : { system: { base_path: resolve(dataDir) } }),
    auth: listener(-1),
    api: listener(0),
    stream: listener(1),
  };
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 1 && port < 65_535) return port;
  throw new InvalidArgumentError('Expected a port number. Its two neighbours are used as well.');
}
