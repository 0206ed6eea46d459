import { pythonStr } from '@switchyard/model';
import { issue, type Issue } from './issue';

/** A file may say which pack it is of; it lies in that pack then. */
export function checkPackField({ pack }: { readonly pack?: unknown }, expected: string): Issue[] {
  if (pack === undefined || pack === expected) return [];
  return [issue(['pack'], `Model is in pack "${expected}" but field "pack" is different: ${pythonStr(pack)}`)];
}
