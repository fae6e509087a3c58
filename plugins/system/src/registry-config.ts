import type { ImageSourceSettings } from '@gantry/images/service';

const isNetwork = (entry: string): boolean => entry.includes('/');
const hubHosts: readonly string[] = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];

/** The address under which clients keep their credentials for names without a registry; empty without a default one. */
export function indexServerAddress({ defaultRegistry }: Partial<ImageSourceSettings> = {}): string {
  if (defaultRegistry === undefined) return '';
  return `https://${hubHosts.includes(defaultRegistry) ? hubHosts[1] : defaultRegistry}/v1/`;
}

/** Spec: info record, RegistryConfig. */
export function toRegistryConfig(settings: ImageSourceSettings = { mirrors: {}, insecureRegistries: [] }) {
  const { defaultRegistry, mirrors, insecureRegistries } = settings;
  const insecure = insecureRegistries.filter((entry) => !isNetwork(entry));
  const names = new Set([
    ...(defaultRegistry === undefined ? [] : [defaultRegistry]),
    ...Object.keys(mirrors),
    ...insecure,
  ]);
  const configOf = (name: string) => ({
    Name: name,
    Mirrors: mirrors[name] ?? [],
    Secure: !insecure.includes(name),
    Official: name === defaultRegistry,
  });
  return {
    IndexConfigs: Object.fromEntries([...names].map((name) => [name, configOf(name)])),
    InsecureRegistryCIDRs: ['127.0.0.0/8', '::1/128', ...insecureRegistries.filter(isNetwork)],
    Mirrors: mirrors[defaultRegistry ?? ''] ?? [],
  };
}
