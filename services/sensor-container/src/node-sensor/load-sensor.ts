import { pathToFileURL } from 'node:url';
import type { NodeSensor, SensorClass, SensorService } from './contract';

/** @throws Error that describes the problem with the file */
export async function loadSensor(
  file: string,
  className: string,
  service: SensorService,
  config: Readonly<Record<string, unknown>>,
): Promise<NodeSensor> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const exported = module[className] ?? (module['default'] as Record<string, unknown> | undefined)?.[className];
  if (typeof exported !== 'function') throw new Error(`"${file}" exports no class "${className}".`);
  const sensor = new (exported as SensorClass)(service, config);
  if (typeof sensor.run !== 'function' && typeof sensor.poll !== 'function')
    throw new Error(`The class "${className}" in "${file}" has neither "run" nor "poll".`);
  return sensor;
}
