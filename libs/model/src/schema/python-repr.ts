/**
 * Prints a JSON value like Python's `repr`. Clients expect this in messages such as `'z' is not one of ['a', 'b']`. Whole
 * numbers print as integers, because JSON does not distinguish `1.0` from `1`.
 */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return reprText(value);
  if (typeof value === 'number') return reprNumber(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `${reprText(key)}: ${pythonRepr(item)}`)
      .join(', ')}}`;
  }
  return reprText(typeof value);
}

/** Prints a JSON value like Python's `str`: the same as `repr`, but without the quotes of a text. */
export const pythonStr = (value: unknown): string => (typeof value === 'string' ? value : pythonRepr(value));

/** Python's name for the type of a JSON value. */
export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'str' : 'dict';
}

const named: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const plainText = /^[ !#-&(-[\]-~]*$/;
/** Characters that are not printable in Python: controls, surrogates, unassigned code points and all blanks except the space. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function reprText(text: string): string {
  if (plainText.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = '';
  for (const char of text) {
    if (char === quote) out += `\\${char}`;
    else out += named[char] ?? (unprintable.test(char) ? escaped(char.codePointAt(0) as number) : char);
  }
  return quote + out + quote;
}

function escaped(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

function reprNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  // Python uses exponents below 1e-4 (JavaScript below 1e-6), with at least two digits.
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
