const pageSize = 4096;
const headerSize = 16;

/** A file of the embedded database bbolt with one bucket, as Docker's. */
export function boltFile(bucket: string, values: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
  const leaf = leafPage(
    4n,
    entries.map(([key, value]) => ({ key, value, flags: 0 })),
  );
  const place = Buffer.alloc(16);
  place.writeBigUInt64LE(4n, 0);
  const root = leafPage(3n, [{ key: bucket, value: place, flags: 1 }]);
  const freeList = Buffer.alloc(pageSize);
  freeList.writeBigUInt64LE(2n, 0);
  freeList.writeUInt16LE(0x10, 8);
  return Buffer.concat([metaPage(0n), metaPage(1n), freeList, root, leaf]);
}

function metaPage(id: bigint): Buffer {
  const page = Buffer.alloc(pageSize);
  page.writeBigUInt64LE(id, 0);
  page.writeUInt16LE(0x04, 8);
  const meta = page.subarray(headerSize);
  meta.writeUInt32LE(0xed0cdaed, 0);
  meta.writeUInt32LE(2, 4);
  meta.writeUInt32LE(pageSize, 8);
  meta.writeBigUInt64LE(3n, 16);
  meta.writeBigUInt64LE(2n, 32);
  meta.writeBigUInt64LE(5n, 40);
  meta.writeBigUInt64LE(id, 48);
  let sum = 0xcbf29ce484222325n;
  for (const byte of meta.subarray(0, 56)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  meta.writeBigUInt64LE(sum, 56);
  return page;
}

function leafPage(
  id: bigint,
  elements: readonly { readonly key: string; readonly value: Buffer; readonly flags: number }[],
): Buffer {
  const data = elements.reduce((size, { key, value }) => size + 16 + Buffer.byteLength(key) + value.length, headerSize);
  const page = Buffer.alloc(Math.ceil(data / pageSize) * pageSize);
  page.writeBigUInt64LE(id, 0);
  page.writeUInt16LE(0x02, 8);
  page.writeUInt16LE(elements.length, 10);
  page.writeUInt32LE(page.length / pageSize - 1, 12);
  let at = headerSize + 16 * elements.length;
  for (const [index, { key, value, flags }] of elements.entries()) {
    const head = headerSize + 16 * index;
    page.writeUInt32LE(flags, head);
    page.writeUInt32LE(at - head, head + 4);
    page.writeUInt32LE(Buffer.byteLength(key), head + 8);
    page.writeUInt32LE(value.length, head + 12);
    at += page.write(key, at);
    at += value.copy(page, at);
  }
  return page;
}
