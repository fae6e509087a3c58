import { invalidArgument } from '@gantry/core/errors';
import type { PluginManifest } from './parse-manifest.js';

/** `NAME`, `NAME=value` or `NAME.field=value`. */
const pattern = /^([^.=]+)(?:\.([^=]+))?(?:=(.*))?$/s;

/** A manifest with other values of what it lets operators set. @throws EngineError `invalid-argument` naming the setting. */
export function changeSettings(manifest: PluginManifest, settings: readonly string[]): PluginManifest {
  return settings.reduce(changeSetting, manifest);
}

function changeSetting(manifest: PluginManifest, setting: string): PluginManifest {
  const [, name, field, value = ''] = pattern.exec(setting) ?? [];
  if (name === undefined) throw invalidArgument(`"${setting}" is not a setting such as NAME=value`);
  const { args, env, linux, mounts } = manifest;
  const isNamed = (item: { readonly name: string }) => item.name === name;
  const check = ({ settable }: { readonly settable: readonly string[] }, usual: string) => {
    if ((field ?? usual) === usual && settable.includes(usual)) return;
    throw invalidArgument(`"${field === undefined ? name : `${name}.${field}`}" is not settable`);
  };
  const change = <T extends { readonly name: string; readonly settable: readonly string[] }>(
    items: readonly T[],
    usual: keyof T & string,
  ): T[] =>
    items.map((item) => {
      if (!isNamed(item)) return item;
      check(item, usual);
      return { ...item, [usual]: value };
    });
  if (env.some(isNamed)) return { ...manifest, env: change(env, 'value') };
  if (mounts.some(isNamed)) return { ...manifest, mounts: change(mounts, 'source') };
  if (linux.devices.some(isNamed)) {
    return { ...manifest, linux: { ...linux, devices: change(linux.devices, 'path') } };
  }
  if (args.name !== name) throw invalidArgument(`setting "${name}" not found in the plugin configuration`);
  check(args, 'value');
  return { ...manifest, args: { ...args, value: value.split(/\s+/).filter((word) => word !== '') } };
}
