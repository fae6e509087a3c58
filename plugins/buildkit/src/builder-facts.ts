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
  'gateway.solve.evaluate',
];

export const capabilities = frontendCapabilities.map((ID) => ({ ID, Enabled: true }));

export const worker = {
  ID: `gantry-${formatPlatform(host).replaceAll('/', '-')}`,
  Labels: { 'org.mobyproject.buildkit.worker.executor': 'gantry' },
  platforms: [{ Architecture: host.architecture, OS: host.os, Variant: host.variant ?? '' }],
};
