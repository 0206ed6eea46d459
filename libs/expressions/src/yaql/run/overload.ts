import type { Frame } from './frame';
import { parameterType, type ParameterType } from './parameter-types';

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** Undefined also where the function itself tells whether the argument was given. */
  readonly fallback: unknown;
}

/** The body of a function; its parameters are checked against the signature before. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the boundary between checked values and typed bodies
export type Body = (...args: any[]) => unknown;

/** One form of a function: its signature and what it does. */
export interface Overload {
  readonly names: readonly string[];
  readonly isFunction: boolean;
  readonly isMethod: boolean;
  readonly parameters: readonly Parameter[];
  /** `*name:type`: further arguments by position; the body gets them as a list. */
  readonly rest: Parameter | undefined;
  /** Given by name only. */
  readonly named: readonly Parameter[];
  /** `**`: any further named arguments; the body gets them as a map. */
  readonly anyNamed: boolean;
  /** Arguments with `=>` are rules, and never name a parameter. */
  readonly takesRules: boolean;
  readonly body: Body;
  /** The frame of the call is passed before the arguments. */
  readonly wantsFrame: boolean;
}

export interface OverloadOptions {
  readonly takesRules?: boolean;
  readonly wantsFrame?: boolean;
}

/**
 * Declares one form of a function.
 * @param names separated by blanks
 * @param kind F: callable as function, M: as method of its first argument
 * @param signature `name:type`, with `=default` (JSON; `none`: the body gets undefined), `*name:type` for any number of
 *   arguments, parameters behind that by name only, `**` for any named ones; separated by commas
 */
export function define(
  names: string,
  kind: 'F' | 'M' | 'FM',
  signature: string,
  body: Body,
  { takesRules = false, wantsFrame = false }: OverloadOptions = {},
): Overload {
  const parts = signature === '' ? [] : signature.split(/\s*,\s*/);
  const star = parts.findIndex((part) => /^\*[^*]/.test(part));
  const positional = star < 0 ? parts.filter((part) => part !== '**') : parts.slice(0, star);
  const named = star < 0 ? [] : parts.slice(star + 1).filter((part) => part !== '**');
  return {
    names: names.split(' '),
    isFunction: kind.includes('F'),
    isMethod: kind.includes('M'),
    parameters: positional.map(parameter),
    rest: star < 0 ? undefined : parameter((parts[star] as string).slice(1)),
    named: named.map(parameter),
    anyNamed: parts.includes('**'),
    takesRules,
    body,
    wantsFrame,
  };
}

function parameter(text: string): Parameter {
  const found = /^(\w+):(\w+\??)(?:=(.*))?$/.exec(text);
  if (found === null) throw new Error(`no parameter: ${text}`);
  const [, name = '', type = '', fallback] = found;
  return {
    name,
    type: parameterType(type),
    required: fallback === undefined,
    fallback: fallback === undefined || fallback === 'none' ? undefined : (JSON.parse(fallback) as unknown),
  };
}

/** Calls the body with arguments in the order of the signature. */
export const invoke = (overload: Overload, frame: Frame, args: readonly unknown[]): unknown =>
  overload.wantsFrame ? overload.body(frame, ...args) : overload.body(...args);
