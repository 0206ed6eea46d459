import { type ArgumentList, type Binding, bind, type ArgumentSource, sourcesOf } from './bind';
import { ambiguous, badMapping, type Callee, noMatch } from './dispatch-failures';
import { type Frame, Lambda, type RuleArgument } from './frame';
import { invoke, type Overload } from './overload';

/** A planned call; only methods use the receiver. */
export type PlannedCall = (frame: Frame, receiver: unknown) => unknown;

/** Selects the candidate overloads of a call, as far as possible before it runs. */
export function planCall(
  name: string,
  overloads: readonly Overload[],
  args: ArgumentList,
  isMethod: boolean,
): PlannedCall {
  const callee = (receiver: unknown): Callee => ({ name, receiver: isMethod ? { value: receiver } : undefined });
  const takesRules = overloads[0]?.takesRules === true;
  if (!takesRules && args.rules.some(({ key }) => key.word === undefined)) return fails(badMapping);
  if (hasTwice(args, takesRules)) return (_frame, receiver) => fails(() => noMatch(callee(receiver)))();
  const sources = sourcesOf(args, isMethod, takesRules);
  const bindings = overloads.flatMap((overload) => bind(overload, sources) ?? []);
  const [first] = bindings;
  if (first === undefined) return (_frame, receiver) => fails(() => noMatch(callee(receiver)))();
  const laziness = lazinessOf(first);
  if (bindings.some((binding) => lazinessOf(binding).join() !== laziness.join())) {
    return (_frame, receiver) => fails(() => ambiguous(callee(receiver)))();
  }
  const evaluators = sources.map((source, index) => evaluator(source, laziness[index]));
  return (frame, receiver) => {
    const values: unknown[] = [];
    for (const evaluate of evaluators) values.push(evaluate(frame, receiver));
    return choose(bindings, values, frame, callee, receiver);
  };
}

function choose(
  bindings: readonly Binding[],
  values: readonly unknown[],
  frame: Frame,
  callee: (receiver: unknown) => Callee,
  receiver: unknown,
): unknown {
  let chosen: Overload | undefined;
  let args: unknown[] | undefined;
  for (const { overload, assemble } of bindings) {
    const assembled = assemble(values);
    if (assembled === undefined) continue;
    if (chosen !== undefined) throw ambiguous(callee(receiver));
    [chosen, args] = [overload, assembled];
  }
  if (chosen === undefined || args === undefined) throw noMatch(callee(receiver));
  return invoke(chosen, frame, args);
}

function fails(failure: () => Error): () => never {
  return () => {
    throw failure();
  };
}

const hasTwice = ({ rules }: ArgumentList, takesRules: boolean): boolean =>
  !takesRules && new Set(rules.map(({ key }) => key.word)).size < rules.length;

const lazinessOf = ({ parameters }: Binding): readonly (string | undefined)[] =>
  parameters.map((parameter) => parameter?.type.lazy);

function evaluator(source: ArgumentSource, lazy: string | undefined): (frame: Frame, receiver: unknown) => unknown {
  if (source.kind === 'receiver') return lazy === undefined ? (_frame, receiver) => receiver : lazyReceiver;
  if (source.kind === 'empty') return () => undefined;
  if (source.kind === 'rule') {
    const { key, value } = source;
    return (frame): RuleArgument => ({ key: new Lambda(key.code, frame), value: new Lambda(value.code, frame) });
  }
  const { code } = source.argument;
  return lazy === undefined ? code : (frame) => new Lambda(code, frame);
}

const lazyReceiver = (frame: Frame, receiver: unknown): Lambda => new Lambda(() => receiver, frame);
