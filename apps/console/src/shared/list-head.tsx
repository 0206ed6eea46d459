import { Group, Text, Title } from '@mantine/core';

interface ListHeadProps {
  readonly title: string;
  /** How much there is, such as "3 of 12". */
  readonly count: string | undefined;
}

/** The title of a page with a list. */
export const ListHead = ({ title, count }: ListHeadProps) => (
  <Group justify="space-between" mb="sm">
    <Title order={1}>{title}</Title>
    <Text c="dimmed" size="sm" role="status">
      {count}
    </Text>
  </Group>
);
