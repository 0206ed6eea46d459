import { isPlainObject } from '@switchyard/base';
import type { ParameterDefinitions } from '@switchyard/model';
import type { Allowance } from '../allowance';
import { type DatastoreKey, MissingItem } from '../jinja';
import { Turns } from '../turns/turns';

/** The input of one rendering of parameters. */
export interface ParametersInput {
  readonly runnerParameters: ParameterDefinitions;
  readonly actionParameters: ParameterDefinitions;
  /** The caller's values. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Names of caller's values to take literally, without rendering templates in them. */
  readonly literal?: readonly string[];
  /** Names of caller's values that are secret although their parameters are not marked. */
  readonly secret?: readonly string[];
  /** Visible to templates as `action_context`. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The pack's configuration, visible to templates as `config_context`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /**
   * Paths of secrets in `config`. A parameter whose template reads one, or something that contains one, becomes secret
   * too.
   */
  readonly configSecrets?: readonly SecretPath[];
  /** Additional names, such as a rule's `trigger`. In templates they take precedence over parameters. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Reads a datastore item. Called only for items that a template actually reads, computed names included. */
  readonly lookup?: (key: DatastoreKey) => Promise<string | undefined>;
  /** Limits what all templates may cost together. */
  readonly allowance?: Allowance;
  /**
   * Casts a rendered value for the templates that read it, so that a default `{{ config_context.obj }}` of an object
   * parameter is an object to them. Returned values are not cast.
   */
  readonly cast?: (name: string, value: unknown) => unknown;
}

/** The path to a secret in a value. An empty path marks the whole value. */
export type SecretPath = readonly (string | number)[];

/** Whether reading this path gives a secret, part of one, or something that contains one. */
export function readsSecret(steps: SecretPath, value: unknown, secrets: readonly SecretPath[]): boolean {
  if (secrets.length === 0) return false;
  const path = presentSteps(value, steps);
  return secrets.some((secret) => overlap(path, secret));
}

/** A missing step may be a method, which sees the whole of its owner. */
function presentSteps(value: unknown, steps: SecretPath): SecretPath {
  let at = value;
  const missing = steps.findIndex((step) => {
    if (!(Array.isArray(at) || isPlainObject(at)) || !Object.hasOwn(at, step)) return true;
    at = (at as Record<string | number, unknown>)[step];
    return false;
  });
  return missing < 0 ? steps : steps.slice(0, missing);
}

const overlap = (a: SecretPath, b: SecretPath): boolean =>
  a.slice(0, b.length).every((step, index) => String(step) === String(b[index]));

/** Each item costs one more rendering. */
const MOST_ITEMS = 200;

/**
 * Lets synchronous rendering read the datastore: a missing item stops the rendering, is fetched, and the rendering
 * restarts. So only items that a template uses are read, each once, and templates may compute their names.
 */
export class DatastoreReader {
  private readonly items = new Map<string, string | undefined>();

  constructor(private readonly lookup: (key: DatastoreKey) => Promise<string | undefined>) {}

  readonly read = (key: DatastoreKey): string | undefined => {
    const id = idOf(key);
    if (!this.items.has(id)) throw new MissingItem(key);
    return this.items.get(id);
  };

  /** Runs work that reads items, in turns. @param turns state of an earlier attempt, if any */
  supply<T>(work: () => T, turns = new Turns()): Promise<T> {
    return turns.repeat(work, async (interruption) => {
      if (!(interruption instanceof MissingItem)) throw interruption;
      if (this.items.size >= MOST_ITEMS) throw new Error(`more than ${MOST_ITEMS} datastore items are read`);
      this.items.set(idOf(interruption.key), await this.lookup(interruption.key));
    });
  }
}

const idOf = ({ scope, name, decrypt }: DatastoreKey): string => `${scope}/${decrypt ? 'plain' : 'stored'}/${name}`;
