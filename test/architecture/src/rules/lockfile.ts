import type { Rule } from '../rule.js';
import type { Tree } from '../tree.js';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const locked = (tree: Tree): Readonly<Record<string, Locked>> =>
  (tree.json('package-lock.json') as { packages?: Record<string, Locked> } | undefined)?.packages ?? {};

export const lockfileNamesNoRegistry: Rule = {
  title: 'the lockfile names no registry',
  check: (tree) =>
    Object.entries(locked(tree))
      .filter(([, { resolved }]) => /^\w+:\/\//.test(resolved ?? ''))
      .map(
        ([path]) => `package-lock.json: ${path} is bound to one registry: omit-lockfile-registry-resolved in .npmrc`,
      ),
};

/**
 * npm leaves out what a mirror does not have, and `npm ci` then refuses the lockfile; except below a package that is
 * optional as a whole.
 */
export const lockfileIsComplete: Rule = {
  title: 'the lockfile has an entry for every optional package',
  check: (tree) => {
    const packages = locked(tree);
    return Object.entries(packages).flatMap(([path, { optional, optionalDependencies }]) =>
      Object.keys((!optional && optionalDependencies) || {})
        .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
        .map((name) => `package-lock.json: ${path} wants ${name}, which has no entry: npm ci will refuse the file`),
    );
  },
};
