import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Deviations of the provider from correct behaviour. */
export type Deviation = Readonly<Record<string, unknown>>;

/** A real SAML provider (`samlp`) in a separate process. */
export async function madeSamlProvider() {
  const child = spawn(process.execPath, [join(__dirname, 'saml-provider-main.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const [issuer] = (await once(lines, 'line')) as [string];
  /** Sends a command to the provider, and waits until it has done it. */
  const told = async (path: string, body: object = {}): Promise<string> =>
    (await fetch(`${issuer}${path}`, { method: 'POST', body: JSON.stringify(body) })).text();
  return {
    issuer,
    metadataUrl: `${issuer}/metadata`,
    rotateKey: () => told('/rotate'),
    /** Simulates a login. @returns the fields of the form that the browser sends back */
    async logIn(location: string, deviation: Deviation = {}): Promise<{ SAMLResponse: string; RelayState: string }> {
      const { search } = new URL(location);
      return JSON.parse(await told(`/login${search}`, deviation)) as { SAMLResponse: string; RelayState: string };
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
