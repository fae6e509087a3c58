import type { SubversionLayout } from './layout.js';

/** The repository svn-all-fast-export makes in its working directory. */
export const exportedName = 'converted';

/** What a branch may be called in Subversion and not in Git. */
const substitutions = ['s/[ ~^:?*\\[\\\\]/-/', 's/\\.\\./-/', 's/@\\{/-/', 's/\\.lock$/-lock/', 's/\\.$/-/'].map(
  (substitution) => `  substitute branch ${substitution}\n`,
);

/** Which folder becomes which branch or tag, as svn-all-fast-export is told. The first rule that matches a path counts. */
export function exportRules({ folder, standard }: SubversionLayout): string {
  const base = folder === '' ? '/' : `/${escaped(folder)}/`;
  const rule = (pattern: string, ...lines: readonly string[]): string =>
    `match ${pattern}\n${lines.map((line) => `  ${line}\n`).join('')}end match\n\n`;
  const branch = (pattern: string, name: string): string =>
    rule(pattern, `repository ${exportedName}`, `branch ${name}`);
  const named = (parent: string, prefix: string): string =>
    `match ${base}${escaped(parent)}/([^/]+)/\n  repository ${exportedName}\n  branch ${prefix}\\1\n${substitutions.join('')}end match\n\n`;
  const begin = `create repository ${exportedName}\nend repository\n\n`;
  // A folder above all branches says nothing itself, but may be a copy, with branches in it.
  const above = parentsOf(folder).map((parent) => rule(`${parent}$`, 'action recurse'));
  const rest = rule('/');
  if (standard === undefined) return [begin, branch(base, 'master'), ...above, rest].join('');
  const { trunk, branches, tags } = standard;
  return [
    begin,
    branch(`${base}${escaped(trunk)}/`, 'master'),
    // The trunk has that name already.
    branch(`${base}${escaped(branches)}/master/`, 'branches-master'),
    named(branches, ''),
    named(tags, 'refs/tags/'),
    rule(`${base}((${escaped(branches)}|${escaped(tags)})/)?$`, 'action recurse'),
    ...above,
    rest,
  ].join('');
}

/** Of `a/b`: `/` and `/a/`, as patterns. */
function parentsOf(folder: string): readonly string[] {
  const names = folder === '' ? [] : folder.split('/');
  return names.map((_name, index) => ['', ...names.slice(0, index).map(escaped), ''].join('/'));
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#]/g, '\\$&');
