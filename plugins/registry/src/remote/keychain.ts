import type { RegistryCredentials } from '@gantry/engine-api/service';

/** Credentials by registry host. */
export type Keychain = ReadonlyMap<string, RegistryCredentials>;

/** Docker's clients keep the credentials of all hosts of Docker Hub under the first. */
const hubHosts: readonly string[] = ['index.docker.io', 'docker.io', 'registry-1.docker.io'];

/** The credentials for a registry: those given for exactly this host and port, and never those of another. */
export function keychainEntry(keychain: Keychain | undefined, registry: string): RegistryCredentials | undefined {
  const hosts = hubHosts.includes(registry) ? [registry, ...hubHosts] : [registry];
  return hosts.map((host) => keychain?.get(host)).find((credentials) => credentials !== undefined);
}
