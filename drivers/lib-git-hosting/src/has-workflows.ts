import { type GitOptions, git } from './git.js';

/** The directories of workflows on common code hosts. */
const folders = ['.github/workflows', '.gitea/workflows', '.forgejo/workflows'] as const;

/** Whether the default branch has a workflow: a YAML file in one of the directories for them. */
export async function hasWorkflows(repository: string, options: GitOptions): Promise<boolean> {
  const head = await git(['-C', repository, 'for-each-ref', '--count=1', '--format=%(refname)'], options);
  if (head === '') return false;
  const listed = ['-C', repository, 'ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...folders];
  // HEAD may name a branch that does not exist.
  const names = await git(listed, options).catch(() => '');
  return names.split('\0').some((name) => /\.ya?ml$/.test(name));
}
