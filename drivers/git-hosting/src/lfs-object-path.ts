import path from 'node:path';

/** The name of a large file's content: its SHA-256. */
export const isLfsOid = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Where a repository keeps the content of a large file. @param oid see `isLfsOid`. */
export const lfsObjectPath = (repository: string, oid: string): string =>
  path.join(repository, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
