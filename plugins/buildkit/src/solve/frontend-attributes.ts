import type { BuildRequest, StepLimits } from '@gantry/build/service';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { formatPlatform, type Platform, parsePlatform } from '@gantry/images/service';
import type { Attributes } from '../protocol/messages.js';

/** What a client asks of the frontend `dockerfile.v0`. */
export interface FrontendAttributes {
  /** Name of the build file in its directory. */
  readonly fileName: string;
  /** Names of the client's directories with the build file and the context. */
  readonly fileDirectory: string;
  readonly contextDirectory: string;
  /** Sessions to read a directory from, where it is not that of the build. */
  readonly sessions: ReadonlyMap<string, string>;
  /** A Git repository, or the URL of an archive, that is the context instead; else empty. */
  readonly remoteContext: string;
  /** The build file is in the client's directory although the context is not. */
  readonly hasOwnBuildFile: boolean;
  /** Further contexts by their names, as URLs. */
  readonly contexts: Readonly<Record<string, string>>;
  /** What `# check=` in the build file says, in its place. */
  readonly check: string | undefined;
  readonly request: Omit<
    BuildRequest,
    'credentials' | 'cacheFrom' | 'cacheImports' | 'namedContexts' | 'readSecret' | 'findAgent' | 'allowsHostNetwork'
  >;
}

/** Attributes that change neither image nor steps: capabilities of the client, and facts for attestations. */
const withoutEffect = /^(?:frontend\.caps|cmdline|source|vcs:.*|cache-imports|input-metadata:.*)$/;

/** Build arguments that change how BuildKit builds. They are refused where they ask for what this builder lacks. */
const refusedArguments: ReadonlySet<string> = new Set([
  'BUILDKIT_CONTEXT_KEEP_GIT_DIR',
  'BUILDKIT_SBOM_SCAN_CONTEXT',
  'BUILDKIT_SBOM_SCAN_STAGE',
  'SOURCE_DATE_EPOCH',
]);

/** @throws EngineError naming the attribute that cannot be honoured. */
export function parseFrontendAttributes(attributes: Attributes): FrontendAttributes {
  const rest = new Map(Object.entries(attributes).filter(([name]) => !withoutEffect.test(name)));
  const take = (name: string): string => {
    const value = rest.get(name) ?? '';
    rest.delete(name);
    return value;
  };
  const prefixed = (prefix: string): Record<string, string> => {
    const found = [...rest].filter(([name]) => name.startsWith(prefix));
    for (const [name] of found) rest.delete(name);
    return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length), value]));
  };
  const buildArguments = prefixed('build-arg:');
  for (const name of refusedArguments) {
    if (name in buildArguments) throw notImplemented(`build argument ${name} is not supported by this builder`);
  }
  const { BUILDKIT_DOCKERFILE_CHECK: check, ...ownArguments } = buildArguments;
  const platform = checkedPlatform(take('platform'));
  const hasOwnBuildFile = rest.has('dockerfilekey');
  const result = {
    check,
    fileName: take('filename') || 'Dockerfile',
    fileDirectory: take('dockerfilekey') || 'dockerfile',
    contextDirectory: take('contextkey') || 'context',
    remoteContext: take('context'),
    hasOwnBuildFile,
    contexts: prefixed('context:'),
    sessions: new Map(Object.entries(prefixed('local-sessionid:'))),
    request: {
      noCache: parseNoCache(rest.has('no-cache') ? take('no-cache') : undefined),
      pull: parsePull(take('image-resolve-mode')),
      remove: true,
      forceRemove: true,
      buildArguments: ownArguments,
      automaticArguments: platformArguments(platform),
      labels: prefixed('label:'),
      target: take('target'),
      followsBuildKit: true,
      limits: parseLimits(take),
    },
  };
  for (const [name, value] of rest) refuse(name, value);
  return result;
}

function refuse(name: string, value: string): void {
  if (name === 'multi-platform' && /^(?:|0|f|false)$/i.test(value)) return;
  // What buildx adds by itself: nothing is attested, which is what these images have.
  if (/^attest:/.test(name) && /(?:^|,)(?:inline-only|disabled)=true(?:,|$)/.test(value)) return;
  if (name.startsWith('attest:')) {
    throw notImplemented(`attestations are not supported by this builder: ${name}=${value}`);
  }
  throw notImplemented(`the attribute ${name}=${value} is not supported by this builder`);
}

function parseNoCache(value: string | undefined): BuildRequest['noCache'] {
  if (value === undefined) return false;
  return value === '' ? true : new Set(value.toLowerCase().split(','));
}

function parsePull(mode: string): boolean {
  if (mode !== '' && mode !== 'default' && mode !== 'pull' && mode !== 'local') {
    throw invalidArgument(`image-resolve-mode: "${mode}" is not one of default, pull, local`);
  }
  return mode === 'pull';
}

function checkedPlatform(text: string): Platform {
  const host = parsePlatform('platform', 'linux') as Platform;
  const platform = parsePlatform('platform', text) ?? host;
  if (formatPlatform(platform) !== formatPlatform(host)) {
    throw notImplemented(`platform: steps cannot run on ${text}; this engine builds for ${formatPlatform(host)}`);
  }
  return platform;
}

/** TARGETPLATFORM and the like. Both sides are this machine's. */
function platformArguments(platform: Platform): Record<string, string> {
  const parts = {
    PLATFORM: formatPlatform(platform),
    OS: platform.os ?? 'linux',
    ARCH: platform.architecture ?? '',
    VARIANT: platform.variant ?? '',
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => [
      [`BUILD${name}`, value],
      [`TARGET${name}`, value],
    ]),
  );
}

function parseLimits(take: (name: string) => string): StepLimits {
  const network = take('force-network-mode');
  if (!/^(?:|none|host|sandbox|default)$/.test(network)) throw invalidArgument(`invalid netmode ${network}`);
  const shmSize = wholeNumber('shm-size', take('shm-size'));
  const hosts = list(take('add-hosts')).map(extraHost);
  const ulimits = list(take('ulimit')).map(ulimit);
  const cgroup = take('cgroup-parent');
  return {
    ...((network === 'none' || network === 'host') && { NetworkMode: network }),
    ...(shmSize > 0 && { ShmSize: shmSize }),
    ...(hosts.length > 0 && { ExtraHosts: hosts }),
    ...(ulimits.length > 0 && { Ulimits: ulimits }),
    ...(cgroup !== '' && { CgroupParent: cgroup }),
  };
}

const list = (text: string): readonly string[] => text.split(',').filter((item) => item !== '');

function wholeNumber(name: string, text: string): number {
  if (!/^\d{0,15}$/.test(text)) throw invalidArgument(`${name}: "${text}" is not a whole number`);
  return Number(text);
}

function extraHost(text: string): string {
  const [, host, address] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (host === undefined) throw invalidArgument(`add-hosts: "${text}" is not host=address`);
  return `${host}:${address}`;
}

function ulimit(text: string): { readonly Name: string; readonly Soft: number; readonly Hard: number } {
  const [, name, soft, hard = soft] = /^(\w+)=(-?\d+)(?::(-?\d+))?$/.exec(text) ?? [];
  if (name === undefined) throw invalidArgument(`ulimit: "${text}" is not name=soft:hard`);
  return { Name: name, Soft: Number(soft), Hard: Number(hard) };
}
