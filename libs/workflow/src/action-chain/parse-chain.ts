import { DefinitionError, type Position } from '../spec/definition-error';
import type { DefinitionSource } from '../spec/source';
import { checkActionChain, rawChain, type ChainOptions } from './check-chain';
import type { ActionChain } from './model';
import { readChain } from './read-chain';

/** Reads an action chain. @throws DefinitionError with the first thing that is wrong, as `checkActionChain` words it */
export function parseActionChain(source: DefinitionSource, options: ChainOptions = {}): ActionChain {
  const definition = rawChain(source, options);
  const [problem] = checkActionChain(definition.text ?? definition.raw, options);
  if (problem) throw new DefinitionError(problem.message, positionOf(problem));
  return readChain(definition.raw);
}

const positionOf = ({ line, column }: Partial<Position>): Position | undefined =>
  line === undefined || column === undefined ? undefined : { line, column };
