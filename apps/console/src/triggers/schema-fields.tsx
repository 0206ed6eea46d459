import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { alternativesText } from '../locales/language';
import { Table, Text } from '@mantine/core';

/** The part of a JSON Schema that is shown. */
interface ShownSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: ShownSchema;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  /** Names in JSON Schema; a flag of one property in its draft 3, which packs use. */
  readonly required?: readonly string[] | boolean;
}

interface SchemaFieldsProps {
  readonly schema: object | undefined;
  /** Shown for a schema without properties. */
  readonly none: string;
}

/** The properties of a schema as a table. */
export function SchemaFields({ schema = {}, none }: SchemaFieldsProps) {
  const { properties = {}, required } = schema as ShownSchema;
  const fields = Object.entries(properties);
  if (fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  const isRequired = (name: string, field: ShownSchema) =>
    field.required === true || (Array.isArray(required) && required.includes(name));
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            <Trans>Name</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>Type</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>Description</Trans>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map(([name, field]) => (
          <Table.Tr key={name}>
            <Table.Td>
              {name}
              {isRequired(name, field) && (
                <Text size="xs" c="dimmed">
                  <Trans>required</Trans>
                </Text>
              )}
            </Table.Td>
            <Table.Td>{typeInWords(field)}</Table.Td>
            <Table.Td style={{ overflowWrap: 'break-word' }}>{field.description}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** `string`, `array of integer`, `object with a, b`, `one of red, green` */
function typeInWords({ type, enum: choices, items, properties }: ShownSchema): string {
  if (choices) return t`one of ${choices.map(String).join(', ')}`;
  const name = alternativesText([type ?? t`any`].flat());
  if (items?.type !== undefined) return t`${name} of ${typeInWords(items)}`;
  return properties ? t`${name} with ${Object.keys(properties).join(', ')}` : name;
}
