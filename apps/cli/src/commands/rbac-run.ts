import { resolve } from 'node:path';
import { isFault } from '@switchyard/base';
import { paths, type Config } from '@switchyard/config';
import {
  applyRoleDefinitions,
  describeProblem,
  readRoleDefinitions,
  storedRolesCount,
  type RoleDefinitions,
} from '@switchyard/identity';
import type { RoleChanges } from '@switchyard/model';
import { createSealer, loadKeyRing, openStore, type Store } from '@switchyard/storage';
import { connectAlone } from './doctor-store';
import type { RbacOptions } from './rbac';
import { asOperation, CommandError, exitCodes } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { serviceConfig } from '../settings/service-config';

/** `svc rbac sync`: replaces the definitions in the store by those in the files. Writes nothing unless all files are
 * valid. */
export async function synchroniseRoles(options: RbacOptions, context: CommandContext): Promise<void> {
  if (options.api) {
    const { roles } = await context.client(options);
    return show(await asOperation(roles.sync()), options, context);
  }
  const config = serviceConfig(options, context.terminal);
  const definitions = await readRoleDefinitions(paths(config).roles);
  if (definitions.problems.length > 0) throw refused(definitions, context);
  const store = await storeOf(config);
  try {
    const needsAdministrator = storedRolesCount(config.rbac);
    const changes = await applyRoleDefinitions(store, definitions, { needsAdministrator });
    await show(changes, options, context);
  } finally {
    await store.close();
  }
}

/** `svc rbac validate`: checks the files, and neither reads nor writes the store. */
export async function validateRoles(
  given: string | undefined,
  options: RbacOptions,
  context: CommandContext,
): Promise<void> {
  const directory = given === undefined ? paths(serviceConfig(options, context.terminal)).roles : resolve(given);
  const definitions = await readRoleDefinitions(directory);
  const printer = context.printer(options);
  if (definitions.problems.length > 0 && printer.format) {
    context.exitCode = exitCodes.failed.code;
    return printer.document({ directory, problems: definitions.problems });
  }
  if (definitions.problems.length > 0) throw refused(definitions, context);
  const { roles, assignments, mappings } = definitions;
  const counts = { roles: roles.length, assignments: assignments.length, mappings: mappings.length };
  if (printer.format) return printer.document({ directory, problems: [], ...counts });
  const found = Object.entries(counts).map(([kind, count]) => `${kind}: ${count}`);
  printer.line(`The definition files in ${directory} are valid (${found.join(', ')}).`);
}

/** Lists the problems on standard error. @returns the error that ends the command */
function refused({ directory, problems }: RoleDefinitions, { terminal }: CommandContext): CommandError {
  for (const problem of problems) terminal.stderr.write(`${describeProblem(problem)}\n`);
  return new CommandError(`The definition files in ${directory} are not valid. Nothing was changed.`);
}

async function storeOf(config: Config): Promise<Store> {
  const where = paths(config);
  try {
    const connection = await connectAlone(config, where);
    return await openStore(connection, createSealer(await loadKeyRing(where.recordKey)));
  } catch (error) {
    if (!isFault(error) || error.code !== 'storage.locked') throw error;
    throw new CommandError(
      `${error.message} Use --api, or stop it first: only one process can use the embedded store.`,
    );
  }
}

async function show(changes: RoleChanges, options: RbacOptions, context: CommandContext): Promise<void> {
  const printer = context.printer(options);
  if (printer.format) return printer.document(changes);
  const rows = Object.entries(changes).map(([kind, counts]) => ({ kind: kind.replaceAll('_', ' '), ...counts }));
  await printer.list(rows, ['kind', 'created', 'updated', 'removed']);
}
