import { t } from '@lingui/core/macro';
import { FilterChoice, FilterTime } from '../shared/filters';
import { usePageState } from '../shared/use-page-state';
import { DAY_SECONDS, RANGES } from './filter-of';

const BETWEEN = 'between';

const CHOICES = [
  ...Object.entries(RANGES).map(([value, { label }]) => ({ value, label })),
  { value: BETWEEN, label: t`Between times` },
];

/** A range that ends now, or two times. */
export function TimeRangeFilter() {
  const [state, change] = usePageState();
  const [since, from, to] = [state.get('since'), state.get('from'), state.get('to')];
  const isBetween = from !== null || to !== null;
  const choose = (choice: string | null) => {
    if (choice !== BETWEEN) return change({ since: choice, from: null, to: null });
    const nowMs = Date.now();
    const seconds = RANGES[since ?? '']?.seconds ?? DAY_SECONDS;
    change({ since: null, from: timeText(nowMs / 1000 - seconds), to: timeText(nowMs / 1000) });
  };
  return (
    <>
      <FilterChoice label={t`Time range`} choices={CHOICES} value={isBetween ? BETWEEN : since} onChange={choose} />
      {isBetween && (
        <>
          <FilterTime label={t`From`} value={from} onChange={(time) => change({ from: time })} />
          <FilterTime label={t`To`} value={to} onChange={(time) => change({ to: time })} />
        </>
      )}
    </>
  );
}

/** The second in ISO 8601. */
export const timeText = (seconds: number): string => new Date(Math.round(seconds) * 1000).toISOString();
