import { badValue, unsupported } from '../errors';
import { collect, everything, matchingRecords, type RecordSource } from '../planner/matching';
import { parseQuery } from '../query/parse-filter';
import { parseSort } from '../query/sort';
import { copyDocument } from '../values/copy';
import { isDocument, type Document } from '../values/document';
import { toStored } from '../values/to-stored';
import { Cursor } from './cursor';
import { mingo } from '../query/mingo';

const stages = new Set([
  ...['$addFields', '$bucket', '$bucketAuto', '$count', '$facet', '$group', '$limit', '$lookup', '$match', '$project'],
  ...[
    '$redact',
    '$replaceRoot',
    '$replaceWith',
    '$sample',
    '$set',
    '$setWindowFields',
    '$skip',
    '$sort',
    '$sortByCount',
  ],
  ...['$unionWith', '$unset', '$unwind', '$graphLookup', '$densify', '$fill'],
]);

/** The cursor of `aggregate`: the first stages use an index if possible, and mingo does the rest. */
export class AggregationCursor extends Cursor {
  constructor(
    private readonly open: (collection?: string) => RecordSource,
    private readonly pipeline: readonly Document[],
    private readonly variables?: Document,
  ) {
    super();
    if (!Array.isArray(pipeline)) throw badValue('a pipeline must be an array');
    for (const stage of pipeline) refuseStage(stage);
  }

  protected override async *results(): AsyncGenerator<Document, void, undefined> {
    const { selection, rest } = splitPipeline(this.pipeline.map((stage) => toStored(stage) as Document));
    const documents = await collect(matchingRecords(this.open(), selection), ({ document }) => copyDocument(document));
    if (rest.length === 0) return yield* documents;
    const aggregator = new (mingo().Aggregator)(rest, {
      scriptEnabled: false,
      collectionResolver: (name) => Array.from(everything(this.open(name)), ({ document }) => copyDocument(document)),
      ...(this.variables ? { variables: this.variables } : {}),
    });
    yield* aggregator.run<Document>(documents);
  }
}

function refuseStage(stage: unknown): void {
  const names = isDocument(stage) ? Object.keys(stage) : [];
  const [name] = names;
  if (name === undefined || names.length !== 1)
    throw badValue('A pipeline stage specification object must contain exactly one field.');
  if (!stages.has(name)) throw unsupported(`the aggregation stage "${name}"`);
}

/** Splits off the leading `$match`, `$sort`, `$skip` and `$limit`, in that order, from a pipeline. */
function splitPipeline(pipeline: readonly Document[]) {
  const rest = [...pipeline];
  const take = (name: string): unknown => (rest[0] && name in rest[0] ? rest.shift()?.[name] : undefined);
  const matches: unknown[] = [];
  for (let match = take('$match'); match !== undefined; match = take('$match')) matches.push(match);
  const sort = take('$sort');
  const skip = take('$skip');
  const limit = take('$limit');
  const selection = {
    filter: parseQuery(matches.length === 0 ? {} : { $and: matches }),
    sort: parseSort(sort),
    skip: typeof skip === 'number' ? skip : 0,
    limit: typeof limit === 'number' ? limit : undefined,
  };
  return { selection, rest };
}
