/** One line of a page for Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const COMMENT = /^# (HELP|TYPE) [a-zA-Z_:][\w:]* \S.*$/;
const SAMPLE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\})? ([+-]?(?:[\d.]+(?:e[+-]?\d+)?|Inf)|nan)$/i;

/** Reads a page in the text format, version 0.0.4. @throws Error for a line that does not belong there */
export function samplesOf(page: string): Sample[] {
  return page.split('\n').flatMap((line) => {
    if (line === '' || COMMENT.test(line)) return [];
    const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a line for Prometheus: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}
