import type { Client } from '@switchyard/client';
import type { Command } from 'commander';
import { asOperation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { tellUser } from '../program/show-records';

type PurgeKind = Parameters<Client['purge']>[0]['kind'];

interface Kind {
  readonly kind: PurgeKind;
  readonly one: string;
  readonly many: string;
  readonly description: string;
  readonly options: readonly ('action-ref' | 'purge-incomplete')[];
}

const KINDS: readonly Kind[] = [
  {
    ...{ kind: 'executions', one: 'execution', many: 'executions', options: ['action-ref', 'purge-incomplete'] },
    description: 'Remove executions that ended before a time, with their output, results and workflow runs',
  },
  {
    ...{ kind: 'workflows', one: 'workflow run', many: 'workflow runs', options: ['purge-incomplete'] },
    description: 'Remove the journals of workflows that ended before a time, and keep their executions',
  },
  {
    ...{ kind: 'trigger-instances', one: 'trigger instance', many: 'trigger instances', options: [] },
    description: 'Remove processed trigger instances from before a time',
  },
  {
    ...{ kind: 'rule-enforcements', one: 'rule enforcement', many: 'rule enforcements', options: [] },
    description: 'Remove rule enforcements from before a time',
  },
  { kind: 'traces', one: 'trace', many: 'traces', options: [], description: 'Remove traces that began before a time' },
  {
    kind: 'tokens',
    one: 'token',
    many: 'tokens',
    options: [],
    description: 'Remove tokens that expired before a time',
  },
];

interface PurgeOptions extends CommonOptions {
  timestamp: string;
  actionRef?: string;
  purgeIncomplete?: boolean;
}

/** `svc purge KIND`: removes old records of a running system. */
export function definePurge(group: Command, context: CommandContext): void {
  for (const kind of KINDS) defineKind(group, context, kind);
}

function defineKind(group: Command, context: CommandContext, { kind, one, many, description, options }: Kind): void {
  const command = withDisplay(group.command(kind).description(description)).requiredOption(
    '--timestamp <time>',
    'Only records from before this time, such as 2026-01-31T00:00:00Z',
  );
  if (options.includes('action-ref')) command.option('--action-ref <ref>', 'Only executions of this action');
  if (options.includes('purge-incomplete')) command.option('--purge-incomplete', 'Also those that have not ended');
  command.action(async (given: PurgeOptions) => {
    const client = await context.client(given);
    const printer = context.printer(given);
    const { timestamp: before, actionRef: action, purgeIncomplete: incomplete } = given;
    const request = { kind, before, ...(action !== undefined && { action }), ...(incomplete && { incomplete }) };
    let removed = 0;
    for await (const more of stepsOf(client, request)) removed += more;
    await tellUser(printer, `Deleted ${removed} ${removed === 1 ? one : many}.`, { kind, removed });
  });
}

async function* stepsOf(client: Client, request: Parameters<Client['purge']>[0]): AsyncGenerator<number> {
  const steps = client.purge(request);
  for (;;) {
    const step = await asOperation(steps.next());
    if (step.done) return;
    yield step.value;
  }
}
