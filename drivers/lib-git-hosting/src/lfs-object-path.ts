import path from 'node:path';

/** Whether a text is the id of a large file's content: a SHA-256. */
export const isLfsOid = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The path of a large file's content in a repository. @param oid satisfies `isLfsOid`. */
export const lfsObjectPath = (repository: string, oid: string): string =>
  path.join(repository, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
