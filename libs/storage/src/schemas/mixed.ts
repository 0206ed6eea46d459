import { Schema } from 'mongoose';

/** The fields of a schema by how they are stored. Shapes in depth are checked before records get here. */
export const text = { type: String } as const;
export const textNeeded = { type: String, required: true } as const;
export const flag = { type: Boolean } as const;
export const integer = { type: Number } as const;
export const date = { type: Date } as const;
export const anything = { type: Schema.Types.Mixed } as const;
export const texts = { type: [String], default: undefined } as const;

/** What every record has that comes out of a pack, or belongs to one. */
export const packContent = {
  ref: textNeeded,
  uid: textNeeded,
  name: textNeeded,
  pack: textNeeded,
  description: text,
  metadata_file: text,
} as const;

/** A schema of plain records: own string ids, no version key, nothing dropped, unknown fields refused. */
export const recordSchema = (fields: Record<string, unknown>): Schema =>
  new Schema(
    { _id: textNeeded, ...fields },
    {
      versionKey: false,
      minimize: false,
      strict: 'throw',
      autoIndex: false,
      autoCreate: false,
    },
  );
