import { createHash } from 'node:crypto';
import { existsSync, realpathSync, readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toReference, toUid, type SensorTypeRecord } from '@switchyard/model';
import { checkTriggerType, type TriggerTypeDraft } from '@switchyard/triggers';
import { issue, issuesOf, type Checked, type Issue, checkPackField } from '../check/issue';
import { checkShape } from '../check/shape';
import { isInside } from '../files/pack-path';
import type { Draft, FilePlace } from '../loaders/loader';

/** A sensor from a file, with the trigger types it defines. */
export type SensorFile = SensorTypeRecord & { provided: TriggerTypeDraft[] };

const text = { type: 'string' } as const;

/** 24 days. Node.js timers set for longer fire at once, so the sensor would poll constantly. */
const LONGEST_INTERVAL_SECONDS = 2_073_600;

/** The allowed metadata of a sensor. */
const fields = {
  class_name: text,
  entry_point: text,
  description: text,
  enabled: { type: 'boolean' },
  poll_interval: { type: 'number', minimum: 4, maximum: LONGEST_INTERVAL_SECONDS },
  trigger_types: { type: 'array', items: { type: 'object' } },
  pack: text,
} as const;

interface Metadata {
  class_name: string;
  entry_point: string;
  description?: string;
  enabled?: boolean;
  poll_interval?: number;
  trigger_types?: Record<string, unknown>[];
}

/** Checks the metadata of a sensor. Invalid trigger types are left out; the sensor itself can still be used. */
export function inspectSensor(content: Record<string, unknown>, place: FilePlace): Checked<Draft<SensorFile>> {
  const shape = checkShape(content, { type: 'object', fields, required: ['class_name', 'entry_point'] });
  if (shape.length > 0) return { issues: shape };
  const metadata = content as unknown as Metadata;
  const provided: TriggerTypeDraft[] = [];
  const issues = [...checkPackField(content, place.pack), ...checkClass(metadata), ...checkEntryPoint(metadata, place)];
  const leftOut = (metadata.trigger_types ?? []).flatMap((type, index) =>
    issuesOf(['trigger_types', index], () => {
      provided.push({ ...checkTriggerType({ ...type, pack: place.pack }), metadata_file: place.metadataFile });
    }).map((found) => named(type, found)),
  );
  return issues.length > 0
    ? { issues: [...issues, ...leftOut] }
    : { value: draftOf(metadata, place, provided), issues: [], leftOut };
}

const named = ({ name }: Record<string, unknown>, found: Issue): Issue =>
  typeof name === 'string' ? { ...found, text: `The trigger type "${name}": ${found.text}` } : found;

const checkClass = ({ class_name: name }: Metadata): Issue[] =>
  /^[A-Za-z_]\w*$/.test(name) ? [] : [issue(['class_name'], `"${name}" is not the name of a class`)];

const LANGUAGES = /\.(py|js|mjs|ts)$/;
/** Extensions of the compiled file next to a sensor in TypeScript. */
const COMPILED = ['.js', '.mjs'];

function checkEntryPoint({ entry_point: file }: Metadata, { packDirectory }: FilePlace): Issue[] {
  const sensors = join(packDirectory, 'sensors');
  const refuse = (reason: string) => [issue(['entry_point'], `The entry point "${file}" ${reason}.`)];
  if (!LANGUAGES.test(file)) return refuse('must be a Python (.py), JavaScript (.js, .mjs) or TypeScript (.ts) file');
  if (!isInside(sensors, join(sensors, file))) return refuse(`lies outside of "${sensors}"`);
  const runs = file.endsWith('.ts') ? COMPILED.map((extension) => file.slice(0, -'.ts'.length) + extension) : [file];
  const found = runs.find((name) => existsSync(join(sensors, name)));
  if (found !== undefined && !isInside(realpathSync(packDirectory), realpathSync(join(sensors, found)))) {
    return refuse('is a link that leads out of its pack');
  }
  if (found !== undefined) return [];
  return refuse(`needs the file ${runs.map((name) => `"${join(sensors, name)}"`).join(' or ')}`);
}

function draftOf(metadata: Metadata, place: FilePlace, provided: TriggerTypeDraft[]): Draft<SensorFile> {
  const { class_name: name, entry_point: file, description, enabled = true, poll_interval: interval } = metadata;
  const { pack, packDirectory, metadataFile } = place;
  const { dir, name: module } = parse(file);
  const path = ['sensors', ...dir.split('/'), module, name].filter((part) => part !== '' && part !== '.');
  return {
    ref: toReference(pack, name),
    uid: toUid('sensor_type', pack, name),
    name,
    pack,
    ...(description === undefined ? {} : { description }),
    enabled,
    artifact_uri: pathToFileURL(join(packDirectory, 'sensors', file)).href,
    entry_point: pack === 'core' ? name : path.join('.'),
    class_name: name,
    trigger_types: provided.map((type) => toReference(type.pack, type.name)),
    ...(interval === undefined ? {} : { poll_interval: interval }),
    metadata_file: metadataFile,
    source_hash: sourceHash(packDirectory),
    provided,
  };
}

/** Folders of a pack with code of sensors. */
const FOLDERS = ['sensors', 'lib'];
const OTHER = /^(__pycache__|node_modules|\..*|.*\.pyc)$/;

/** A hash of the code that the sensors of a pack may use. When it changes, they must be restarted. */
function sourceHash(packDirectory: string): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) addFolder(hash, packDirectory, folder);
  return hash.digest('hex');
}

function addFolder(hash: ReturnType<typeof createHash>, root: string, folder: string): void {
  for (const entry of entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (OTHER.test(entry.name)) continue;
    if (entry.isDirectory()) addFolder(hash, root, path);
    else if (entry.isFile())
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0');
  }
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
