import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

export interface ChartSeries {
  readonly label: string;
  /** Names a colour of the theme. */
  readonly color: string;
  readonly values: readonly (number | null)[];
}

interface TimeChartProps {
  /** What the chart shows, in words. */
  readonly label: string;
  readonly kind: 'bars' | 'lines';
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Later series are drawn above earlier ones. */
  readonly series: readonly ChartSeries[];
  /** The user has selected a range of time, in seconds since 1970. */
  readonly onSelect?: (from: number, to: number) => void;
  /** In pixels. */
  readonly height?: number;
}

const HEIGHT = 170;

/** Values over time. A canvas says nothing to screen readers, so the label and the page have to say it. */
export function TimeChart({ label, kind, times, series, onSelect, height = HEIGHT }: TimeChartProps) {
  const { ref, width } = useElementSize();
  const chart = useRef<UPlot>(undefined);
  const select = useRef(onSelect);
  const isDark = useComputedColorScheme('light') === 'dark';
  const lines = series.map(({ label: name, color }) => [name, color]);
  const look = JSON.stringify([kind, lines, isDark, onSelect !== undefined]);
  const data = [times, ...series.map(({ values }) => values)] as unknown as UPlot.AlignedData;
  const latest = useRef(data);
  useEffect(() => {
    select.current = onSelect;
    latest.current = data;
    chart.current?.setData(data);
  });
  useEffect(() => {
    const place = ref.current as HTMLElement | null;
    if (!place || width === 0) return;
    const report = (from: number, to: number) => select.current?.(from, to);
    const made = new UPlot(optionsFor(look, { width, height }, report), latest.current, place);
    chart.current = made;
    return () => {
      chart.current = undefined;
      made.destroy();
    };
  }, [ref, width, height, look]);
  return <div ref={ref} role="img" aria-label={label} style={{ height, overflow: 'hidden' }} />;
}

type Look = [kind: TimeChartProps['kind'], series: [string, string][], isDark: boolean, isSelectable: boolean];

interface Size {
  readonly width: number;
  readonly height: number;
}

function optionsFor(look: string, size: Size, onSelect: (from: number, to: number) => void): UPlot.Options {
  const [kind, series, isDark, isSelectable] = JSON.parse(look) as Look;
  const axis = { stroke: isDark ? '#c9c9c9' : '#495057', grid: { stroke: isDark ? '#3b3b3b' : '#e9ecef', width: 1 } };
  const { bars } = UPlot.paths;
  return {
    ...size,
    legend: { show: false },
    cursor: { y: false, drag: { x: isSelectable, y: false, setScale: false } },
    scales: {
      // The last interval needs room, too.
      x: { range: ({ data: [times] }, least, most) => [least, most + (most - least) / Math.max(times.length - 1, 1)] },
      y: { range: (_, _least, most) => [0, Math.max(most, 1)] },
    },
    // Low charts have more than one label, too.
    axes: [axis, { ...axis, size: 46, space: 20 }],
    series: [
      {},
      ...series.map(([label, color]) => ({
        label,
        stroke: colorOf(color, isDark),
        ...(kind === 'bars' && bars
          ? { fill: colorOf(color, isDark), paths: bars({ size: [0.9], align: 1 }), width: 0 }
          : {}),
        points: { show: kind === 'lines' },
      })),
    ],
    hooks: {
      setSelect: [
        (chart) => {
          const { left, width: selected } = chart.select;
          if (selected === 0) return;
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onSelect(chart.posToVal(left, 'x'), chart.posToVal(left + selected, 'x'));
        },
      ],
    },
  };
}

const colorOf = (name: string, isDark: boolean): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--mantine-color-${name}-${isDark ? 5 : 7}`);
