import type { HttpAnswer } from './http-line';

/** Adds what a message needs to be accepted. */
export interface Login {
  readonly name: string;
  send(message: Buffer, signal: AbortSignal): Promise<HttpAnswer>;
}

export const SOAP_TYPE = 'application/soap+xml;charset=UTF-8';
