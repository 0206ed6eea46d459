import { isNotFound } from '../api-error';
import type { Transport } from '../transport/transport';
import { answerOf } from './records';

/** The configuration of a pack. */
export interface Config {
  id: string;
  pack: string;
  /** As they were given, without defaults; secrets are masked. */
  values: Record<string, unknown>;
}

/** What a pack says about its configuration. */
export interface ConfigSchema {
  id: string;
  pack: string;
  /** A schema for each attribute. */
  attributes: Record<string, Record<string, unknown>>;
}

export interface Configs {
  /** @returns undefined for a pack without a configuration */
  find(pack: string): Promise<Config | undefined>;
  /** @throws ApiError with status 404 for a pack without a schema */
  schema(pack: string): Promise<ConfigSchema>;
  /** Replaces the whole configuration. Secrets that are sent back masked stay. */
  put(pack: string, values: Record<string, unknown>): Promise<Config>;
}

export const createConfigs = (transport: Transport): Configs => ({
  async find(pack) {
    try {
      return await answerOf<Config>(transport, 'GET', ['configs', pack]);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  },
  schema: (pack) => answerOf(transport, 'GET', ['config_schemas', pack]),
  put: (pack, values) => answerOf(transport, 'PUT', ['configs', pack], values),
});
