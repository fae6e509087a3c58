/** A record as drivers keep it: the shape's version, the times, and the value as JSON has it. */
export interface EncodedRecord {
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly value: unknown;
}

/** The names of the fields are short because every record has them. */
export const encodeRecord = ({ version, createdAt, updatedAt, value }: EncodedRecord): string =>
  JSON.stringify({ v: version, c: createdAt, u: updatedAt, d: value });

/** @throws Error when the text is not an encoded record. */
export function decodeRecord(text: string): EncodedRecord {
  const { v: version, c: createdAt, u: updatedAt, d: value } = JSON.parse(text) as Record<string, unknown>;
  if (typeof version !== 'number' || typeof createdAt !== 'string' || typeof updatedAt !== 'string') {
    throw new Error('the record has no version or no times');
  }
  return { version, createdAt, updatedAt, value };
}
