import { access } from 'node:fs/promises';

/** Whether a file or directory is at a path; false also where this process may not look. Follows links. */
export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
