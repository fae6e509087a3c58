const prefix = '/gantry/';
const records = `${prefix}records/`;
const names = `${prefix}names/`;

/** The first key after all that begin with a text. */
const endOf = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) + 1;
  return bytes;
};

/** Everything this driver keeps in etcd. */
export const everything = { key: Buffer.from(prefix), rangeEnd: endOf(prefix) };
export const allRecords = { key: Buffer.from(records), rangeEnd: endOf(records) };

/** The epoch of the present leader. */
export const epochKey = Buffer.from(`${prefix}epoch`);

export const recordKey = (kind: string, id: string): Buffer => Buffer.from(`${records}${kind}/${id}`);
export const nameKey = (kind: string, name: string): Buffer => Buffer.from(`${names}${kind}/${name}`);

/** The record that a key is of; undefined for other keys. */
export function parseRecordKey(key: Buffer): { readonly kind: string; readonly id: string } | undefined {
  const text = key.toString();
  if (!text.startsWith(records)) return undefined;
  const cut = text.indexOf('/', records.length);
  return { kind: text.slice(records.length, cut), id: text.slice(cut + 1) };
}
