/** One line of a page for Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const COMMENT = /^# (HELP|TYPE) [a-zA-Z_:][\w:]* \S.*$/;
const SAMPLE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\})? ([+-]?(?:[\d.]+(?:e[+-]?\d+)?|Inf)|nan)$/i;

/** Parses a page in the text format, version 0.0.4. @throws Error for an invalid line */
export function samplesOf(page: string): Sample[] {
  return page.split('\n').flatMap((line) => {
    if (line === '' || COMMENT.test(line)) return [];
    const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`invalid Prometheus line: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}
