import type { DefineCommands } from './command-context';

/** A word after `svc`. Its commands are loaded when it is used, so that every other one starts fast. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<DefineCommands>;
}

export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'up',
    description: 'start the whole system in one process, with its data in a directory',
    load: async () => (await import('../commands/up.js')).defineUp,
  },
  {
    name: 'doctor',
    description: 'find what is wrong in the store, and repair it',
    load: async () => (await import('../commands/doctor.js')).defineDoctor,
  },
  {
    name: 'login',
    description: 'log in and remember it',
    load: async () => (await import('../commands/login.js')).defineLogin,
  },
  {
    name: 'logout',
    description: 'give up and forget the remembered login',
    load: async () => (await import('../commands/login.js')).defineLogout,
  },
  {
    name: 'auth',
    description: 'get a token for a user and print it',
    load: async () => (await import('../commands/login.js')).defineAuth,
  },
  {
    name: 'whoami',
    description: 'show who is logged in',
    load: async () => (await import('../commands/login.js')).defineWhoami,
  },
  {
    name: 'run',
    description: 'run an action and show its result',
    load: async () => (await import('../commands/run.js')).defineRun,
  },
  {
    name: 'execution',
    description: 'executions: list, get, cancel, pause, resume, output, tail, re-run',
    load: async () => (await import('../commands/execution.js')).defineExecution,
  },
  {
    name: 'action',
    description: 'actions: list, get, create, update, delete, enable, disable, clone, execute',
    load: async () => (await import('../commands/action.js')).defineAction,
  },
  {
    name: 'action-alias',
    description: 'chat commands: list, get, create, update, delete, enable, disable, match, execute, test',
    load: async () => (await import('../commands/action-alias.js')).defineActionAlias,
  },
  {
    name: 'runner',
    description: 'runner types: list, get, enable, disable',
    load: async () => (await import('../commands/runner.js')).defineRunner,
  },
  {
    name: 'sensor',
    description: 'sensors: list, get, enable, disable',
    load: async () => (await import('../commands/sensor.js')).defineSensor,
  },
  {
    name: 'pack',
    description: 'packs: list, get, search, show, install, remove, register, setup, config',
    load: async () => (await import('../commands/pack.js')).definePack,
  },
  {
    name: 'policy',
    description: 'policies: list, get, create, update, delete, enable, disable',
    load: async () => (await import('../commands/policy.js')).definePolicy,
  },
  {
    name: 'policy-type',
    description: 'kinds of policies: list, get',
    load: async () => (await import('../commands/policy-type.js')).definePolicyType,
  },
  {
    name: 'workflow',
    description: 'workflow definitions: inspect, test',
    load: async () => (await import('../commands/workflow.js')).defineWorkflow,
  },
  {
    name: 'inquiry',
    description: 'questions that wait for an answer: list, get, respond',
    load: async () => (await import('../commands/inquiry.js')).defineInquiry,
  },
  {
    name: 'key',
    description: 'datastore: list, get, set, delete, delete_by_prefix, load, export',
    load: async () => (await import('../commands/key.js')).defineKey,
  },
  {
    name: 'rule',
    description: 'rules: list, get, create, update, delete, enable, disable, test, backtest',
    load: async () => (await import('../commands/rule.js')).defineRule,
  },
  {
    name: 'rule-enforcement',
    description: 'what became of rules that matched: list, get',
    load: async () => (await import('../commands/rule-enforcement.js')).defineRuleEnforcement,
  },
  {
    name: 'trigger',
    description: 'triggers: list, get, create, update, delete, getspecs',
    load: async () => (await import('../commands/trigger.js')).defineTrigger,
  },
  {
    name: 'trigger-instance',
    description: 'what has happened: list, get, re-emit, replay',
    load: async () => (await import('../commands/trigger-instance.js')).defineTriggerInstance,
  },
  {
    name: 'trace',
    description: 'what belongs together because one thing caused the other: list, get',
    load: async () => (await import('../commands/trace.js')).defineTrace,
  },
  {
    name: 'webhook',
    description: 'webhooks: list, get',
    load: async () => (await import('../commands/webhook.js')).defineWebhook,
  },
  {
    name: 'timer',
    description: 'timers: list, get',
    load: async () => (await import('../commands/timer.js')).defineTimer,
  },
  {
    name: 'apikey',
    description: 'API keys: list, get, create, delete, enable, disable, load',
    load: async () => (await import('../commands/api-key.js')).defineApiKey,
  },
  {
    name: 'completion',
    description: 'completion of commands and options for bash, zsh and fish',
    load: async () => (await import('../commands/completion.js')).defineCompletion,
  },
];
