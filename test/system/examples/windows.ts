/// <reference types="jest" />

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTES, type Parameters, type Site } from './site';

/** Programs that exist only on Windows, and their replacements. */
const PROGRAMS: Record<string, string> = {
  ipconfig: 'echo "Windows IP Configuration $1"',
  'Get-ChildItem': 'env',
  'Get-CimInstance': 'echo "$2: 4711"',
  'Select-Object': 'cat; echo "$2"',
  'ConvertTo-Json': 'cat',
};

/** Action, parameters and output. */
const EXAMPLES: [string, Parameters, string][] = [
  ['winrm_get_ipconfig', {}, 'Windows IP Configuration /all'],
  ['winrm_powershell_env', {}, 'ST2_WINRM_ENV_TEST=example value'],
  ['winrm_powershell_env', { env_var_name: 'COLOUR', env_value: 'deep blue' }, 'COLOUR=deep blue'],
  ['winrm_get_uptime', {}, 'Win32_PerfFormattedData_PerfOS_System: 4711\nSystemUpTime'],
];

/** The names of the examples that run here. */
export const WINDOWS = EXAMPLES.map(([name]) => name);

export interface WindowsHost {
  /** The connection parameters for it. */
  readonly access: Parameters;
  close(): Promise<void>;
}

/** Tests of actions on Windows. @param openHost opens a host that finds programs like this process */
export function windows(siteOf: () => Site, openHost: () => Promise<WindowsHost>): void {
  const path = process.env['PATH'];
  let programs: string;
  let host: WindowsHost;

  beforeAll(async () => {
    programs = mkdtempSync(join(tmpdir(), 'svc-examples-'));
    for (const [name, text] of Object.entries(PROGRAMS)) {
      writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(programs, name), 0o755);
    }
    process.env['PATH'] = `${programs}:${path}`;
    host = await openHost();
  });

  afterAll(async () => {
    process.env['PATH'] = path;
    await host?.close();
    rmSync(programs, { recursive: true });
  });

  it.each(EXAMPLES)(
    'action %s with %j',
    async (name, parameters, text) => {
      const { status, result } = await siteOf().run(name, { ...parameters, ...host.access });
      expect([status, result.stdout]).toEqual(['succeeded', expect.stringContaining(text)]);
    },
    MINUTES,
  );
}
