import { KIB, assertWithin, excessFault, slices, type DataLimits } from '@switchyard/base';

/** Every value is a text in a list: `a=1` is `{"a": ["1"]}`, as the reference has it. */
export type FormFields = Record<string, string[]>;

const PIECE = 16 * KIB;

/**
 * Reads `application/x-www-form-urlencoded`, piece by piece, so that a large form does not hold up everybody else.
 * @throws Fault `data.limit`, `data.key`
 */
export async function parseForm(text: string, limits: DataLimits): Promise<FormFields> {
  const turn = slices();
  const { fields, addField } = formFields(limits);
  for (let from = 0; from < text.length;) {
    const next = text.indexOf('&', from + PIECE);
    const to = next < 0 ? text.length : next;
    // Only at its very beginning a form may have a question mark that does not count.
    const piece = from === 0 ? text.slice(0, to) : `&${text.slice(from, to)}`;
    for (const [name, value] of new URLSearchParams(piece)) {
      addField(name, value);
    }
    from = to + 1;
    await turn.next();
  }
  return fields;
}

/** Collects the fields of a form. One beyond a limit is refused before the rest is read. */
export function formFields(limits: DataLimits) {
  const { maxMembers } = limits;
  const fields: FormFields = {};
  let members = 0;
  const addField = (name: string, value: string): void => {
    assertWithin({ [name]: value }, limits);
    const known = Object.hasOwn(fields, name);
    // Its list, and the value in it.
    members += known ? 1 : 2;
    if (members > maxMembers) throw excessFault({ limit: 'maxMembers', allowed: maxMembers, path: '' });
    if (known) fields[name]?.push(value);
    // A plain assignment would do something else with `__proto__`.
    else Object.defineProperty(fields, name, { value: [value], enumerable: true, writable: true, configurable: true });
  };
  return { fields, addField };
}
