import type { SubversionLayout } from './subversion-layout.js';

/** The repository that svn-all-fast-export creates in its working directory. */
export const exportedName = 'converted';

/** Replaces what Git does not allow in names of branches. */
const substitutions = ['s/[ ~^:?*\\[\\\\]/-/', 's/\\.\\./-/', 's/@\\{/-/', 's/\\.lock$/-lock/', 's/\\.$/-/'].map(
  (substitution) => `  substitute branch ${substitution}\n`,
);

/** The rules of svn-all-fast-export that map folders to branches and tags. The first matching rule applies. */
export function exportRules({ folder, standard }: SubversionLayout): string {
  const base = folder === '' ? '/' : `/${escaped(folder)}/`;
  const rule = (pattern: string, ...lines: readonly string[]): string =>
    `match ${pattern}\n${lines.map((line) => `  ${line}\n`).join('')}end match\n\n`;
  const branch = (pattern: string, name: string): string =>
    rule(pattern, `repository ${exportedName}`, `branch ${name}`);
  const named = (parent: string, prefix: string): string =>
    `match ${base}${escaped(parent)}/([^/]+)/\n  repository ${exportedName}\n  branch ${prefix}\\1\n${substitutions.join('')}end match\n\n`;
  const begin = `create repository ${exportedName}\nend repository\n\n`;
  // A folder above the branches is no branch itself, but may be a copy that contains branches.
  const above = parentsOf(folder).map((parent) => rule(`${parent}$`, 'action recurse'));
  const ignored = rule('/');
  if (standard === undefined) return [begin, branch(base, 'master'), ...above, ignored].join('');
  const { trunk, branches, tags } = standard;
  return [
    begin,
    branch(`${base}${escaped(trunk)}/`, 'master'),
    // The trunk's branch has that name.
    branch(`${base}${escaped(branches)}/master/`, 'branches-master'),
    named(branches, ''),
    named(tags, 'refs/tags/'),
    rule(`${base}((${escaped(branches)}|${escaped(tags)})/)?$`, 'action recurse'),
    ...above,
    ignored,
  ].join('');
}

/** For `a/b`: `/` and `/a/`, as patterns. */
function parentsOf(folder: string): readonly string[] {
  const names = folder === '' ? [] : folder.split('/');
  return names.map((_name, index) => ['', ...names.slice(0, index).map(escaped), ''].join('/'));
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#]/g, '\\$&');
