import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandAction, expectAnswer, untilSound, type Load } from './load';

const CHANGING = 'fault_registrations';

/** A pack that is changed and registered again and again. What was registered last counts. */
export const packRegistrations: Load = {
  name: 'pack registrations',
  open({ site: { api, directory } }) {
    const pack = join(directory, 'packs', CHANGING);
    let [written, registered] = [0, 0];
    return Promise.resolve({
      pace: { atATime: 1, pauses: 10 },
      async once() {
        writePack(pack, ++written);
        const number = written;
        const { status } = await api.call('POST', '/v1/packs/register', { packs: [CHANGING], fail_on_failure: true });
        if (status === 200) registered = number;
      },
      problems: () =>
        untilSound(async () => {
          if (registered === 0) return [];
          const { version } = (await expectAnswer(api, `/v1/packs/${CHANGING}`)) as { version: string };
          const { description } = (await expectAnswer(api, `/v1/actions/${CHANGING}.changing`)) as {
            description: string;
          };
          const found = [Number(version.split('.').at(-1)), Number(description)];
          if (found.every((number) => number >= registered && number <= written)) return [];
          return [`version ${registered} of a pack was registered, but ${found.join(' and ')} are stored`];
        }),
    });
  },
};

function writePack(pack: string, number: number): void {
  put(join(pack, 'pack.yaml'), {
    name: CHANGING,
    ref: CHANGING,
    description: 'Changes.',
    version: `1.0.${number}`,
    author: 'faults',
    email: 'faults@example.org',
  });
  const action = { ...commandAction('changing', 'true'), description: String(number) };
  put(join(pack, 'actions', 'changing.yaml'), action);
}

/** JSON is YAML. */
export function put(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}
