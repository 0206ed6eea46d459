import { wantsColour, widthOf, type Terminal } from '../terminal';
import { statusColour, cellValue, plainValue, propertyValue, withoutControls, readableTime } from './plain-value';
import { structuredText, type StructuredFormat } from './structured';
import { tableText, type Column } from './table';
import { pick, valueAtPath } from './value-path';

export interface DisplayOptions {
  json?: boolean;
  yaml?: boolean;
  /** Paths of attributes; `all` for every attribute. */
  attr?: string[];
  width?: number[];
}

/** Prints records: one JSON or YAML document, or tables for people. */
export interface Printer {
  readonly format: StructuredFormat | undefined;
  readonly colour: boolean;
  /** The width for tables. */
  readonly width: number;
  line(text?: string): void;
  note(text: string): void;
  document(value: unknown): Promise<void>;
  /** Prints records as a table with one row each. */
  list(records: readonly object[], columns: readonly string[]): Promise<void>;
  /** Prints each record as a property table. */
  records(records: readonly object[], options: RecordOptions): Promise<void>;
  /** The text of a value in the column of this attribute. */
  shown(attribute: string, value: unknown): string;
}

export interface RecordOptions {
  /** The default attributes, if the user chooses none. Without these, all attributes. */
  readonly columns?: readonly string[];
  /** Attributes that come before the others. */
  readonly first?: readonly string[];
  /** The user requested several: JSON and YAML are lists, even with a single item. */
  readonly many?: boolean;
  /** Times stay as the server sent them, for scripts that read them from the table. */
  readonly rawTimes?: boolean;
}

const TIME = /(_timestamp|_at|^timestamp|^expiry|occurrence_time)$/;

/** The width of each column if the number of widths is neither one nor that of the columns. */
const OTHERWISE_WIDE = 28;

export function createPrinter(terminal: Terminal, options: DisplayOptions, timezone: string): Printer {
  const format = options.json ? 'json' : options.yaml ? 'yaml' : undefined;
  const colour = wantsColour(terminal) && !format;
  const write = (text: string): void => void terminal.stdout.write(text);
  const timeOf = (attribute: string, value: unknown): string | undefined =>
    TIME.test(attribute) && typeof value === 'string' ? readableTime(value, timezone) : undefined;
  const shown = (attribute: string, value: unknown): string => timeOf(attribute, value) ?? cellValue(value);
  const document = async (value: unknown): Promise<void> => {
    write(await structuredText(value, format ?? 'json'));
  };
  const chosen = (records: readonly object[], otherwise: readonly string[] | undefined): string[] =>
    options.attr && !options.attr.includes('all')
      ? options.attr
      : options.attr
        ? allKeys(records)
        : [...(otherwise ?? allKeys(records))];
  const wide = (index: number, count: number): number | undefined => {
    const { width } = options;
    if (width === undefined || width.length === count) return width?.[index];
    return width.length === 1 ? width[0] : OTHERWISE_WIDE;
  };
  return {
    format,
    colour,
    width: widthOf(terminal),
    shown,
    document,
    line: (text = '') => write(`${text}\n`),
    note: (text) => void terminal.stderr.write(`${text}\n`),
    async list(records, defaults) {
      const names = chosen(records, defaults);
      if (format) return document(records.map((record) => pick(record, names)));
      if (records.length === 0) return write('No matching items found\n');
      const columns: Column[] = names.map((title, index) => ({
        title,
        width: wide(index, names.length),
        ...columnLook(title, colour),
      }));
      const rows = records.map((record) => names.map((name) => oneLine(shown(name, valueAtPath(record, name)))));
      write(tableText(columns, rows, widthOf(terminal)));
    },
    async records(records, { columns: defaults, first = [], many = false, rawTimes = false }) {
      const names = orderedNames(chosen(records, defaults), options.attr ? [] : first);
      if (format) {
        const documents = records.map((record) => pick(record, names));
        return document(records.length === 1 && !many ? documents[0] : documents);
      }
      const columns: Column[] = [
        { title: 'Property', fixed: true, width: wide(0, 2) },
        { title: 'Value', width: wide(1, 2) },
      ];
      const property = (name: string, value: unknown): string =>
        (rawTimes ? undefined : timeOf(name, value)) ?? propertyValue(value);
      for (const record of records) {
        const rows = names.map((name) => [name, property(name, valueAtPath(record, name))]);
        write(tableText(columns, rows, widthOf(terminal)));
      }
    },
  };
}

const columnLook = (title: string, colour: boolean): Partial<Column> => ({
  fixed: /(^|[._])id$/.test(title),
  ...(colour && title === 'status' ? { paint: statusColour } : {}),
});

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

const allKeys = (records: readonly object[]): string[] =>
  [...new Set(records.flatMap((record) => Object.keys(record)))].sort();

const orderedNames = (names: readonly string[], first: readonly string[]): string[] => [
  ...first.filter((name) => names.includes(name)),
  ...names.filter((name) => !first.includes(name)),
];

/** A value for scripts, without quotes. */
export const bareValue = (value: unknown): string => withoutControls(plainValue(value));
