/** `<expr>` or `name, name in <expr>`; the expression ends the text. */
export const ITEMS_PATTERN = String.raw`^\s*(?:\w+(?:\s*,\s*\w+)*\s+in\s+)?(?:<%[\s\S]*%>|\{\{[\s\S]*\}\})\s*$`;

const NAMES = /^(?:\w+\s*,\s*)*\w+\s+in\s+$/;

/** Whether a text matches `ITEMS_PATTERN`, in one pass: matching the pattern itself can be slow on long texts. */
export function isItemsText(text: string): boolean {
  const trimmed = text.trim();
  const start = trimmed.search(/<%|\{\{/);
  if (start < 0) return false;
  const close = trimmed[start] === '<' ? '%>' : '}}';
  if (!trimmed.endsWith(close) || trimmed.length < start + 4) return false;
  const names = trimmed.slice(0, start);
  return names === '' || (names.length <= LONGEST_NAMES && NAMES.test(names));
}

const LONGEST_NAMES = 1000;

export interface ItemsText {
  readonly names: readonly string[];
  readonly items: string;
}

/** Splits the text of `with.items`. An ` in ` inside the expression belongs to it. */
export function itemsText(text: string): ItemsText {
  const start = text.search(/<%|\{\{/);
  const head = text.slice(0, Math.max(0, start)).trimEnd();
  if (!/\sin$/.test(head.slice(-3))) return { names: [], items: text.trim() };
  const names = head.slice(0, -2).split(',');
  return { names: names.map((name) => name.trim()), items: text.slice(start).trim() };
}
