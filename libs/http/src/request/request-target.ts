import { fault } from '@switchyard/base';

/** Path and query of a request line, not decoded. */
export interface RequestTarget {
  readonly rawPath: string;
  readonly rawQuery: string;
}

export function requestTarget(url: string): RequestTarget {
  const mark = url.indexOf('?');
  return mark < 0 ? { rawPath: url, rawQuery: '' } : { rawPath: url.slice(0, mark), rawQuery: url.slice(mark + 1) };
}

/**
 * The segments of a path. The path is decoded as a whole, so an escaped slash separates segments, too. One trailing slash is
 * dropped.
 * @throws Fault `request.path`
 */
export function pathSegments(rawPath: string): string[] {
  const path = rawPath.includes('%') ? decodedPath(rawPath) : rawPath;
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return end <= 0 ? [] : path.slice(1, end).split('/');
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw fault('request.path', { path }, { cause: error });
  }
}

/** Decoded query values by name; the last one of a name wins. It has no prototype, so that no name is special. */
export type QueryTexts = Readonly<Record<string, string>>;

const EMPTY: QueryTexts = Object.freeze(Object.create(null) as QueryTexts);

/** @throws Fault `request.query` if the query is not UTF-8 or has invalid escapes */
export function queryTexts(rawQuery: string): QueryTexts {
  if (rawQuery === '') return EMPTY;
  const texts = Object.create(null) as Record<string, string>;
  for (const pair of rawQuery.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    texts[decodedText(name, name)] = equals < 0 ? '' : decodedText(pair.slice(equals + 1), name);
  }
  return texts;
}

function decodedText(text: string, name: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    throw fault('request.query', { name }, { cause: error });
  }
}
