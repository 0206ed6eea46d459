import { YaqlFailure } from '../values/failure';
import { inner } from '../values/text';

/** How messages name a call: a method with its receiver. */
export interface Callee {
  readonly name: string;
  /** Undefined for a function. */
  readonly receiver?: { readonly value: unknown } | undefined;
}

const described = ({ name, receiver }: Callee): string =>
  receiver === undefined ? `function "${name}"` : `method "${name}" for receiver ${inner.text(receiver.value)}`;

const failure = (kind: string, callee: Callee, message: string) =>
  new YaqlFailure(kind.replace('*', callee.receiver === undefined ? 'Function' : 'Method'), message);

export const unknownCallee = (callee: Callee) =>
  failure('No*RegisteredException', callee, `Unknown ${described(callee)}`);

export const noMatch = (callee: Callee) =>
  failure('NoMatching*Exception', callee, `No ${described(callee)} matches supplied arguments`);

export const ambiguous = (callee: Callee) => failure('Ambiguous*Exception', callee, `Ambiguous ${described(callee)}`);

export const badMapping = () =>
  new YaqlFailure('MappingTranslationException', 'Cannot convert mapping to keyword argument');
