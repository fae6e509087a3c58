import { isRecord } from '@gantry/core/driver';
import { internal, messageOf } from '@gantry/core/errors';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const text = Type.String({ default: '' });
const texts = Type.Array(Type.String(), { default: [] });
const list = <T extends TSchema>(item: T) => Type.Array(item, { default: [] });
const named = { name: text, description: text, settable: texts };

const schema = Type.Object({
  manifestversion: text,
  description: text,
  documentation: text,
  interface: Type.Object({ types: texts, socket: text }, { default: {} }),
  entrypoint: texts,
  workdir: text,
  user: Type.Object(
    { uid: Type.Integer({ default: 0, minimum: 0 }), gid: Type.Integer({ default: 0, minimum: 0 }) },
    { default: {} },
  ),
  network: Type.Object({ type: text }, { default: {} }),
  linux: Type.Object(
    {
      capabilities: texts,
      allowalldevices: Type.Boolean({ default: false }),
      devices: list(Type.Object({ ...named, path: text })),
    },
    { default: {} },
  ),
  propagatedmount: text,
  ipchost: Type.Boolean({ default: false }),
  pidhost: Type.Boolean({ default: false }),
  mounts: list(Type.Object({ ...named, source: text, destination: text, type: text, options: texts })),
  env: list(Type.Object({ ...named, value: text })),
  args: Type.Object({ ...named, value: texts }, { default: {} }),
  rootfs: Type.Object({ diff_ids: texts }, { default: {} }),
});

/** The configuration of a plugin's image with all defaults. Keys are lower case: the format is case-insensitive. */
export type PluginManifest = Static<typeof schema>;

/** @throws EngineError `internal` naming the field that is wrong. */
export function parseManifest(document: string, reference: string): PluginManifest {
  const wrong = (reason: string, cause?: unknown) =>
    internal(`the configuration of plugin ${reference} ${reason}`, { cause });
  let parsed: unknown;
  try {
    parsed = withLowerCaseKeys(JSON.parse(document));
  } catch (error) {
    throw wrong(`is not JSON: ${messageOf(error)}`, error);
  }
  const filled = Value.Default(schema, parsed);
  const [first] = Value.Errors(schema, filled);
  if (first !== undefined) throw wrong(`is wrong at ${first.path || '/'}: ${first.message}`);
  const manifest = filled as PluginManifest;
  if (manifest.entrypoint.length === 0) throw wrong('has no entrypoint');
  if (!/^[\w][\w.-]*$/.test(manifest.interface.socket)) throw wrong('names no valid socket');
  for (const { type } of manifest.mounts) {
    if (!['bind', 'tmpfs', ''].includes(type)) throw wrong(`has a mount of the type "${type}"`);
  }
  return manifest;
}

/** Converts keys to lower case and drops null values, recursively. */
function withLowerCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerCaseKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === null ? [] : [[key.toLowerCase(), withLowerCaseKeys(inner)]],
    ),
  );
}
