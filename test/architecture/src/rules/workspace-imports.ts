import { posix } from 'node:path';
import { type Import, packageOf } from '../imports.js';
import type { SourceFile, Tree } from '../tree.js';
import type { WorkspacePackage } from '../workspace-package.js';
import { importRule } from './import-rule.js';

const target = ({ specifier }: Import, file: SourceFile, tree: Tree): WorkspacePackage | undefined => {
  const found = tree.packageNamed(packageOf(specifier));
  return found === file.package ? undefined : found;
};

/** The path a relative specifier leads to. */
const resolve = (specifier: string, file: SourceFile): string => posix.join(posix.dirname(file.path), specifier);

export const coreKnowsNoPackage = importRule('core imports no driver and no plugin', (found, file, tree) => {
  const imported = target(found, file, tree);
  return file.package.role === 'core' && !file.isTest && imported !== undefined
    ? `core stands below ${imported.name}: state what it needs as a contract`
    : undefined;
});

export const driversKnowNoPlugin = importRule('a driver knows neither plugins nor HTTP', (found, file, tree) => {
  if (!['driver', 'library'].includes(file.package.role) || file.isTest) return undefined;
  const imported = target(found, file, tree);
  if (imported?.role === 'plugin') return `requests go down, never up: a driver must not know ${imported.name}`;
  if (imported?.role === 'driver') return `a driver reaches ${imported.name} through its contract, not by import`;
  return found.specifier === '@gantry/core/http' ? 'a driver never knows HTTP' : undefined;
});

export const pluginsMeetAtServices = importRule(
  "a plugin reaches another plugin only through the other's service",
  (found, file, tree) => {
    const imported = target(found, file, tree);
    return file.package.role === 'plugin' &&
      !file.isTest &&
      imported?.role === 'plugin' &&
      found.specifier !== `${imported.name}/service`
      ? `import ${imported.name}/service instead`
      : undefined;
  },
);

export const pluginsKnowContractsOnly = importRule('a plugin knows contracts, not drivers', (found, file, tree) => {
  const imported = target(found, file, tree);
  return file.package.role === 'plugin' && !file.isTest && imported?.role === 'driver'
    ? `${imported.name} is behind a contract of @gantry/core/contracts: resolve the driver set`
    : undefined;
});

/** The implementations of kernel ports: `kernelMounts`, `SpawnLauncher` … */
const portImplementation = /^(kernel[A-Z]\w*|SpawnLauncher|eventLoopWatcher)$/;

export const kernelPortsAreInjected = importRule('kernel ports are injected by token', (found, file) => {
  if (file.isTest || file.package.role === 'test' || packageOf(found.specifier) !== '@gantry/lib-linux') {
    return undefined;
  }
  const name = found.names.find((imported) => portImplementation.test(imported));
  return name === undefined ? undefined : `inject the port by its token instead of importing ${name}`;
});

export const testCodeStaysInTests = importRule('test code is imported by tests only', (found, file, tree) => {
  if (file.isTest || file.package.role === 'test' || file.package.role === 'example') return undefined;
  const imported = target(found, file, tree);
  if (imported?.role === 'test') return `${imported.name} is for tests`;
  const path = resolve(found.specifier, file).replace(/\.js$/, '.ts');
  return tree.sources.some((other) => other.path === path && other.isTest) ? `${path} is for tests` : undefined;
});

export const packagesMeetByName = importRule(
  'a package is imported by its name, never by its path',
  ({ specifier }, file) =>
    specifier.startsWith('.') && !posix.join(posix.dirname(file.path), specifier).startsWith(`${file.package.folder}/`)
      ? `${specifier} leaves the package: use the export of the other one`
      : undefined,
);
