import type { RepositoryOptions } from '../conversion-context.js';
import { Git } from '../git/git.js';
import { Workshop } from '../tools/workshop.js';

/** git for repositories of this host, for the length of some work. */
export async function withGit<T>(
  { scratch, launcher, signal }: RepositoryOptions,
  work: (git: Git, workshop: Workshop) => Promise<T>,
): Promise<T> {
  // What is done here waits for nobody: silence means work.
  const options = { stallSeconds: 24 * 3600, ...(launcher && { launcher }), ...(signal && { signal }) };
  const workshop = await Workshop.open({ scratch, ...options });
  try {
    return await work(await Git.open(workshop, { allowLocalFiles: true }), workshop);
  } finally {
    await workshop.close();
  }
}
