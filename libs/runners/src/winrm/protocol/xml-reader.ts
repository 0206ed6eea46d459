/** An element. Names are without their prefixes: the answers of a host have no two of a name but in different namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** Without that of its children. */
  text: string;
}

export interface XmlText {
  /** Stands around all that the text has. */
  readonly top: XmlElement;
  /** Whether every element is closed, and everything was understood. */
  readonly isComplete: boolean;
}

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[(?<raw>[\s\S]*?)\]\]>|<\/(?<closed>[^\s<>/]+)\s*>|<(?<opened>[^\s<>/!?=]+)(?<attributes>(?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/gy;

/** Reads XML as machines write it: no document types, and so no entities but the five that XML has. Reads as far as it can. */
export function readXml(xml: string): XmlText {
  const top = element('', '');
  const open: XmlElement[] = [top];
  let end = 0;
  for (const { 0: token, groups: found = {} } of xml.matchAll(TOKEN)) {
    const current = open.at(-1)!;
    if (found['closed'] !== undefined) {
      if (open.length === 1 || current.name !== bareName(found['closed'])) break;
      open.pop();
    } else if (found['opened'] !== undefined) {
      const child = element(found['opened'], found['attributes'] ?? '');
      current.children.push(child);
      if (found['empty'] !== '/') open.push(child);
    } else {
      current.text += found['raw'] ?? plain(found['text'] ?? '');
    }
    end += token.length;
  }
  return { top, isComplete: end === xml.length && open.length === 1 };
}

/** The first element of that name, wherever it is. */
export function descendant(of: XmlElement, name: string): XmlElement | undefined {
  for (const child of descendants(of)) if (child.name === name) return child;
  return undefined;
}

/** All elements in it, in their order. */
export function* descendants(of: XmlElement): Generator<XmlElement> {
  const waiting = [...of.children].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...[...next.children].reverse());
  }
}

const CONTROLS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** A text as the content of an element or an attribute. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"'\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A character that XML has no place for. */
export const unwritable = (text: string): string | undefined => CONTROLS.exec(text)?.[0];

function element(name: string, attributes: string): XmlElement {
  const found = attributes.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  const pairs = [...found].map(([, key, double, single]) => [bareName(key!), plain(double ?? single ?? '')]);
  return {
    name: bareName(name),
    attributes: Object.fromEntries(pairs) as Record<string, string>,
    children: [],
    text: '',
  };
}

const bareName = (name: string): string => name.slice(name.indexOf(':') + 1);

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
