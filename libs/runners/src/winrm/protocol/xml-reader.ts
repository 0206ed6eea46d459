/** An element. Names have no prefix, because WinRM responses never use one name in two namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** Excludes the text of its children. */
  text: string;
}

export interface XmlText {
  /** Holds the whole document. */
  readonly top: XmlElement;
  /** Whether every element is closed and everything was understood. */
  readonly isComplete: boolean;
}

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[(?<raw>[\s\S]*?)\]\]>|<\/(?<closed>[^\s<>/]+)\s*>|<(?<opened>[^\s<>/!?=]+)(?<attributes>(?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/gy;

/** Reads machine-written XML: no document types, and only the five predefined entities. Reads as far as it can. */
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

/** The first element with this name, at any depth. */
export function descendant(of: XmlElement, name: string): XmlElement | undefined {
  for (const child of elementsBelow(of)) if (child.name === name) return child;
  return undefined;
}

/** All elements below this one, in document order. */
export function* elementsBelow(of: XmlElement): Generator<XmlElement> {
  const waiting = [...of.children].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...[...next.children].reverse());
  }
}

const CONTROLS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Escapes a text for use as element content or attribute value. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"'\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A character that XML does not allow. */
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
