import { readFile } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { EngineError, messageOf } from '../../errors/engine-error.js';
import { parseConfig } from './schema.js';

const PackageEntry = Type.Union([
  Type.String(),
  Type.Object({ package: Type.String(), optional: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
]);

/** The kernel's own part of the configuration file; every package has its section under `drivers` or `plugins`. */
export const KernelConfig = Type.Object({
  dataRoot: Type.String({ default: '/var/lib/gantry', description: 'what survives a reboot' }),
  execRoot: Type.String({ default: '/run/gantry', description: 'what does not: sockets, mounts, process ids' }),
  usernsRemap: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'whose subordinate ids the users of containers have on the host: "default", user[:group] or uid[:gid]; without it they have the same ids',
    }),
  ),
  logLevel: Type.Union(
    (['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const).map((level) => Type.Literal(level)),
    { default: 'info' },
  ),
  startTimeoutSeconds: Type.Number({ default: 60, minimum: 1, description: 'for each package' }),
  stopTimeoutSeconds: Type.Number({ default: 15, minimum: 1, description: 'for each package' }),
  packages: Type.Array(PackageEntry, {
    default: [],
    description: 'packages to load, by name or by path relative to this file; an optional one may fail',
  }),
  extraPackages: Type.Array(PackageEntry, {
    default: [],
    description: 'packages to load beside those, looked for from the directory of this file',
  }),
  defaults: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
    default: {},
    description: 'for each kind of driver the id used when none is asked for, or ids of which the first ready one is',
  }),
  drivers: Type.Record(Type.String(), Type.Unknown(), { default: {}, description: 'sections by kind/id' }),
  plugins: Type.Record(Type.String(), Type.Unknown(), { default: {}, description: 'sections by plugin id' }),
});

export type KernelConfig = Static<typeof KernelConfig>;

/** Reads a JSON configuration file. @throws EngineError `invalid-argument`, one line naming the file and the place. */
export async function readConfigFile(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new EngineError('invalid-argument', `cannot read the configuration file ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new EngineError(
      'invalid-argument',
      `the configuration file ${file} is not JSON (${messageOf(error)}); correct it or start without --config`,
      { cause: error },
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EngineError('invalid-argument', `the configuration file ${file} holds no JSON object`);
  }
  return value as Record<string, unknown>;
}

/** @throws EngineError `invalid-argument` naming the key. */
export const parseKernelConfig = (value: unknown): KernelConfig => parseConfig(KernelConfig, value, 'config');
