import { isTemplate } from '@switchyard/expressions';
import type { ValuePath } from '@switchyard/model';
import { type Position, DefinitionError } from '../spec/definition-error';
import { rawDefinition, type DefinitionSource, type RawDefinition } from '../spec/source';
import { violationCheck } from '../syntax/violations';
import { rawNodes, readChain, readNode, type ActionChain } from './read-chain';

export interface ChainOptions {
  /** File name, for messages. */
  readonly file?: string;
  /** Action reference, for messages. */
  readonly action?: string;
}

/** One problem of a chain, with its place if the chain was a text. */
export interface ChainProblem extends Partial<Position> {
  readonly message: string;
}

interface Placed {
  readonly message: string;
  readonly path: ValuePath;
}

/**
 * Lists the problems that keep a chain from running, over all nodes, with the reference's messages. Links are checked
 * only if the structure is valid.
 * @throws DefinitionError for a source that is not a map, or invalid YAML
 */
export function checkActionChain(source: DefinitionSource, options: ChainOptions = {}): readonly ChainProblem[] {
  const definition = rawChain(source, options);
  return faultsOf(definition, options).map(({ message, path }) => ({ message, ...definition.text?.positionOf(path) }));
}

/** Reads a chain; errors start with the prefix for chains. */
const rawChain = (source: DefinitionSource, { file = 'unknown' }: ChainOptions): RawDefinition =>
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

/** A template instead of a node name is accepted, as in the reference, but never matches a node. */
function lostLinks(raw: RawDefinition['raw']): Placed[] {
  const { nodes, start } = readChain(raw);
  const isLost = (name: string | undefined): name is string =>
    name !== undefined && !isTemplate(name) && !nodes.has(name);
  const links = rawNodes(raw).flatMap((node, index) => {
    const { name, onSuccess, onFailure } = readNode(node);
    const targets = [
      ['on-success', onSuccess],
      ['on-failure', onFailure],
    ] as const;
    return targets
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

/** Reads an action chain. @throws DefinitionError with the first problem that `checkActionChain` reports */
export function parseActionChain(source: DefinitionSource, options: ChainOptions = {}): ActionChain {
  const definition = rawChain(source, options);
  const [problem] = checkActionChain(definition.text ?? definition.raw, options);
  if (problem) throw new DefinitionError(problem.message, positionOf(problem));
  return readChain(definition.raw);
}

const positionOf = ({ line, column }: Partial<Position>): Position | undefined =>
  line === undefined || column === undefined ? undefined : { line, column };

const TEXT = { type: 'string' };
/** The reference fills in a default for null here. */
const OPTIONAL_TEXT = { type: ['string', 'null'] };
const OPTIONAL_MAP = { type: ['object', 'null'] };

const NOTIFICATION = {
  type: 'object',
  properties: {
    message: TEXT,
    data: { type: 'object' },
    routes: { type: 'array' },
    channels: { type: 'array' },
  },
  additionalProperties: false,
};

const NODE = {
  type: 'object',
  required: ['name', 'ref'],
  properties: {
    name: { type: 'string', minLength: 1 },
    ref: { type: 'string', minLength: 1 },
    params: OPTIONAL_MAP,
    parameters: OPTIONAL_MAP,
    'on-success': OPTIONAL_TEXT,
    'on-failure': OPTIONAL_TEXT,
    publish: { ...OPTIONAL_MAP, patternProperties: { '^\\w+$': {} }, additionalProperties: false },
    notify: {
      type: ['object', 'null'],
      properties: { 'on-complete': NOTIFICATION, 'on-success': NOTIFICATION, 'on-failure': NOTIFICATION },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

/** Draft 4. Unlike the reference, which checks the first node only, this checks every node. */
const CHAIN_SCHEMA = {
  type: 'object',
  required: ['chain'],
  properties: {
    chain: { type: 'array', items: NODE },
    default: OPTIONAL_TEXT,
    vars: { ...OPTIONAL_MAP, patternProperties: { '^\\w+$': {} }, additionalProperties: false },
  },
  additionalProperties: false,
} as const;

const violationsOf = violationCheck(CHAIN_SCHEMA);
