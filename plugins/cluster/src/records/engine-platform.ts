import { arch } from 'node:os';
import type { NodeDescription } from './node-kind.js';

/** Of this engine, as its node describes itself. */
export const enginePlatform: NodeDescription['Platform'] = {
  Architecture: { x64: 'x86_64', arm64: 'aarch64' }[arch() as string] ?? arch(),
  OS: 'linux',
};
