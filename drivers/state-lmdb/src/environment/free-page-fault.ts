/**
 * Checks that the pages one record of the free list names are in the file and not in use: LMDB would overwrite them.
 * A list is a count, then page numbers; a negative number is a length, and the next number a run's start.
 */
export function freePageFault(list: Buffer, used: Uint8Array): string | undefined {
  const count = list.length < 8 ? -1 : Number(list.readBigInt64LE(0));
  if (count < 0 || (count + 1) * 8 > list.length) return 'a list of free pages has an impossible length';
  for (let index = 1; index <= count; index++) {
    const entry = Number(list.readBigInt64LE(index * 8));
    if (entry === 0) continue;
    const length = entry < 0 ? -entry : 1;
    if (entry < 0) index++;
    if (index > count) return 'a list of free pages ends in the middle of a run';
    const first = Number(list.readBigInt64LE(index * 8));
    if (first < 2 || first + length > used.length) return `free page ${first} is not in the file`;
    for (let page = first; page < first + length; page++) {
      if (used[page] !== 0) return `page ${page} is free and in use`;
      used[page] = 2;
    }
  }
  return undefined;
}
