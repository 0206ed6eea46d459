import { svc, type Ended } from '../system/run-svc';

/** @returns what is wrong if a command has ended with another exit code */
export const expectExit = ({ code, stdout, stderr }: Ended, expected: number): string[] =>
  code === expected ? [] : [`expected exit code ${expected}, got ${String(code)}: ${stdout}${stderr}`];

/** The migrations of a store with their states. @param place the options that name the store */
export async function migrationStates(place: readonly string[]): Promise<string> {
  const { stdout } = await svc(['migrate', '--check', '-j', ...place]);
  const states = JSON.parse(stdout) as { name: string; state: string; detail: string }[];
  return states.map(({ name, state, detail }) => `${name} ${state}${detail === '' ? '' : ` (${detail})`}`).join(', ');
}
