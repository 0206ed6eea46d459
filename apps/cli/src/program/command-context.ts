import type { Command } from 'commander';
import type { Client } from '@switchyard/client';
import { createPrinter, type DisplayOptions, type Printer } from '../output/printer';
import { openSession, type GivenCredentials, type Session } from '../credentials/session';
import { readSettings, type GlobalOptions, type Settings } from '../settings/settings';
import type { Terminal } from '../terminal';

/** What each command receives. Everything is read on first use. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The version of the program. */
  readonly version: string;
  settings(): Settings;
  /** A client with the credentials for this command. */
  client(options: GivenCredentials): Promise<Client>;
  printer(options: DisplayOptions): Printer;
  /** What the user can do after the server rejected the credentials; undefined without a session. */
  refused(): string | undefined;
  /** The exit code, unless an error sets another one. */
  exitCode: number;
}

/** Adds the commands of one group to the program. */
export type DefineCommands = (group: Command, context: CommandContext) => void;

export function createContext(terminal: Terminal, version: string, globals: () => GlobalOptions): CommandContext {
  let settings: Settings | undefined;
  let session: Session | undefined;
  const read = (): Settings => (settings ??= readSettings(terminal, globals()));
  return {
    terminal,
    version,
    settings: read,
    client: async (given) => (session ??= await openSession(terminal, read(), given)).client,
    printer: (options) => createPrinter(terminal, options, read().timezone),
    refused: () => session?.refused(),
    exitCode: 0,
  };
}
