import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { hostArchitecture } from './host-architecture.js';

/** What an image is for. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  /** Such as `v7` of `arm`; undefined for the usual one. */
  readonly variant?: string;
}

const aliases: Readonly<Record<string, string>> = { x86_64: 'amd64', 'x86-64': 'amd64', aarch64: 'arm64', i386: '386' };

/** As `GOARCH` has them. */
const architectures = new Set(
  '386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm'.split(' '),
);

const systems = new Set(['linux', 'windows', 'darwin', 'freebsd']);

/**
 * Reads `os`, `architecture`, `os/architecture` or `os/architecture/variant`; undefined for an empty text.
 * @throws EngineError `invalid-argument` naming the option, `not-implemented` for another system than Linux.
 */
export function parsePlatform(option: string, text: string): Platform | undefined {
  if (text === '') return undefined;
  const parts = text.toLowerCase().split('/');
  if (parts.length > 3 || !parts.every((part) => /^[a-z0-9_.-]+$/.test(part))) {
    throw invalidArgument(`${option}: "${text}" is not a platform such as linux/amd64 or linux/arm/v7`);
  }
  const [first = '', second, variant] = parts;
  const isSystem = second !== undefined || systems.has(first);
  const os = isSystem ? first : 'linux';
  const named = isSystem ? (second ?? hostArchitecture()) : first;
  const architecture = aliases[named] ?? named;
  if (!isSystem && !architectures.has(architecture)) {
    throw invalidArgument(`${option}: "${text}" is neither an operating system nor an architecture`);
  }
  if (os !== 'linux')
    throw notImplemented(`${option}: operating system "${os}" is not supported: images are for linux`);
  return { os, architecture, ...usualVariant(architecture, variant) };
}

/** The variant unless it is the one that an architecture has when none is named. */
export function usualVariant(architecture: string, variant = ''): Pick<Platform, 'variant'> {
  const isUsual = variant === '' || (architecture === 'arm64' && variant === 'v8');
  return isUsual ? {} : { variant };
}

/** Whether something made for one platform is what was asked for. */
export const isForPlatform = (made: Platform, wanted: Platform): boolean =>
  made.os === wanted.os &&
  made.architecture === wanted.architecture &&
  (wanted.variant === undefined || usualVariant(made.architecture, made.variant).variant === wanted.variant);

export const formatPlatform = ({ os, architecture, variant }: Platform): string =>
  [os, architecture, ...(variant === undefined ? [] : [variant])].join('/');
