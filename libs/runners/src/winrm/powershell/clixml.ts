import { readXml } from '../protocol/xml-reader';

const HEAD = /^\uFEFF?#< CLIXML\r?\n/;

/**
 * What PowerShell has to say on standard error: it writes objects there, as XML, when nobody sits before it. Their texts are kept, the
 * progress of its work is not. Anything else is left as it is.
 */
export function errorText(stderr: string): string {
  const head = HEAD.exec(stderr)?.[0];
  if (head === undefined) return stderr;
  const { top } = readXml(stderr.slice(head.length));
  if (top.children.length === 0 && stderr.length > head.length) return stderr;
  const texts = top.children.flatMap(({ children }) => children.filter(({ name }) => name === 'S'));
  return texts
    .map(({ text }) => unescaped(text))
    .join('')
    .trim();
}

const unescaped = (text: string): string =>
  text
    .replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\r\n', '\n');
