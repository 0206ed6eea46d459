import type { Argument, ArgumentList } from './argument';
import { budget } from './budget';
import { badMapping, unknownCallee } from './dispatch-failures';
import type { Code, Definition, Frame } from './frame';
import { planHostCall } from './host-call';
import type { Library } from './library';
import { type Call, planCall } from './plan-call';

/** `name(…)`: a function of the expression itself, of the host, or of the library, in this order. */
export function planFunction(typed: string, args: ArgumentList, library: Library): Code {
  const name = typed.replace(/(?<=.)_+$/, '');
  const overloads = library.function(name);
  const own = overloads && planCall(name, overloads, args, false);
  const hostCall = planHostCall(name, args);
  return (frame) => {
    if (frame.definitions !== undefined) {
      const definition = frame.definition(name);
      if (definition !== undefined) return callDefinition(definition, args, frame);
    }
    const host = frame.world.scope.functions.get(name);
    if (host !== undefined) return hostCall(host, frame);
    if (own === undefined) throw unknownCallee({ name });
    return own(frame, undefined);
  };
}

/** `receiver.name(…)` */
export function planMethod(typed: string, args: ArgumentList, library: Library): Call {
  const name = typed.replace(/(?<=.)_+$/, '');
  const overloads = library.method(name);
  if (overloads !== undefined) return planCall(name, overloads, args, true);
  return (_frame, value) => {
    throw unknownCallee({ name, receiver: { value } });
  };
}

/** The function sees its arguments as `$`, `$2`, … and by name. */
function callDefinition({ body, frame: home }: Definition, args: ArgumentList, frame: Frame): unknown {
  const valueOf = (argument: Argument | undefined): unknown => argument?.code(frame) ?? null;
  const values = args.positional.map(valueOf);
  const names = new Map<string, unknown>();
  for (const { key, value } of args.rules) {
    if (key.word === undefined) throw badMapping();
    names.set(key.word, valueOf(value));
  }
  budget().enter();
  try {
    budget().spend(1);
    return body((home ?? frame).child(values, names));
  } finally {
    budget().leave();
  }
}
