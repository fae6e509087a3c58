import { type GitOptions, git } from './git.js';

/** Where code hosts look for workflows. */
const folders = ['.github/workflows', '.gitea/workflows', '.forgejo/workflows'] as const;

/** Tells whether the default branch of a repository holds a workflow: a YAML file in one of the folders for them. */
export async function hasWorkflows(repository: string, options: GitOptions = {}): Promise<boolean> {
  const head = await git(['-C', repository, 'for-each-ref', '--count=1', '--format=%(refname)'], options);
  if (head === '') return false;
  const listed = ['-C', repository, 'ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...folders];
  // A HEAD that names no branch, as of a repository whose branches have other names, has no files.
  const names = await git(listed, options).catch(() => '');
  return names.split('\0').some((name) => /\.ya?ml$/.test(name));
}
