import { readFile } from 'node:fs/promises';
import { fault, isFault, isPlainObject, messageOf } from '@switchyard/base';
import { readYaml } from '@switchyard/content';
import type { Partition, PartitionDeps } from './create-partition';

/**
 * A YAML file that assigns sensors to nodes. It is read again whenever sensors are divided. While it is unusable, its
 * last valid content applies.
 */
export function filePartition(path: string, { nodeName, logger }: PartitionDeps): Partition {
  let last: ReadonlySet<string> | undefined;
  return {
    isShared: false,
    async owned() {
      try {
        last = new Set(await read(path, nodeName));
      } catch (error) {
        if (!last || !isFault(error)) throw error;
        logger.warn('The partition file is unusable; keeping the previous partitions.', { error: messageOf(error) });
      }
      return last;
    },
  };
}

/** @throws Fault `sensor.partition-file` */
async function read(path: string, nodeName: string): Promise<string[]> {
  const refuse = (reason: string) => fault('sensor.partition-file', { path, reason });
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refuse(messageOf(error));
  });
  const { value, problems } = readYaml(text);
  if (problems[0]) throw refuse(`line ${problems[0].line}: ${problems[0].text}`);
  if (!isPlainObject(value)) throw refuse('it must map names of nodes to lists of sensors');
  if (!Object.hasOwn(value, nodeName)) throw refuse(`it does not name the node "${nodeName}"`);
  const refs = value[nodeName] ?? [];
  if (!Array.isArray(refs) || refs.some((ref) => typeof ref !== 'string'))
    throw refuse(`the sensors of the node "${nodeName}" must be a list of references`);
  return refs as string[];
}
