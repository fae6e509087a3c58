import { builtinModules } from 'node:module';
import { packageOf } from '../imports.js';
import type { Rule } from '../rule.js';
import type { SourceFile, Tree } from '../tree.js';
import type { Manifest, WorkspacePackage } from '../workspace-package.js';

/** Tests may import what the root installs for all packages; running code may not. */
export const dependenciesAreDeclared: Rule = {
  title: 'a package declares what it imports',
  check(tree) {
    const shared = Object.keys((tree.json('package.json') as Manifest | undefined)?.devDependencies ?? {});
    return tree.sources.flatMap((file) => {
      const running = Object.keys({ ...file.package.manifest.dependencies, ...file.package.manifest.peerDependencies });
      const allowed = new Set(file.isTest ? [...shared, ...file.package.declared] : running);
      return file.imports.flatMap(({ specifier, line, typeOnly }) => {
        const name = packageOf(specifier);
        if (name === undefined || isBuiltIn(name) || name === file.package.name || allowed.has(name)) return [];
        if (typeOnly && isTypesPackage(name, shared)) return [];
        const list = file.isTest ? 'devDependencies' : 'dependencies';
        return [`${file.path}:${line}: ${name} is not in the ${list} of ${file.package.folder}/package.json`];
      });
    });
  },
};

export const dependenciesAreUsed: Rule = {
  title: 'a package imports what it declares',
  check: (tree) =>
    tree.packages.flatMap((owner) => {
      const files = tree.sources.filter((file) => file.package === owner);
      return files.length === 0 ? [] : unused(owner, files, tree);
    }),
};

function unused(owner: WorkspacePackage, files: readonly SourceFile[], tree: Tree): string[] {
  const { folder, manifest } = owner;
  const code = files.filter(({ isTest }) => !isTest);
  const place = `${folder}/package.json`;
  const distributed = owner.role === 'distribution' ? packagesOfDistribution(tree) : [];
  return [
    ...Object.keys(manifest.dependencies ?? {})
      .filter((name) => !mentions(code, name) && !distributed.includes(name) && !isPeer(name, manifest, tree))
      .map((name) => `${place}: ${name} is a dependency that no code imports`),
    ...Object.keys(manifest.devDependencies ?? {})
      .filter((name) => !mentions(files, name))
      .map((name) => `${place}: ${name} is a development dependency that nothing imports`),
  ];
}

interface DefaultConfiguration {
  readonly packages: readonly (string | { readonly package: string })[];
}

function packagesOfDistribution(tree: Tree): readonly string[] {
  const { packages = [] } = (tree.json('gantry/default-config.json') ?? {}) as Partial<DefaultConfiguration>;
  return packages.map((entry) => (typeof entry === 'string' ? entry : entry.package));
}

export const distributionInstallsItsPackages: Rule = {
  title: 'what the default configuration loads is installed with it',
  check: (tree) => {
    const installed = tree.packageNamed('gantry')?.manifest.dependencies ?? {};
    return packagesOfDistribution(tree)
      .filter((name) => installed[name] === undefined)
      .map((name) => `gantry/package.json: ${name} of default-config.json is not in the dependencies`);
  },
};

/**
 * A package that the loader opens is only named, in quotes, where the list of packages is. Types are used by importing
 * what they describe.
 */
const mentions = (files: readonly SourceFile[], name: string): boolean =>
  files.some(
    ({ imports, text }) =>
      imports.some(({ specifier }) => [name, describedBy(name)].includes(packageOf(specifier))) ||
      text.includes(`'${name}'`),
  );

/** `@types/koa__router` describes `@koa/router`. */
const describedBy = (name: string): string | undefined =>
  name.startsWith('@types/') ? name.slice('@types/'.length).replace(/^(.*)__/, '@$1/') : undefined;

/** Wanted by a dependency that leaves the choice of version to us. */
const isPeer = (name: string, manifest: Manifest, tree: Tree): boolean => {
  const lock = tree.json('package-lock.json') as { packages?: Record<string, Manifest> } | undefined;
  return Object.keys(manifest.dependencies ?? {}).some(
    (other) => lock?.packages?.[`node_modules/${other}`]?.peerDependencies?.[name] !== undefined,
  );
};

const isBuiltIn = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);

const isTypesPackage = (name: string, shared: readonly string[]): boolean =>
  shared.includes(`@types/${name.replace(/^@(.*)\//, '$1__')}`);
