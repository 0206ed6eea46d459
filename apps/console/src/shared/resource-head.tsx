import { Anchor, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface ResourceHeadProps {
  /** The page that lists resources of this kind. */
  readonly list: { readonly path: string; readonly label: string };
  /** Where it belongs: its pack, or its version. */
  readonly within: string | undefined;
  readonly name: string;
  readonly description: string | undefined;
  /** Controls beside the name. */
  readonly children?: ReactNode;
}

/** The head of the page of one resource: the way back to the list, its name and description. */
export const ResourceHead = ({ list, within, name, description, children }: ResourceHeadProps) => (
  <>
    <Breadcrumbs mb="xs">
      <Anchor component={Link} to={list.path} size="sm">
        {list.label}
      </Anchor>
      <Text size="sm">{within}</Text>
    </Breadcrumbs>
    <Group gap="sm">
      <Title order={1} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      {children}
    </Group>
    {description && <Text c="dimmed">{description}</Text>}
  </>
);
