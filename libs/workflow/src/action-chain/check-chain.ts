import { isTemplate } from '@switchyard/expressions';
import type { Path } from '@switchyard/model';
import type { Position } from '../spec/definition-error';
import { rawDefinition, type DefinitionSource, type RawDefinition } from '../spec/source';
import { violationCheck } from '../syntax/violations';
import { CHAIN_SCHEMA } from './chain-schema';
import { rawNodes, readChain, readNode } from './read-chain';

export interface ChainOptions {
  /** The name of the file, for messages. */
  readonly file?: string;
  /** The reference of the action, for messages. */
  readonly action?: string;
}

/** One thing that is wrong with a chain; the place when the chain came as a text. */
export interface ChainProblem extends Partial<Position> {
  readonly message: string;
}

interface Placed {
  readonly message: string;
  readonly path: Path;
}

const violationsOf = violationCheck(CHAIN_SCHEMA);

/**
 * What keeps a chain from running, all nodes looked at, in the words of the reference; links are looked at once the shape is
 * sound.
 * @throws DefinitionError for a source that is no map at all, or a text that is no YAML
 */
export function checkActionChain(source: DefinitionSource, options: ChainOptions = {}): readonly ChainProblem[] {
  const definition = rawChain(source, options);
  return faultsOf(definition, options).map(({ message, path }) => ({ message, ...definition.text?.positionOf(path) }));
}

/** Reads the text of a chain, with the lead that messages about chains have. */
export const rawChain = (source: DefinitionSource, { file = 'unknown' }: ChainOptions): RawDefinition =>
  rawDefinition(source, `Failed to parse action chain definition from "${file}": `);

function faultsOf({ raw }: RawDefinition, { action = 'the action chain' }: ChainOptions): readonly Placed[] {
  const shape = violationsOf(raw).map(({ message, path, cause }) => ({
    message,
    path: cause === undefined ? path : [...path, cause],
  }));
  if (shape.length > 0) return shape;
  if (rawNodes(raw).length === 0) return [{ message: `Failed to find default node in ${action}.`, path: ['chain'] }];
  return [...doubleParameters(raw), ...doubleNames(raw), ...lostLinks(raw)];
}

const doubleParameters = (raw: RawDefinition['raw']): Placed[] =>
  rawNodes(raw).flatMap(({ params, parameters }, index) =>
    isFilled(params) && isFilled(parameters)
      ? [
          {
            message: 'Either "params" or "parameters" attribute needs to be provided, but not both',
            path: ['chain', index, 'params'],
          },
        ]
      : [],
  );

const isFilled = (map: unknown): boolean => typeof map === 'object' && map !== null && Object.keys(map).length > 0;

function doubleNames(raw: RawDefinition['raw']): Placed[] {
  const names = rawNodes(raw).map(({ name }) => String(name));
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ message: `The node name "${name}" is used more than once.`, path: ['chain', index, 'name'] }]
      : [],
  );
}

/** A template in place of a node's name is let through, as in the reference; it never names a node. */
function lostLinks(raw: RawDefinition['raw']): Placed[] {
  const { nodes, start } = readChain(raw);
  const isLost = (name: string | undefined): name is string =>
    name !== undefined && !isTemplate(name) && !nodes.has(name);
  const links = rawNodes(raw).flatMap((node, index) => {
    const { name, onSuccess, onFailure } = readNode(node);
    return ([['on-success', onSuccess], ['on-failure', onFailure]] as const) // prettier-ignore
      .filter(([, to]) => isLost(to))
      .map(([link, to]) => ({
        message: `Unable to find node with name "${to}" referenced in "${link}" in task "${name}".`,
        path: ['chain', index, link],
      }));
  });
  const byDefault = isLost(start)
    ? [{ message: `Unable to find node with name "${start}" referenced in "default".`, path: ['default'] }]
    : [];
  return [...links, ...byDefault];
}
