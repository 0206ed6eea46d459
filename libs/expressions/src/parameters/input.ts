import type { Definitions } from '@switchyard/model';
import type { Allowance } from '../allowance';
import type { DatastoreKey } from '../jinja';
import type { SecretPath } from './reads-secret';

/** What one rendering of parameters works with. */
export interface ParametersInput {
  readonly runnerParameters: Definitions;
  readonly actionParameters: Definitions;
  /** The caller's values. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Names of the caller's values that are data, whatever they look like: no template in them is rendered. */
  readonly literal?: readonly string[];
  /** What templates see as `action_context`. */
  readonly context: Readonly<Record<string, unknown>>;
  /** What templates see as `config_context`: the pack's configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Where secrets are in `config`. A parameter whose template reads one, or what it lies in, is secret as well. */
  readonly configSecrets?: readonly SecretPath[];
  /** Further names, such as a rule's `trigger`. Templates mean these, also where a parameter has the same name. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Reads a datastore item; asked only for items that a template really reads, dynamic names included. */
  readonly lookup?: (key: DatastoreKey) => Promise<string | undefined>;
  /** What all templates may cost together. */
  readonly allowance?: Allowance;
  /**
   * The type that a rendered value has for the templates that read it, so that a default `{{ config_context.obj }}` of an
   * object parameter is an object to others. The values handed back are not cast.
   */
  readonly cast?: (name: string, value: unknown) => unknown;
}
