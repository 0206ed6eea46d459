import { isPlainObject } from '@switchyard/base';
import type { Path } from '@switchyard/model';
import type { TemplateSite } from './template-sites';

export interface SiteText {
  readonly text: string;
  readonly place: Path;
}

/** Every text at a site: the value itself, or what its lists and maps hold at any depth, keys included. */
export const siteTexts = ({ value, path, name }: TemplateSite): SiteText[] =>
  textsIn(value, name === undefined ? path : [...path, name]);

function textsIn(value: unknown, place: Path): SiteText[] {
  if (typeof value === 'string') return [{ text: value, place }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...place, index]));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    { text: key, place: [...place, key] },
    ...textsIn(item, [...place, key]),
  ]);
}
