import type { Id } from '@switchyard/base';

/** The digits of an id that tell processes apart. */
const PROCESS = { from: 8, to: 18 };

/**
 * The id of the trace that begins with an execution or a trigger instance: its own id with the digits of the process turned
 * round (`0` to `f`, `1` to `e`, …). So a trace has an id before it is stored, everybody who comes upon its beginning finds
 * the same one, and the function applied to the id of a trace gives back what it began with.
 */
export const traceIdOf = (id: Id): Id =>
  id.slice(0, PROCESS.from) + [...id.slice(PROCESS.from, PROCESS.to)].map(turned).join('') + id.slice(PROCESS.to);

const turned = (digit: string): string => (15 - parseInt(digit, 16)).toString(16);
