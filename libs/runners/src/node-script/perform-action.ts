import { pathToFileURL } from 'node:url';
import { OwnOutcome } from './action-service';
import type { ActionClass, ActionFunction, ActionService } from './contract';
import type { OutcomeMessage, StartMessage } from './protocol';

/** Loads the action and runs it. @throws whatever it throws */
export async function performAction(start: StartMessage, service: ActionService): Promise<OutcomeMessage> {
  const action = await loadAction(start.file);
  const result = await (isClass(action)
    ? new action(service, start.config).run(start.parameters)
    : action(start.parameters, service, start.config));
  return result instanceof OwnOutcome ? result : { succeeded: true, result };
}

async function loadAction(file: string): Promise<ActionFunction | ActionClass> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  // What compilers call the default export of a CommonJS module is a member of what is exported.
  const outer = module.default as { readonly default?: unknown } | undefined;
  const action = typeof outer === 'function' ? outer : outer?.default;
  if (typeof action !== 'function') throw new Error(`"${file}" has no default export that is a class or a function.`);
  return action as ActionFunction | ActionClass;
}

const isClass = (action: ActionFunction | ActionClass): action is ActionClass =>
  typeof (action.prototype as { readonly run?: unknown } | undefined)?.run === 'function';
