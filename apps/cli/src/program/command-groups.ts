import type { DefineCommands } from './command-context';

/** A word after `svc`. Its commands are loaded only when it is used, so that the others start fast. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<DefineCommands>;
}

export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'up',
    description: 'Start the whole system in one process',
    load: async () => (await import('../commands/up.js')).defineUp,
  },
  {
    name: 'doctor',
    description: 'Find and repair damaged records in the store',
    load: async () => (await import('../commands/doctor.js')).defineDoctor,
  },
  {
    name: 'migrate',
    description: 'Bring the store to the form of this version, or check whether it is',
    load: async () => (await import('../commands/migrate.js')).defineMigrate,
  },
  {
    name: 'config',
    description: 'Check and show the configuration of the services: check, show',
    load: async () => (await import('../commands/config.js')).defineConfig,
  },
  {
    name: 'export',
    description: 'Write the content, settings and history of the system to an archive',
    load: async () => (await import('../commands/export.js')).defineSystemExport,
  },
  {
    name: 'import',
    description: 'Read an archive of svc export into an empty store, or check it',
    load: async () => (await import('../commands/import.js')).defineImport,
  },
  {
    name: 'login',
    description: 'Log in and remember the login',
    load: async () => (await import('../commands/login.js')).defineLogin,
  },
  {
    name: 'logout',
    description: 'Log out and forget the login',
    load: async () => (await import('../commands/login.js')).defineLogout,
  },
  {
    name: 'auth',
    description: 'Print a new token for a user',
    load: async () => (await import('../commands/login.js')).defineAuth,
  },
  {
    name: 'whoami',
    description: 'Show who is logged in',
    load: async () => (await import('../commands/login.js')).defineWhoami,
  },
  {
    name: 'run',
    description: 'Run an action and show its result',
    load: async () => (await import('../commands/run.js')).defineRun,
  },
  {
    name: 'execution',
    description: 'Manage executions: list, get, cancel, pause, resume, output, tail, re-run',
    load: async () => (await import('../commands/execution.js')).defineExecution,
  },
  {
    name: 'action',
    description: 'Manage actions: list, get, create, update, delete, enable, disable, clone, execute',
    load: async () => (await import('../commands/action.js')).defineAction,
  },
  {
    name: 'action-alias',
    description:
      'Manage aliases (chat commands): list, get, create, update, delete, enable, disable, match, execute, test',
    load: async () => (await import('../commands/action-alias.js')).defineActionAlias,
  },
  {
    name: 'runner',
    description: 'Manage runner types: list, get, enable, disable',
    load: async () => (await import('../commands/runner.js')).defineRunner,
  },
  {
    name: 'sensor',
    description: 'Manage sensors: list, get, log, enable, disable',
    load: async () => (await import('../commands/sensor.js')).defineSensor,
  },
  {
    name: 'pack',
    description: 'Manage packs: list, get, search, show, install, remove, register, check, setup, config, test',
    load: async () => (await import('../commands/pack.js')).definePack,
  },
  {
    name: 'policy',
    description: 'Manage policies: list, get, create, update, delete, enable, disable',
    load: async () => (await import('../commands/policy.js')).definePolicy,
  },
  {
    name: 'policy-type',
    description: 'Show policy types: list, get',
    load: async () => (await import('../commands/policy.js')).definePolicyType,
  },
  {
    name: 'workflow',
    description: 'Check and rehearse workflows: inspect, test',
    load: async () => (await import('../commands/workflow.js')).defineWorkflow,
  },
  {
    name: 'inquiry',
    description: 'Answer inquiries: list, get, respond',
    load: async () => (await import('../commands/inquiry.js')).defineInquiry,
  },
  {
    name: 'key',
    description: 'Manage items of the datastore: list, get, set, delete, delete_by_prefix, load, export, rotate',
    load: async () => (await import('../commands/key.js')).defineKey,
  },
  {
    name: 'rule',
    description: 'Manage rules: list, get, create, update, delete, enable, disable, test, backtest',
    load: async () => (await import('../commands/rule.js')).defineRule,
  },
  {
    name: 'rule-enforcement',
    description: 'Show rules that matched: list, get',
    load: async () => (await import('../commands/rule-enforcement.js')).defineRuleEnforcement,
  },
  {
    name: 'trigger',
    description: 'Manage triggers: list, get, create, update, delete, getspecs',
    load: async () => (await import('../commands/triggers.js')).defineTrigger,
  },
  {
    name: 'trigger-instance',
    description: 'Show and repeat trigger instances: list, get, re-emit, replay',
    load: async () => (await import('../commands/trigger-instance.js')).defineTriggerInstance,
  },
  {
    name: 'trace',
    description: 'Show what caused an execution: list, get',
    load: async () => (await import('../commands/trace.js')).defineTrace,
  },
  {
    name: 'webhook',
    description: 'Show webhooks: list, get',
    load: async () => (await import('../commands/triggers.js')).defineWebhook,
  },
  {
    name: 'timer',
    description: 'Show timers: list, get',
    load: async () => (await import('../commands/triggers.js')).defineTimer,
  },
  {
    name: 'role',
    description: 'Show roles: list, get',
    load: async () => (await import('../commands/role.js')).defineRole,
  },
  {
    name: 'role-assignment',
    description: 'Show which users have which roles: list, get',
    load: async () => (await import('../commands/role.js')).defineRoleAssignment,
  },
  {
    name: 'audit',
    description: 'Show and check who did what: list, get, verify',
    load: async () => (await import('../commands/audit.js')).defineAudit,
  },
  {
    name: 'purge',
    description: 'Remove old records: executions, workflows, trigger-instances, rule-enforcements, traces, tokens',
    load: async () => (await import('../commands/purge.js')).definePurge,
  },
  {
    name: 'rbac',
    description: 'Check and apply the definition files of roles: sync, validate',
    load: async () => (await import('../commands/rbac.js')).defineRbac,
  },
  {
    name: 'apikey',
    description: 'Manage API keys: list, get, create, delete, enable, disable, load',
    load: async () => (await import('../commands/api-key.js')).defineApiKey,
  },
  {
    name: 'user',
    description: 'Manage the password file: list, create, set-password, delete, disable, enable',
    load: async () => (await import('../commands/user.js')).defineUser,
  },
  {
    name: 'token',
    description: 'Show, create and revoke issued tokens: list, create, revoke',
    load: async () => (await import('../commands/token.js')).defineToken,
  },
  {
    name: 'status',
    description: 'Show what is running, what waits, and why',
    load: async () => (await import('../commands/status.js')).defineStatus,
  },
  {
    name: 'service-registry',
    description: 'Show the running processes by service: group list, member list',
    load: async () => (await import('../commands/service-registry.js')).defineServiceRegistry,
  },
  {
    name: 'completion',
    description: 'Print the shell completion for bash, zsh or fish',
    load: async () => (await import('../commands/completion.js')).defineCompletion,
  },
];
