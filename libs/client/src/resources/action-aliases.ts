import type { Transport } from '../transport/transport';
import type { Execution } from './executions';
import { answerOf, records, type PackContent, type Records } from './records';

/** What a chat command looks like, and the action that it runs. */
export interface ActionAlias extends PackContent {
  enabled: boolean;
  /** Reference of the action. */
  action_ref: string;
  formats: (string | { display?: string; representation?: string[]; match_multiple?: boolean })[];
  ack: Record<string, unknown>;
  result: Record<string, unknown>;
  extra: Record<string, unknown>;
  immutable_parameters: Record<string, unknown>;
  /** Why they cannot be shown. */
  error?: string;
}

export interface AliasMatch {
  actionalias: ActionAlias;
  /** What help shows for the pattern. */
  display: string | null;
  /** The pattern that the command fits. */
  representation: string;
}

/** A command, and who has given it where. */
export interface AliasCommand {
  command: string;
  user: string;
  source_channel: string;
  notification_channel?: string;
  notification_route?: string;
}

export interface StartedAlias {
  execution: Execution;
  actionalias: ActionAlias;
  /** What to answer, if the alias says so. */
  message?: string;
  extra?: unknown;
}

export interface ActionAliases extends Records<ActionAlias> {
  /** @throws ApiError with status 400 for a command that fits no alias, or several */
  match(command: string): Promise<AliasMatch>;
  /** Runs the alias that the command is for; several times where it fits in several places. */
  execute(command: AliasCommand): Promise<StartedAlias[]>;
}

const PATH = ['actionalias'];

export const createActionAliases = (transport: Transport): ActionAliases => ({
  ...records<ActionAlias>(transport, PATH),
  match: (command) => answerOf(transport, 'POST', [...PATH, 'match'], { command }),
  async execute(command) {
    const path = ['aliasexecution', 'match_and_execute'];
    return (await answerOf<{ results: StartedAlias[] }>(transport, 'POST', path, command)).results;
  },
});
