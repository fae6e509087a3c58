import { formatPlatform, type Platform, parsePlatform } from '@gantry/images/service';

const host = parsePlatform('platform', 'linux') as Platform;

/** What this builder can do of what clients ask before they use it; see `util/apicaps` in BuildKit. */
const frontendCapabilities = [
  'solve.base',
  'return',
  'returnmap',
  'proto.refarray',
  'importcaches',
  'frontend.caps',
  'gateway.solve.metadata',
  'gateway.evaluate',
  'reference.output',
  'gateway.solve.evaluate',
];

export const capabilities = frontendCapabilities.map((ID) => ({ ID, Enabled: true }));

/** Whose protocol is spoken. buildx goes by the version of the engine instead. */
export const buildkitVersion = { package: '@gantry/buildkit', version: 'v0.17.0', revision: '' };

export const worker = {
  ID: `gantry-${formatPlatform(host).replaceAll('/', '-')}`,
  Labels: {
    'org.mobyproject.buildkit.worker.executor': 'gantry',
    // By this label buildx knows that the engine itself exports archives and caches, and pushes.
    'org.mobyproject.buildkit.worker.snapshotter': 'gantry',
  },
  BuildkitVersion: buildkitVersion,
  platforms: [{ Architecture: host.architecture, OS: host.os, Variant: host.variant ?? '' }],
};
