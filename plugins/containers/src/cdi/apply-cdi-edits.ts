import type { OciDevice, OciHook, OciMount, OciSpec } from '@gantry/core/contracts';
import { internal, messageOf } from '@gantry/core/errors';
import { readDevice } from '@gantry/lib-oci';
import { inheritVariables } from '../inherit.js';
import type { CdiEdits } from './cdi-spec.js';

type DeviceNode = NonNullable<CdiEdits['deviceNodes']>[number];
type Hook = NonNullable<CdiEdits['hooks']>[number];

/** Applies the edits of devices, in their order. Rejects for a device node that the host lacks. */
export async function applyCdiEdits(spec: OciSpec, edits: readonly CdiEdits[]): Promise<OciSpec> {
  const nodes = await Promise.all(edits.flatMap(({ deviceNodes = [] }) => deviceNodes.map(toDevice)));
  const paths = new Set(nodes.map(({ device }) => device.path));
  const mounts = edits.flatMap((edit) => (edit.mounts ?? []).map(toMount));
  const destinations = new Set(mounts.map(({ destination }) => destination));
  const { linux, process } = spec;
  const env = inheritVariables(
    edits.flatMap((edit) => edit.env ?? []),
    process.env,
  );
  const { resources } = linux;
  const gids = edits.flatMap(({ additionalGids = [] }) => additionalGids).filter((gid) => gid !== 0);
  return {
    ...spec,
    process: {
      ...process,
      ...(env !== undefined && { env }),
      user: { ...process.user, additionalGids: [...new Set([...(process.user.additionalGids ?? []), ...gids])] },
    },
    mounts: [...spec.mounts.filter(({ destination }) => !destinations.has(destination)), ...mounts],
    hooks: withHooks(
      spec.hooks,
      edits.flatMap(({ hooks = [] }) => hooks),
    ),
    linux: {
      ...linux,
      devices: [
        ...(linux.devices ?? []).filter((device) => !paths.has(device.path)),
        ...nodes.map(({ device }) => device),
      ],
      resources: {
        ...resources,
        devices: [
          ...(resources?.devices ?? []),
          ...nodes.map(({ device: { type, major = 0, minor = 0 }, access }) => ({
            allow: true,
            type,
            major,
            minor,
            access,
          })),
        ],
      },
    },
  };
}

/** What the description leaves out is as on the host. */
async function toDevice(node: DeviceNode): Promise<{ readonly device: OciDevice; readonly access: string }> {
  const { path, hostPath = path, type, major, minor, fileMode, uid, gid, permissions = '' } = node;
  const device: OciDevice =
    type !== undefined && (type === 'p' || (major !== undefined && minor !== undefined))
      ? { type, path }
      : await readDevice(hostPath, path).catch((cause: unknown) => {
          throw internal(`CDI device injection failed: device node ${hostPath}: ${messageOf(cause)}`, { cause });
        });
  return {
    device: {
      ...device,
      ...(type !== undefined && { type }),
      ...(major !== undefined && { major }),
      ...(minor !== undefined && { minor }),
      ...(fileMode !== undefined && { fileMode }),
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
    },
    access: permissions || 'rwm',
  };
}

function toMount({
  hostPath,
  containerPath,
  options = [],
  type = 'bind',
}: NonNullable<CdiEdits['mounts']>[number]): OciMount {
  const binds = options.some((option) => option === 'bind' || option === 'rbind');
  return {
    destination: containerPath,
    type,
    source: hostPath,
    options: type === 'bind' && !binds ? ['rbind', ...options] : options,
  };
}

function withHooks(present: OciSpec['hooks'] = {}, added: readonly Hook[]): NonNullable<OciSpec['hooks']> {
  const hooks: Record<string, readonly OciHook[]> = { ...present };
  for (const { hookName, ...hook } of added) hooks[hookName] = [...(hooks[hookName] ?? []), hook];
  return hooks;
}
