import { t } from '@lingui/core/macro';
import { parse, stringify } from 'yaml';
import type { NewWorkflow } from './stored-workflow';

/** The metadata of a new workflow as they are typed. */
export interface WorkflowDraft {
  readonly pack: string | null;
  readonly name: string;
  readonly description: string;
  /** YAML. */
  readonly parameters: string;
}

export const EMPTY_DRAFT: WorkflowDraft = { pack: null, name: '', description: '', parameters: '' };

/** @throws Error that says what is missing or wrong */
export function readDraft({ pack, name, description, parameters }: WorkflowDraft): NewWorkflow {
  if (pack === null) throw new Error(t`Choose the pack of the workflow.`);
  if (!/^[\w-]+$/.test(name)) throw new Error(t`Give the workflow a name of letters, digits, dashes and underscores.`);
  return { pack, name, description: description.trim(), parameters: mapOf(parameters, 'parameters') };
}

/** Adds a parameter for each input of a definition that has none yet. Returns the text as it is if either cannot be read. */
export function parametersOfInputs(definition: string, parameters: string): string {
  try {
    const present = mapOf(parameters, 'parameters');
    const added = readInputs(definition).map(([name, preset]) => [name, parameterOf(preset)] as const);
    return stringify({ ...Object.fromEntries(added), ...present }, { lineWidth: 120 });
  } catch {
    return parameters;
  }
}

/** The inputs of a definition with their defaults, or null for those without; none if it cannot be read. */
export function inputsOf(definition: string): readonly (readonly [name: string, preset: unknown])[] {
  try {
    return readInputs(definition).map(([name, preset = null]) => [name, preset]);
  } catch {
    return [];
  }
}

/** @returns each input with its default, undefined if it has none @throws Error for a text that is no map */
function readInputs(definition: string): readonly (readonly [name: string, preset: unknown])[] {
  const { input } = mapOf(definition, 'definition');
  return (Array.isArray(input) ? (input as unknown[]) : []).map((each) => {
    // An input is a name, or a name with its default.
    if (typeof each !== 'object' || each === null) return [String(each), undefined];
    return Object.entries(each)[0] ?? ['', null];
  });
}

function parameterOf(preset: unknown): object {
  if (preset === undefined) return { type: 'string', required: true };
  return preset === null ? { type: 'string' } : { type: typeOfDefault(preset), default: preset };
}

function typeOfDefault(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function mapOf(text: string, what: string): Record<string, unknown> {
  const value: unknown = parse(text) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(t`Expected ${what} as a map of names.`);
  return value as Record<string, unknown>;
}
