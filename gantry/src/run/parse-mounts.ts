import path from 'node:path';
import { UsageError } from './usage-error.js';

/** `HOST-PATH:PATH[:OPTIONS]`: a relative path is one of this directory. A path alone is an anonymous volume. */
export function parseVolume(text: string): { readonly bind: string } | { readonly anonymous: string } {
  const [source = '', ...rest] = text.split(':');
  if (rest.length === 0) {
    if (!source.startsWith('/')) throw new UsageError(`--volume: "${text}" is not HOST-PATH:PATH or NAME:PATH`);
    return { anonymous: source };
  }
  const isRelative = /^\.\.?(\/|$)/.test(source);
  return { bind: [isRelative ? path.resolve(source) : source, ...rest].join(':') };
}

/** `type=bind,source=/a,target=/b,readonly`. @throws UsageError naming the key that is not understood. */
export function parseMount(text: string): Readonly<Record<string, unknown>> {
  const mount: Record<string, unknown> = { Type: 'volume' };
  for (const part of text.split(',')) {
    const [key = '', ...words] = part.split('=');
    const value = words.join('=');
    if (key === 'type') mount.Type = value;
    else if (key === 'source' || key === 'src') mount.Source = value;
    else if (['target', 'destination', 'dst'].includes(key)) mount.Target = value;
    else if (key === 'readonly' || key === 'ro') mount.ReadOnly = value === '' || value === 'true' || value === '1';
    else throw new UsageError(`--mount: "${key}" is not one of type, source, target and readonly`);
  }
  if (mount.Target === undefined) throw new UsageError(`--mount: "${text}" has no target`);
  if (mount.Type === 'bind' && typeof mount.Source === 'string') mount.Source = path.resolve(mount.Source);
  return mount;
}

/** `/dev/fuse`, or with a path in the container and permissions. */
export function parseDevice(text: string): Readonly<Record<string, string>> {
  const [host = '', inside = host, permissions = 'rwm'] = text.split(':');
  return { PathOnHost: host, PathInContainer: inside, CgroupPermissions: permissions };
}
