import { Option, type Command } from 'commander';
import type { CommandContext } from '../program/command-context';

export interface PackTestOptions {
  packPath?: string;
  file?: string;
  coverage?: true;
  justRun?: true;
  timing?: true;
  verbose?: true;
  virtualenv: boolean;
  runner?: 'pytest' | 'unittest';
  configFile?: string;
  dataDir?: string;
}

/** `svc pack test` runs the tests of a pack on this machine, without a server. The short options are StackStorm's. */
export function definePackTest(group: Command, context: CommandContext): void {
  const command = group.command('test').description('Run the tests of a pack on this machine');
  command
    .argument('[pack]', 'directory of the pack, or its ref if it is in a pack directory of the data directory')
    .option('-p, --pack-path <directory>', 'Test the pack in this directory')
    .option('-f, --file <test>', 'Run only this: FILE, FILE::CLASS or FILE::CLASS::METHOD below tests/')
    .option('-c, --coverage', 'Report which lines the tests executed')
    .option('-j, --just-run', 'Reuse the environment of the last run without updating it')
    .option('-t, --timing', 'Show how long each test took')
    .option('-v, --verbose', 'Show the output of pip, the interpreter, the search path and the packages')
    .option('-x, --no-virtualenv', 'Use actionrunner.python_binary without an environment for the tests')
    .addOption(
      new Option('--runner <name>', 'Use this test runner (default: pytest if it is installed)').choices([
        'pytest',
        'unittest',
      ]),
    )
    .option('--data-dir <directory>', 'Use the packs in this directory, and keep the environments of tests there')
    .addHelpText(
      'after',
      '\nHere --config-file names the configuration file of the services. The exit code is that of the tests; 3 if there is no such pack.',
    )
    .action(async (pack: string | undefined) => {
      const { testPack } = await import('./pack-test-run.js');
      context.exitCode = await testPack(pack, command.optsWithGlobals<PackTestOptions>(), context.terminal);
    });
}
