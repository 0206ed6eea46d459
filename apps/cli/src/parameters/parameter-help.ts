import type { ParameterDefinitions } from '@switchyard/model';
import { plainValue } from '../output/plain-value';
import { wrapText } from '../output/wrap-text';
import type { ParameterDefinition } from './convert-value';

const WIDTH = 80;

/** The text of `run REF -h`: the description, then the parameters that a caller may set, those with a position first. */
export function parameterHelp(
  description: string | undefined,
  definitions: ParameterDefinitions,
  width: number,
): string {
  const given = Object.entries(definitions).filter(([, definition]) => definition['immutable'] !== true);
  const sorted = given.sort(([a, one], [b, other]) => compare(position(one), position(other)) || (a < b ? -1 : 1));
  const room = Math.min(width, WIDTH);
  const sections = [
    section(
      'Required Parameters:',
      sorted.filter(([, { required }]) => required === true),
      room,
    ),
    section(
      'Optional Parameters:',
      sorted.filter(([, { required }]) => required !== true),
      room,
    ),
  ];
  return [wrapText(description ?? '', room).join('\n'), ...sections].filter((part) => part !== '').join('\n\n') + '\n';
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

const position = ({ position: stated }: ParameterDefinition): number =>
  typeof stated === 'number' ? stated : Infinity;

function section(title: string, parameters: readonly [string, ParameterDefinition][], width: number): string {
  if (parameters.length === 0) return '';
  return `${title}\n${parameters.map(([name, definition]) => entry(name, definition, width)).join('\n\n')}`;
}

function entry(name: string, definition: ParameterDefinition, width: number): string {
  const { description, type, enum: values, default: preset } = definition;
  const lines = [
    ...(typeof description === 'string' ? wrapText(description.trim(), width - 8) : []),
    ...(type === undefined ? [] : [`Type: ${Array.isArray(type) ? type.join(' or ') : plainValue(type)}`]),
    ...(Array.isArray(values) ? [`Enum: ${values.map(plainValue).join(', ')}`] : []),
    ...(preset === undefined || preset === null ? [] : [`Default: ${defaultText(preset)}`]),
  ];
  return [`    ${name}`, ...lines.map((line) => `        ${line}`)].join('\n');
}

const defaultText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : plainValue(value));
