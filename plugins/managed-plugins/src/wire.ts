import { type Static, Type } from '@sinclair/typebox';
import type { PluginManifest } from './manifest/parse-manifest.js';
import type { Privilege } from './manifest/privileges.js';
import { nameOf, type PluginRecord, settingsOf } from './store/plugin-record.js';
import { environmentOf } from './task/environment-of.js';

type Named = Pick<PluginManifest['args'], 'name' | 'description' | 'settable'>;

const orNull = <T>(values: readonly T[]): readonly T[] | null => (values.length === 0 ? null : values);

const named = ({ name, description, settable }: Named) => ({
  Name: name,
  Description: description,
  Settable: orNull(settable),
});

const toMount = (mount: PluginManifest['mounts'][number]) => ({
  ...named(mount),
  Source: mount.source,
  Destination: mount.destination,
  Type: mount.type,
  Options: orNull(mount.options),
});

const toDevice = (device: PluginManifest['linux']['devices'][number]) => ({ ...named(device), Path: device.path });

/** A plugin as clients of 1.25 and later see it. */
export function toPlugin(record: PluginRecord) {
  const { enabled, id, manifest } = record;
  const { args, env, interface: plug, linux, mounts, network, user } = manifest;
  const settings = settingsOf(record);
  return {
    Id: id,
    Name: nameOf(record),
    Enabled: enabled,
    PluginReference: record.remote ?? nameOf(record),
    Settings: {
      Mounts: settings.mounts.map(toMount),
      Env: environmentOf(settings),
      Args: settings.args.value,
      Devices: settings.linux.devices.map(toDevice),
    },
    Config: {
      Description: manifest.description,
      Documentation: manifest.documentation,
      Interface: { Types: plug.types, Socket: plug.socket },
      Entrypoint: manifest.entrypoint,
      WorkDir: manifest.workdir,
      User: user.uid === 0 && user.gid === 0 ? {} : { UID: user.uid, GID: user.gid },
      Network: { Type: network.type },
      Linux: {
        Capabilities: orNull(linux.capabilities),
        AllowAllDevices: linux.allowalldevices,
        Devices: linux.devices.map(toDevice),
      },
      PropagatedMount: manifest.propagatedmount,
      IpcHost: manifest.ipchost,
      PidHost: manifest.pidhost,
      Mounts: mounts.map(toMount),
      Env: env.map((variable) => ({ ...named(variable), Value: variable.value })),
      Args: { ...named(args), Value: args.value },
      rootfs: { type: 'layers', diff_ids: manifest.rootfs.diff_ids },
    },
  };
}

/** Spec: plugin record, which clients before 1.25 see. */
export function toExperimentalPlugin(record: PluginRecord) {
  const { enabled, id, manifest, repository, tag } = record;
  const settings = settingsOf(record);
  const { args, env, interface: plug, linux, mounts, network, user } = manifest;
  return {
    Id: id,
    Name: repository,
    Tag: tag,
    Active: enabled,
    Config: {
      Mounts: settings.mounts.map(toMount),
      Env: environmentOf(settings),
      Args: settings.args.value,
      Devices: settings.linux.devices.map(toDevice),
    },
    Manifest: {
      ManifestVersion: manifest.manifestversion || 'v0',
      Description: manifest.description,
      Documentation: manifest.documentation,
      Interface: { Types: plug.types, Socket: plug.socket },
      Entrypoint: manifest.entrypoint,
      Workdir: manifest.workdir,
      User: user.uid === 0 && user.gid === 0 ? {} : { UID: user.uid, GID: user.gid },
      Network: { Type: network.type },
      Capabilities: orNull(linux.capabilities),
      Mounts: mounts.map(toMount),
      Devices: linux.devices.map(toDevice),
      Env: env.map((variable) => ({ ...named(variable), Value: variable.value })),
      Args: { ...named(args), Value: args.value },
    },
  };
}

const privilege = Type.Object({
  Name: Type.String(),
  Description: Type.Optional(Type.String()),
  Value: Type.Array(Type.String()),
});

/** Of a pull since API 1.25, and of an upgrade. Clients send `null` for a plugin without privileges. */
export const GrantedPrivileges = Type.Union([Type.Array(privilege), Type.Null()]);

/** Spec: POST /plugins/(name)/set. */
export const Settings = Type.Array(Type.String());

export const toPrivileges = (body: Static<typeof GrantedPrivileges>): readonly Privilege[] =>
  (body ?? []).map(({ Description = '', Name, Value }) => ({ Name, Description, Value }));
