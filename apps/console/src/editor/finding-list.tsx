import { plural, t } from '@lingui/core/macro';
import { Alert, Badge, Box, Group, Text, UnstyledButton } from '@mantine/core';
import type { CheckedText, ShownFinding } from './definition-checks';

interface FindingListProps {
  readonly checked: CheckedText | undefined;
  readonly error: Error | null;
  /** Called with the finding to show in the text. */
  readonly onSelect: (finding: ShownFinding) => void;
}

/** All findings by their place. */
export function FindingList({ checked, error, onSelect }: FindingListProps) {
  return (
    <Box component="section" aria-label={t`Findings`}>
      {error && (
        <Alert color="orange" title={t`The definition was not checked`}>
          {error.message}
        </Alert>
      )}
      <Text size="sm" c="dimmed" role="status">
        {summaryOf(checked)}
      </Text>
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {checked?.findings.map((finding, index) => (
          <li key={index}>
            <UnstyledButton onClick={() => onSelect(finding)} py={4} w="100%">
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Badge variant="default" tt="none" style={{ flexShrink: 0 }}>
                  {finding.line === undefined ? finding.type : t`line ${finding.line}`}
                </Badge>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {finding.message}
                  {finding.isError ? '' : ` ${t`You can save the workflow, but it cannot run yet.`}`}
                </Text>
              </Group>
            </UnstyledButton>
          </li>
        ))}
      </Box>
    </Box>
  );
}

function summaryOf(checked: CheckedText | undefined): string {
  if (!checked) return t`The definition is being checked.`;
  const { length } = checked.findings;
  return length === 0
    ? t`The inspection found no problems.`
    : plural(length, { one: '# finding', other: '# findings' });
}
