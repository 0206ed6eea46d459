import { useEffect, useState } from 'react';
import { readEvents } from '../api/events';

export interface OutputLine {
  readonly text: string;
  readonly isError: boolean;
}

interface OutputChunk {
  readonly data?: string;
  readonly output_type?: string;
}

/** How often new lines are displayed. */
const SHOW_MS = 150;

/**
 * The output of an execution as lines: first what exists, then what follows while it runs. The server sends the output
 * from its beginning when the stream was interrupted, so the lines are replaced.
 */
export function useOutputLines(id: string): { lines: readonly OutputLine[]; isOpen: boolean } {
  const [shown, setShown] = useState<{ lines: readonly OutputLine[]; isOpen: boolean }>({ lines: [], isOpen: true });
  useEffect(() => {
    let collector = createLineCollector();
    let changed = true;
    const close = readEvents({
      address: `/stream/v1/executions/${encodeURIComponent(id)}/output`,
      onOpen() {
        collector = createLineCollector();
      },
      onEvent({ data }) {
        const chunk = data as OutputChunk;
        if (typeof chunk?.data !== 'string') return;
        collector.add(chunk.data, chunk.output_type === 'stderr');
        changed = true;
      },
      onEnd() {
        setShown({ lines: collector.lines(), isOpen: false });
        changed = false;
      },
    });
    const timer = setInterval(() => {
      if (!changed) return;
      changed = false;
      setShown((before) => ({ ...before, lines: collector.lines() }));
    }, SHOW_MS);
    return () => {
      close();
      clearInterval(timer);
    };
  }, [id]);
  return shown;
}

/** Joins chunks into lines. A line may arrive in several chunks; lines of stdout and stderr are kept apart. */
export function createLineCollector() {
  const done: OutputLine[] = [];
  const open = { error: '', output: '' };
  return {
    add(text: string, isError: boolean): void {
      const stream = isError ? 'error' : 'output';
      const parts = (open[stream] + text).split('\n');
      open[stream] = parts.pop() ?? '';
      for (const part of parts) done.push({ text: part.replace(/\r$/, ''), isError });
    },
    lines: (): OutputLine[] => [
      ...done,
      ...(open.output === '' ? [] : [{ text: open.output, isError: false }]),
      ...(open.error === '' ? [] : [{ text: open.error, isError: true }]),
    ],
  };
}
