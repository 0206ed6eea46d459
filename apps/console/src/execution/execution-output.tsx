import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import Anser from 'anser';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useOutputLines, type OutputLine } from './output-lines';
import { shownNumber } from '../locales/language';

/** What an execution prints, as it is printed, with the colours of a terminal. */
export function ExecutionOutput({ id }: { id: string }) {
  const { lines, isOpen } = useOutputLines(id);
  const [follows, setFollows] = useState(true);
  const [sought, setSought] = useState('');
  const found = useMemo(() => matching(lines, sought), [lines, sought]);
  if (lines.length === 0) return <Text c="dimmed">{isOpen ? t`No output yet.` : t`There is no output.`}</Text>;
  return (
    <>
      <Group mb="xs" gap="sm">
        <TextInput
          size="xs"
          data-page-search
          aria-label={t`Search the output`}
          placeholder={t`Lines that contain`}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
        <Checkbox
          size="xs"
          label={t`Follow`}
          checked={follows}
          onChange={(event) => setFollows(event.currentTarget.checked)}
        />
        <Text size="xs" c="dimmed" role="status">
          {isOpen ? t`${shownNumber(found.length)} lines, running` : t`${shownNumber(found.length)} lines`}
        </Text>
        <Button
          size="xs"
          variant="default"
          ml="auto"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => download(`${id}.log`, lines)}
        >
          <Trans>Download</Trans>
        </Button>
      </Group>
      <Lines lines={found} follows={follows} />
    </>
  );
}

function matching(lines: readonly OutputLine[], sought: string): readonly OutputLine[] {
  const lower = sought.toLowerCase();
  return lower === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(lower));
}

const LINE_HEIGHT = 20;

function Lines({ lines, follows }: { lines: readonly OutputLine[]; follows: boolean }) {
  const viewport = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    if (follows && lines.length > 0) list.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [follows, lines.length, list]);
  return (
    <div ref={viewport} className="output output-frame" role="region" aria-label={t`Output`} tabIndex={0}>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={list.measureElement}
            data-index={index}
            style={{ position: 'absolute', top: start, left: 0, right: 0, minHeight: LINE_HEIGHT }}
          >
            <Line line={lines[index]} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Line({ line }: { line: OutputLine | undefined }) {
  if (!line) return null;
  const parts = Anser.ansiToJson(line.text, { use_classes: true, remove_empty: true });
  return (
    <span className={line.isError ? 'ansi-red' : ''}>
      {parts.map(({ content, fg, decorations }, at) => (
        <span key={at} className={[fg, ...decorations.map((each) => `ansi-${each}`)].filter(Boolean).join(' ')}>
          {content}
        </span>
      ))}
    </span>
  );
}

function download(name: string, lines: readonly OutputLine[]): void {
  const url = URL.createObjectURL(new Blob([lines.map(({ text }) => `${text}\n`).join('')], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
