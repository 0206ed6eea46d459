import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { environmentValue } from '../settings/environment';

interface UpOptions {
  configFile?: string;
  dataDir?: string;
  host?: string;
  port?: number;
}

/** Starts everything in this process. The services are loaded only here: no other command needs them. */
export function defineUp(command: Command, { terminal }: CommandContext): void {
  command
    .option('--data-dir <directory>', 'where data, keys and packs are kept')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--port <number>', 'port of the API (9101); auth takes the one below, stream the one above', portNumber)
    .addHelpText('after', '\nWith --config-file, the configuration file of the services is meant.')
    .action(async () => {
      const options = command.optsWithGlobals<UpOptions>();
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

/** The three listeners keep together: one host, and neighbouring ports in the order of the defaults. */
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
  throw new InvalidArgumentError('A port number is expected; its two neighbours are used as well.');
}
