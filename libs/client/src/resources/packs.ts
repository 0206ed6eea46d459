import { MINUTE_MS } from '@switchyard/base';
import type { ConfigSchema, IndexedPack, Pack, PackConfiguration } from '@switchyard/model';
import { isNotFound } from '../api-error';
import type { ApiTransport } from '../transport/transport';
import { answerOf, readableRecords, type ReadableRecords } from './records';

export interface PackInstallation {
  /** Names in the index, `owner/repository`, or addresses. Each may end in `=version`. */
  readonly packs: readonly string[];
  readonly force?: boolean;
  readonly skipDependencies?: boolean;
}

export interface PackRegistration {
  readonly packs?: readonly string[];
  readonly types?: readonly string[];
  /** Register nothing if any file is invalid. */
  readonly isStrict?: boolean;
}

/** A problem in a file of a pack. */
export interface PackFileProblem {
  readonly pack: string;
  readonly type: string;
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly field?: string;
  readonly text: string;
}

export interface PackRegistrationOutcome {
  /** By kind of content. */
  readonly counts: Readonly<Record<string, number>>;
  /** Files and parts of files that were left out. */
  readonly failures: readonly PackFileProblem[];
  readonly warnings: readonly PackFileProblem[];
}

export interface Packs extends ReadableRecords<Pack> {
  /** Registers packs on the disk of the server. Invalid files are left out. */
  register(what?: PackRegistration): Promise<PackRegistrationOutcome>;
  /** Finds errors and warnings in the packs on the server's disk, and registers nothing. */
  check(packs: readonly string[]): Promise<PackRegistrationOutcome>;
  /**
   * Creates the virtual environment of a pack on the server. This can take minutes.
   * @param how `recreate` rebuilds it even if nothing has changed
   * @returns whether the pack has one: a pack without Python needs none
   */
  setUp(ref: string, how?: { recreate?: boolean }): Promise<boolean>;
  /** Packs of the index that contain the text, best matches first. */
  search(query: string): Promise<IndexedPack[]>;
  /** The entry of a pack in the index; undefined if the index does not have it. */
  show(name: string): Promise<IndexedPack | undefined>;
  /** @returns the id of the execution that installs the packs */
  install(what: PackInstallation): Promise<string>;
  /** Removes packs with their registered content and their files. @returns the id of the execution that does so */
  uninstall(packs: readonly string[]): Promise<string>;
}

const PATH = ['packs'];
const REGISTER = { service: 'api', method: 'POST', path: [...PATH, 'register'] } as const;

/** Counts beside the two lists. */
type RegisterBody = Partial<Pick<PackRegistrationOutcome, 'failures' | 'warnings'>>;

const outcomeOf = ({ failures = [], warnings = [], ...counts }: RegisterBody): PackRegistrationOutcome => ({
  counts,
  failures,
  warnings,
});

const SET_UP_MS = 60 * MINUTE_MS;

/** The server may have to read slow indexes. */
const INDEX_MS = 2 * MINUTE_MS;
const SEARCH = { service: 'api', method: 'POST', path: [...PATH, 'index', 'search'], timeoutMs: INDEX_MS } as const;

export const createPacks = (transport: ApiTransport): Packs => ({
  ...readableRecords<Pack>(transport, PATH),
  async register({ packs, types, isStrict } = {}) {
    const strict = isStrict ? { fail_on_failure: true } : {};
    const body = { ...(packs?.length ? { packs } : {}), ...(types?.length ? { types } : {}), ...strict };
    return outcomeOf((await transport.json<RegisterBody>({ ...REGISTER, body })).body);
  },
  async check(packs) {
    const body = { ...(packs.length > 0 ? { packs } : {}), check_only: true };
    return outcomeOf((await transport.json<RegisterBody>({ ...REGISTER, body })).body);
  },
  async setUp(ref, { recreate = false } = {}) {
    const body = { packs: [ref], types: [], [recreate ? 'recreate_virtualenvs' : 'setup_virtualenvs']: true };
    const call = { ...REGISTER, body, timeoutMs: SET_UP_MS };
    return ((await transport.json<Record<string, number>>(call)).body['virtualenvs'] ?? 0) > 0;
  },
  search: async (query) => (await transport.json<IndexedPack[]>({ ...SEARCH, body: { query } })).body,
  async show(name) {
    const { body } = await transport.json<IndexedPack | []>({ ...SEARCH, body: { pack: name } });
    return Array.isArray(body) ? undefined : body;
  },
  install: ({ packs, force = false, skipDependencies = false }) =>
    started(transport, 'install', { packs, force, skip_dependencies: skipDependencies }),
  uninstall: (packs) => started(transport, 'uninstall', { packs }),
});

async function started(transport: ApiTransport, verb: string, body: object): Promise<string> {
  const call = { service: 'api', method: 'POST', path: [...PATH, verb], body } as const;
  return (await transport.json<{ execution_id: string }>(call)).body.execution_id;
}

export interface Configs {
  /** @returns undefined if the pack has no configuration */
  find(pack: string): Promise<PackConfiguration | undefined>;
  /** @throws ApiError with status 404 if the pack has no schema */
  schema(pack: string): Promise<ConfigSchema>;
  /** Replaces the whole configuration. Masked secrets keep their stored value. */
  put(pack: string, values: Record<string, unknown>): Promise<PackConfiguration>;
}

export const createConfigs = (transport: ApiTransport): Configs => ({
  async find(pack) {
    try {
      return await answerOf<PackConfiguration>(transport, 'GET', ['configs', pack]);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  },
  schema: (pack) => answerOf(transport, 'GET', ['config_schemas', pack]),
  put: (pack, values) => answerOf(transport, 'PUT', ['configs', pack], values),
});
