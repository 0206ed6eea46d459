const PERIOD_MS = 5;

/** For how long, at most, the event loop of this process did not get to a timer while something was under way. */
export async function longestHoldUp<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  let [last, ms] = [performance.now(), 0];
  const look = () => {
    const now = performance.now();
    ms = Math.max(ms, now - last - PERIOD_MS);
    last = now;
  };
  const timer = setInterval(look, PERIOD_MS);
  try {
    const result = await work();
    look();
    return { result, ms };
  } finally {
    clearInterval(timer);
  }
}

/** Expressions that take some hundred milliseconds at least, and what they come to. */
export const SLOW_YAQL =
  'range(0, 1000).select(let(a => $) -> range(0, 400).where(($ + 1) * 3 - $ * 2 - 3 + $ mod 1 = $a).len()).sum()';
export const SLOW_YAQL_VALUE = 400;
export const SLOW_TEMPLATE =
  '{% set text = "aaaab" * 2000 %}{% for i in range(2) %}{{ text | regex_replace("(a+)b", "c") | length }},{% endfor %}';
export const SLOW_TEMPLATE_VALUE = '2000,'.repeat(2);
