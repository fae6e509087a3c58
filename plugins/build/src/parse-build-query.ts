import { invalidArgument } from '@gantry/core/errors';
import type { Query } from '@gantry/core/http';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import { formatPlatform, formatReference, type Platform, parsePlatform, parseReference } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import type { ClassicBuildRequest, StepLimits } from './contract/build-request.js';

const nullableTexts = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]));
const texts = Type.Record(Type.String(), Type.String());
const ulimits = Type.Array(Type.Object({ Name: Type.String(), Soft: Type.Integer(), Hard: Type.Integer() }));

/** @throws EngineError `invalid-argument` naming parameter and value. */
export function parseBuildQuery(
  query: Query,
  credentials: ReadonlyMap<string, RegistryCredentials>,
): ClassicBuildRequest {
  const given = query.json('buildargs', nullableTexts) ?? {};
  refuseUnsupported(query);
  return {
    tags: [
      ...new Set(
        query
          .all('t')
          .filter((name) => name !== '')
          .map(checkedTag),
      ),
    ],
    quiet: query.boolean('q'),
    namesBuilder: query.has('version'),
    noCache: query.boolean('nocache'),
    pull: query.boolean('pull'),
    remove: query.boolean('rm', true),
    forceRemove: query.boolean('forcerm'),
    // A client sends null for a name without a value.
    buildArguments: Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    automaticArguments: {},
    labels: query.json('labels', texts) ?? {},
    cacheFrom: query.json('cachefrom', Type.Array(Type.String(), { maxItems: 100 })) ?? [],
    cacheImports: [],
    namedContexts: new Map(),
    target: query.string('target') ?? '',
    followsBuildKit: false,
    limits: parseLimits(query),
    credentials: async () => credentials,
    readSecret: async () => undefined,
    findAgent: async () => undefined,
    allowsHostNetwork: false,
  };
}

/** Refuses parameters whose absence would make another image, or less secure steps. */
function refuseUnsupported(query: Query): void {
  if (query.boolean('squash')) throw invalidArgument('squash is only supported with experimental mode');
  if (query.all('securityopt').some((option) => option !== '')) {
    throw invalidArgument('The daemon on this platform does not support setting security options on build');
  }
  const host = formatPlatform(parsePlatform('platform', 'linux') as Platform);
  const platform = parsePlatform('platform', query.string('platform') ?? '');
  if (platform !== undefined && formatPlatform(platform) !== host) {
    throw invalidArgument(`platform: steps cannot run on ${formatPlatform(platform)}; this engine builds for ${host}`);
  }
  const isolation = query.string('isolation') ?? '';
  if (!/^(?:default)?$/i.test(isolation)) throw invalidArgument(`Unsupported isolation: "${isolation}"`);
}

function checkedTag(text: string): string {
  const reference = parseReference(text);
  if (reference.digest !== undefined) throw invalidArgument(`t: build tag cannot contain a digest: "${text}"`);
  return formatReference(reference);
}

function parseLimits(query: Query): StepLimits {
  const whole = (name: string): number | undefined => query.integer(name) || undefined;
  const shmSize = query.integer('shmsize');
  if (shmSize !== undefined && shmSize < 0) throw invalidArgument(`shmsize: ${shmSize} is not greater than 0`);
  const limits = {
    Memory: whole('memory'),
    MemorySwap: whole('memswap'),
    CpuShares: whole('cpushares'),
    CpusetCpus: query.string('cpusetcpus') || undefined,
    CpusetMems: query.string('cpusetmems') || undefined,
    CpuPeriod: whole('cpuperiod'),
    CpuQuota: whole('cpuquota'),
    CgroupParent: query.string('cgroupparent') || undefined,
    ShmSize: shmSize || undefined,
    NetworkMode: query.string('networkmode') || undefined,
    ExtraHosts: extraHosts(query),
    Ulimits: query.json('ulimits', ulimits),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** Repeated, or one JSON list. */
function extraHosts(query: Query): readonly string[] | undefined {
  const hosts = query.all('extrahosts').flatMap((value) => {
    if (!value.startsWith('[')) return value === '' ? [] : [value];
    return query.json('extrahosts', Type.Array(Type.String())) ?? [];
  });
  return hosts.length === 0 ? undefined : hosts;
}
