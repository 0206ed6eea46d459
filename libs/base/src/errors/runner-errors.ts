import type { CatalogueEntry } from './catalogue';

/** Reasons why a runner cannot be found or cannot start. Texts that clients of StackStorm rely on are the same as in
 * StackStorm. */
export const runnerErrors = {
  'runner.unknown': {
    status: 400,
    template:
      'RunnerType {name} is not found. If you are using old and deprecated runner name, you need to switch to a new one. For more information, please see https://docs.stackstorm.com/upgrade_notes.html#st2-v0-9',
  },
  'runner.renamed': {
    status: 400,
    template:
      'RunnerType {name} is not found. If you are using old and deprecated runner name, you need to switch to a new one. The new name of {name} is {newName}.',
  },
  'runner.removed': {
    status: 400,
    template:
      'RunnerType {name} is not found. If you are using old and deprecated runner name, you need to switch to a new one. {name} was removed; use {newName} instead.',
  },
  'runner.unexpected-entry-point': {
    status: 400,
    template: 'entry_point is only valid for local-shell-script runner',
  },
  'runner.missing-entry-point': { status: 400, template: 'Missing entry_point action metadata attribute' },
  'runner.missing-python-entry-point': { status: 400, template: 'Action "{name}" is missing entry_point attribute' },
  'runner.entry-point-outside': {
    status: 400,
    template: 'The entry point "{entryPoint}" of the action "{ref}" is not in its pack.',
  },
  'runner.no-pack-directory': {
    status: 400,
    template: 'The action "{ref}" has an entry point, but the directory of the pack "{pack}" is not known.',
  },
  'runner.no-command': { status: 400, template: 'The action "{ref}" has no value for its parameter "cmd".' },
  'runner.not-stored': { status: 500, template: 'Failed to store the start of the process: {reason}' },
  'runner.no-virtualenv': {
    status: 400,
    template:
      'The virtual environment ({path}) for pack "{pack}" does not exist. It can be created with: st2 run packs.setup_virtualenv packs={pack}',
  },
  'runner.git-missing': {
    status: 400,
    template: 'Failed to create git worktree for pack "{pack}": git could not be started ({reason}).',
  },
  'runner.git-too-old': {
    status: 400,
    template:
      'Failed to create git worktree for pack "{pack}": the installed git has no worktree command, which needs git 2.5.0 or newer.',
  },
  'runner.not-a-git-repository': {
    status: 400,
    template:
      'Failed to create git worktree for pack "{pack}": Pack directory "{directory}" is not a git repository, and content_version needs one.',
  },
  'runner.content-version': {
    status: 400,
    template:
      'Failed to create git worktree for pack "{pack}": Invalid content_version "{version}" provided. The git repository of the pack has no such revision; it may have to be fetched first.',
  },
  'runner.git-worktree': { status: 500, template: 'Failed to create git worktree for pack "{pack}": {reason}' },
  'runner.not-experimental': { status: 400, template: 'Experimental flag is missing for action {ref}' },
  'runner.http-host-lists': {
    status: 400,
    template:
      '"url_hosts_blacklist" and "url_hosts_whitelist" parameters are mutually exclusive. Only one should be provided.',
  },
  'runner.http-blacklisted': { status: 400, template: 'URL "{url}" is blacklisted' },
  'runner.http-not-whitelisted': { status: 400, template: 'URL "{url}" is not whitelisted' },
  'runner.http-url': { status: 400, template: 'Invalid URL "{url}": {reason}.' },
  'runner.http-header': { status: 400, template: 'Invalid header "{name}": {reason}.' },
  'runner.http-body': { status: 400, template: 'Unable to send the body: {reason}.' },
  'runner.http-file-and-text': {
    status: 400,
    template: 'A file is sent as part of a form, so the body must be an object with the other form fields.',
  },
  'runner.http-redirects': { status: 502, template: 'Exceeded {limit} redirects.' },
  'runner.http-failed': { status: 502, template: 'The request to {origin} failed: {reason}' },
  'runner.http-proxy': { status: 400, template: 'The proxy "{url}" cannot be used: {reason}.' },
  'runner.http-ca-file': { status: 400, template: 'Failed to read the certificates in "{path}": {reason}' },
  'runner.no-program': {
    status: 400,
    template: 'The action "{ref}" has no file "{path}". Compile TypeScript sources; the output must be next to them.',
  },
  'runner.not-a-node-program': {
    status: 400,
    template: 'The entry point "{path}" of the action "{ref}" must end in .js, .mjs, .cjs or .ts.',
  },
} as const satisfies Record<string, CatalogueEntry>;
