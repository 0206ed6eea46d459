import type { Probed } from '../probe/probe';
import type { Turns } from './turns';

/** A running process of the system. */
export interface TargetProcess {
  readonly name: string;
  readonly pid: number;
}

/** The system under attack: one process, or one process per service. */
export interface Target {
  /** The addresses of the three listeners, which change after a restart. */
  readonly addresses: Readonly<Record<'api' | 'auth' | 'stream', string>>;
  /** The listeners with their own process, where `/healthz` is probed. */
  readonly probed: Readonly<Record<string, Probed>>;
  readonly directory: string;
  readonly turns: Turns;
  processes(): readonly TargetProcess[];
  /** Processes that have ended unexpectedly. */
  died(): readonly string[];
  /** Restarts everything on the same data. */
  restart(): Promise<void>;
  /** The complete logs, in pieces. */
  logs(): Iterable<string>;
  stop(): Promise<void>;
}

/** The address of a path of the API document, such as `/auth/v1/tokens`, at the listener of its service. */
export function urlOf({ addresses }: Pick<Target, 'addresses'>, path: string): string {
  const [, service = '', rest = ''] = /^\/(api|auth|stream)(\/.*)$/.exec(path) ?? [];
  const address = (addresses as Record<string, string>)[service];
  return address === undefined ? addresses.api + path : address + rest;
}
