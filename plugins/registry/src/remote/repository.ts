import { internal } from '@gantry/core/errors';
import type { RegistryConfig } from '../config.js';

/** A repository at its registry. */
export interface Repository {
  /** `host[:port]`. */
  readonly registry: string;
  /** As the registry knows it, such as `team/app`. */
  readonly path: string;
}

/** The registry a name begins with, and the rest; the registry undefined for the default one. */
export function splitRegistry(name: string): { readonly registry: string | undefined; readonly rest: string } {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === 'localhost';
  return isHost ? { registry: first, rest: name.slice(slash + 1) } : { registry: undefined, rest: name };
}

/** Where a repository is, by its name in the form people write. @throws EngineError `internal` without a registry. */
export function locate(name: string, config: Pick<RegistryConfig, 'defaultRegistry' | 'defaultNamespace'>): Repository {
  const { registry = config.defaultRegistry, rest } = splitRegistry(name);
  if (registry === undefined) throw noDefault(name);
  const isOfDefault = rest === name && !rest.includes('/');
  const { defaultNamespace } = config;
  return {
    registry,
    path: isOfDefault && defaultNamespace !== undefined ? `${defaultNamespace}/${rest}` : rest,
  };
}

export const noDefault = (name: string) =>
  internal(
    `${JSON.stringify(name)} names no registry, and this engine has no default one: write REGISTRY/${name}, or ` +
      'configure "defaultRegistry" of the plugin "registry"',
  );

export const pullScope = ({ path }: Repository): readonly string[] => [`repository:${path}:pull`];

export const pushScope = ({ path }: Repository): readonly string[] => [`repository:${path}:pull,push`];

/** The path of something of a repository. */
export const pathOf = ({ path }: Repository, what: string): string => `/v2/${path}/${what}`;
