import { isPlainObject } from '@switchyard/base';
import { parsedTemplate, renderNative, renderText, type Context, type ReadPath, type RenderOptions } from '../jinja';

/** The templates inside a value. */
export interface ValueTemplate {
  readonly roots: readonly string[];
  /** The paths it reads. */
  readonly reads: readonly ReadPath[];
  /** Whether it decrypts secret datastore items. */
  readonly decrypts: boolean;
  /** Renders its templates one after the other. @param each renders one template */
  readonly render: (each: RenderEach) => Promise<unknown>;
}

export type RenderEach = (render: (context: Context, options: RenderOptions) => unknown) => Promise<unknown>;

/**
 * Finds the templates of a text, list or object. A text renders to a text. Inside lists and objects, an item that is
 * exactly `{{name}}`, without blanks, keeps the type of the named value. A text that cannot be parsed is literal.
 * @returns undefined when there is nothing to render
 */
export function readTemplates(value: unknown): ValueTemplate | undefined {
  return typeof value === 'string' ? textTemplate(value, renderText) : innerTemplate(value);
}

/** The paths that the templates inside a value read. */
export const templateReads = (value: unknown): readonly ReadPath[] => readTemplates(value)?.reads ?? [];

type Render = (source: string, context: Context, options: RenderOptions) => unknown;

function textTemplate(source: string, render: Render): ValueTemplate | undefined {
  const template = parsedTemplate(source);
  if (template === undefined) return undefined;
  const { roots, reads, decrypts } = template;
  return { roots, reads, decrypts, render: (each) => each((context, options) => render(source, context, options)) };
}

const TYPED_ITEM = /^\{\{[\w-]+\}\}$/;

function innerTemplate(value: unknown): ValueTemplate | undefined {
  if (typeof value === 'string') return textTemplate(value, TYPED_ITEM.test(value) ? renderNative : renderText);
  if (Array.isArray(value)) return listTemplate(value);
  return isPlainObject(value) ? objectTemplate(value) : undefined;
}

function listTemplate(items: readonly unknown[]): ValueTemplate | undefined {
  const templates = items.map(innerTemplate);
  return combined(templates, async (each) => {
    const values: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const template = templates[index];
      values.push(template === undefined ? item : await template.render(each));
    }
    return values;
  });
}

function objectTemplate(value: Readonly<Record<string, unknown>>): ValueTemplate | undefined {
  const entries = Object.entries(value).map(([key, item]) => ({
    key,
    item,
    keyTemplate: textTemplate(key, renderText),
    itemTemplate: innerTemplate(item),
  }));
  const templates = entries.flatMap(({ keyTemplate, itemTemplate }) => [keyTemplate, itemTemplate]);
  return combined(templates, async (each) => {
    const values: [string, unknown][] = [];
    for (const { key, item, keyTemplate, itemTemplate } of entries) {
      const name = keyTemplate === undefined ? key : String(await keyTemplate.render(each));
      values.push([name, itemTemplate === undefined ? item : await itemTemplate.render(each)]);
    }
    return Object.fromEntries(values);
  });
}

function combined(
  templates: readonly (ValueTemplate | undefined)[],
  render: ValueTemplate['render'],
): ValueTemplate | undefined {
  const present = templates.filter((template) => template !== undefined);
  if (present.length === 0) return undefined;
  const roots = [...new Set(present.flatMap((template) => template.roots))];
  const reads = present.flatMap((template) => template.reads);
  return { roots, reads, decrypts: present.some((template) => template.decrypts), render };
}
