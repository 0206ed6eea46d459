import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leakCheck } from '@switchyard/testkit/platform';
import { rounds } from '@switchyard/testkit/rounds';
import { parseKeyRing } from '../../src';
import { SEALED, type Ring } from '../../src/sealing/sealed-places';
import { rotationSite } from './rotation-site';

const later = leakCheck();
const ROOT = join(__dirname, '../../../..');
const LOADER = join(__dirname, '../embedded/load-sources.js');
const SCRIPT = join(__dirname, 'rotate-until-killed.js');
const RECORDS_PER_PLACE = 12;
/** The numbers of the writes, twice each, at which the process dies; see the script. */
const POINTS = [2, 13, 14, 15, 27];
const POINTS_OF_RETIREMENT = [28, 5];
const DEADLINE_MS = 300_000;

/** @param killAt 0 to let it run to the end @returns the signal that ended it */
async function carryOut(config: object, killAt: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, ['-r', LOADER, SCRIPT, JSON.stringify(config), String(killAt)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [unknown, NodeJS.Signals | null];
  return signal;
}

it(
  'a rotation that is killed repeatedly loses nothing and leaves nothing behind',
  async () => {
    const site = await rotationSite();
    later(site.close);
    const values = new Map<string, string>();
    for (const place of SEALED)
      for (let n = 0; n < RECORDS_PER_PLACE; n++) {
        const text = `${place.collection} ${place.path.join('.')} ${n}`;
        values.set(`${SEALED.indexOf(place)} ${await site.fill(place, text)}`, text);
      }
    const ringOf = (ring: Ring) => parseKeyRing(readFileSync(site.files[ring], 'utf8'));
    const former = { records: ringOf('records').current, datastore: ringOf('datastore').current };
    const killed = async (points: readonly number[]) => {
      const found: string[] = [];
      for (const point of points) {
        await site.suspend();
        const signal = await carryOut(site.config, point);
        await site.resume();
        const { stage, position, drafts } = await site.last();
        if (signal === 'SIGKILL')
          found.push([stage, position?.collection, drafts && 'with drafts'].filter(Boolean).join(' '));
      }
      await site.suspend();
      expect(await carryOut(site.config, 0)).toBeNull();
      await site.resume();
      return found;
    };
    const points = Array.from({ length: rounds(1) }, (_, round) => POINTS.map((point) => point + round * 5)).flat();
    await site.begin();
    expect((await killed(points)).slice(0, POINTS.length)).toEqual([
      'adding',
      'switching',
      'resealing action_aliases',
      'resealing workflows',
      'resealing workflow_journal with drafts',
    ]);
    expect(await site.last()).toMatchObject({ stage: 'resealed', lost: [] });
    await site.retire();
    expect(await killed(POINTS_OF_RETIREMENT)).toEqual(['retiring workflow_journal', 'retiring workflow_journal']);
    expect(await site.last()).toMatchObject({ stage: 'retired', lost: [] });
    for (const ring of ['records', 'datastore'] as const) {
      expect(Object.keys(ringOf(ring).keys)).toEqual([ringOf(ring).current]);
      expect(ringOf(ring).current).not.toBe(former[ring]);
    }
    for (const [key, text] of values) {
      const [index, id] = key.split(' ') as [string, string];
      expect(await site.read(SEALED[Number(index)]!, id)).toBe(text);
    }
    expect(await site.connection().db!.collection('blobs').countDocuments()).toBe(RECORDS_PER_PLACE);
  },
  DEADLINE_MS,
);
