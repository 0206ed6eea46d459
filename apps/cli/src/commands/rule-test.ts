import { isPlainObject } from '@switchyard/base';
import { isNotFound, type Client } from '@switchyard/client';
import type { DatastoreKey } from '@switchyard/expressions';
import type { Command } from 'commander';
import { exitCodes, usageError } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, type CommonOptions } from '../program/common-options';
import type { Examination, ExaminedEvent, ExaminedRule } from './examine-rule';
import { readResourceFile } from '../program/resource-file';

interface TestOptions extends CommonOptions {
  rule?: string;
  ruleRef?: string;
  triggerInstance?: string;
  triggerInstanceId?: string;
  offline?: boolean;
}

/** `svc rule test` evaluates one rule for one trigger instance. Nothing is run or stored. */
export function defineRuleTest(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('test').description('Check whether a rule matches a trigger instance')))
    .option('--rule <file>', 'Read the rule from this file')
    .option('--rule-ref <ref>', 'Read the rule with this ref from the server')
    .option('--trigger-instance <file>', 'Read "trigger" and "payload" from this file')
    .option('--trigger-instance-id <id>', 'Read the trigger instance with this id from the server')
    .option('--offline', 'Use files only, without a server and its datastore')
    .addHelpText('after', '\nThe exit code is 0 if the rule matches, else 1.')
    .action(async (options: TestOptions) => {
      checkUsage(options);
      const client = options.offline ? undefined : () => context.client(options);
      const rule = await readRule(options, client);
      const event = await readEvent(options, client);
      const { examineRule } = await import('./examine-rule.js');
      const found = await examineRule(rule, event, (key) => readItem(client, key));
      if (!found.matches) context.exitCode = exitCodes.failed.code;
      const printer = context.printer(options);
      if (printer.format) return printer.document(found);
      for (const line of linesOf(found)) printer.line(line);
    });
}

type GetClient = (() => Promise<Client>) | undefined;

function checkUsage({ rule, ruleRef, triggerInstance, triggerInstanceId, offline }: TestOptions): void {
  if ((rule === undefined) === (ruleRef === undefined)) throw usageError('Give --rule or --rule-ref.');
  if ((triggerInstance === undefined) === (triggerInstanceId === undefined))
    throw usageError('Give --trigger-instance or --trigger-instance-id.');
  if (offline && (ruleRef ?? triggerInstanceId) !== undefined)
    throw usageError('--offline reads only files: give --rule and --trigger-instance.');
}

function serverOf(client: GetClient): Promise<Client> {
  if (!client) throw usageError('This option needs a server.');
  return client();
}

async function readRule({ rule, ruleRef }: TestOptions, client: GetClient): Promise<ExaminedRule> {
  if (rule !== undefined) return await readResourceFile(rule);
  return await (await serverOf(client)).rules.get(ruleRef ?? '');
}

async function readEvent(
  { triggerInstance, triggerInstanceId }: TestOptions,
  client: GetClient,
): Promise<ExaminedEvent> {
  if (triggerInstance !== undefined) {
    const { trigger, payload } = await readResourceFile(triggerInstance);
    if (typeof trigger !== 'string' && !isPlainObject(trigger))
      throw usageError(`The file "${triggerInstance}" does not name its trigger.`);
    return { trigger, payload: isPlainObject(payload) ? payload : {} };
  }
  return (await serverOf(client)).triggerInstances.get(triggerInstanceId ?? '');
}

async function readItem(client: GetClient, { scope, name, decrypt }: DatastoreKey): Promise<string | undefined> {
  if (!client) throw new Error(`The item "${scope}.${name}" of the datastore is not read with --offline.`);
  try {
    return (await (await client()).keys.get(name, { scope, decrypt })).value;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function linesOf({ matches, reasons, parameters }: Examination): string[] {
  const verdict = matches ? '=== RULE MATCHES ===' : '=== RULE DOES NOT MATCH ===';
  const shown = parameters === undefined ? [] : ['Action parameters resolved to:', ...indented(parameters)];
  return [...reasons, ...shown, verdict];
}

const indented = (parameters: Record<string, unknown>): string[] =>
  Object.entries(parameters).map(([name, value]) => `\t${name}: ${JSON.stringify(value)}`);
