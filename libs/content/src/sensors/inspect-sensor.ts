import { existsSync, realpathSync } from 'node:fs';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toReference, toUid, type SensorTypeRecord } from '@switchyard/model';
import { checkTriggerType, type TriggerTypeDraft } from '@switchyard/triggers';
import { isInside } from '../actions/entry-point';
import { issue, issuesOf, type Checked, type Issue } from '../check/issue';
import { checkPackField } from '../check/pack-field';
import { checkShape } from '../check/shape';
import type { Draft, FilePlace } from '../loaders/loader';
import { sourceHash } from './source-hash';

/** A sensor of a file, with the trigger types that it brings along. */
export type SensorFile = SensorTypeRecord & { provided: TriggerTypeDraft[] };

const text = { type: 'string' } as const;

/** 24 days. A timer of Node.js that is set for longer fires at once: the sensor would poll all the time. */
const LONGEST_INTERVAL_SECONDS = 2_073_600;

/** What the metadata of a sensor may hold (interface sheet "events", 5.1). */
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

/** Everything that can be wrong with a sensor, or the record that it makes. */
export function inspectSensor(content: Record<string, unknown>, place: FilePlace): Checked<Draft<SensorFile>> {
  const shape = checkShape(content, { type: 'object', fields, required: ['class_name', 'entry_point'] });
  if (shape.length > 0) return { issues: shape };
  const metadata = content as unknown as Metadata;
  const provided: TriggerTypeDraft[] = [];
  const issues = [
    ...checkPackField(content, place.pack),
    ...checkClass(metadata),
    ...checkEntryPoint(metadata, place),
    ...(metadata.trigger_types ?? []).flatMap((type, index) =>
      issuesOf(['trigger_types', index], () => {
        provided.push({ ...checkTriggerType({ ...type, pack: place.pack }), metadata_file: place.metadataFile });
      }),
    ),
  ];
  return issues.length > 0 ? { issues } : { value: draftOf(metadata, place, provided), issues: [] };
}

const checkClass = ({ class_name: name }: Metadata): Issue[] =>
  /^[A-Za-z_]\w*$/.test(name) ? [] : [issue(['class_name'], `"${name}" is not the name of a class`)];

const LANGUAGES = /\.(py|js|mjs|ts)$/;
/** What a sensor in TypeScript is compiled to, beside it. */
const COMPILED = ['.js', '.mjs'];

function checkEntryPoint({ entry_point: file }: Metadata, { packDirectory }: FilePlace): Issue[] {
  const sensors = join(packDirectory, 'sensors');
  const refuse = (reason: string) => [issue(['entry_point'], `The entry point "${file}" ${reason}.`)];
  if (!LANGUAGES.test(file))
    return refuse('has to be a file in Python (.py), JavaScript (.js, .mjs) or TypeScript (.ts)');
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
