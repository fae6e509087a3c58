import { invalidArgument } from '@gantry/core/errors';
import type { RepositorySource } from '@gantry/lib-archive/repository';

export interface GitSource extends RepositorySource {
  /** Subdirectory of the repository, empty for all of it. */
  readonly directory: string;
}

/** `https://host/x.git#ref:dir`, `git://...`, `github.com/...`, `git@host:x`; undefined for other URLs. */
export function parseGitUrl(text: string): GitSource | undefined {
  const isGit = /^(?:git:\/\/|github\.com\/|git@)/.test(text) || /^https?:\/\/.*\.git(?:#.*)?$/.test(text);
  if (!isGit) return undefined;
  const [location = '', fragment = ''] = text.split('#', 2);
  const colon = fragment.indexOf(':');
  const reference = colon < 0 ? fragment : fragment.slice(0, colon);
  const directory = colon < 0 ? '' : fragment.slice(colon + 1);
  if (reference.startsWith('-')) throw invalidArgument(`remote: "${reference}" is no branch, tag or commit`);
  return { url: location.startsWith('github.com/') ? `https://${location}` : location, reference, directory };
}
