import type { CatalogueEntry } from './catalogue';

/** Action aliases and the commands that run them. */
export const aliasErrors = {
  'alias.invalid-format': { status: 400, template: 'Invalid alias format "{format}": {reason}' },
  'alias.no-match': { status: 400, template: "Command '{command}' matched no patterns" },
  'alias.matches': { status: 400, template: "Command '{command}' matched more than 1 pattern" },
  'alias.multiple-matches': { status: 400, template: "Command '{command}' matched more than 1 (multi) pattern" },
  'alias.name-needed': { status: 400, template: 'Alias execution "name" is required' },
  'alias.unknown': { status: 404, template: 'Unable to identify action alias with name "{name}".' },
  'alias.ambiguous': {
    status: 400,
    template: 'Several action aliases have the name "{name}": {refs}. Use a reference instead of the name.',
  },
  'alias.disabled': { status: 400, template: 'Action alias with name "{name}" is disabled.' },
  'alias.format-unknown': {
    status: 400,
    template: 'Format string "{format}" is not available on the alias "{name}"',
  },
  'alias.command-unfit': { status: 400, template: 'Command "{command}" doesn\'t match format string "{format}"' },
  'alias.immutable': { status: 400, template: 'Immutable arguments cannot be overriden: {names}' },
  'alias.unopened': { status: 409, template: '{problem}' },
  'alias.action-unknown': { status: 404, template: 'Action with ref "{ref}" not found' },
} as const satisfies Record<string, CatalogueEntry>;
