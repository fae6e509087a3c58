import { ApiError } from '../../api/api-error';
import { readJsonLines } from '../../api/read-json-lines';
import { get, post, remove } from '../../api/request';
import type { Plugin, PluginPrivilege } from './plugin-types';

const at = (name: string, action = ''): string => `/plugins/${encodeURIComponent(name)}${action}`;

export const enablePlugin = (name: string) => post(at(name, '/enable'), { timeout: 30 });
export const disablePlugin = (name: string) => post(at(name, '/disable'));
export const removePlugin = (name: string, force: boolean) => remove(at(name), { force });
export const configurePlugin = (name: string, settings: readonly string[]) => post(at(name, '/set'), {}, settings);
export const readPlugin = (name: string, signal: AbortSignal) => get<Plugin>(at(name, '/json'), undefined, signal);

export const readPrivileges = (remote: string) => get<PluginPrivilege[]>('/plugins/privileges', { remote });

interface PullMessage {
  readonly status?: string;
  readonly error?: string;
}

/** Pulls a plugin with the rights that the user has consented to. */
export const installPlugin = (remote: string, name: string, privileges: readonly PluginPrivilege[]) =>
  pull('/plugins/pull', { remote, ...(name !== '' && { name }) }, privileges);

/** Replaces a disabled plugin by another version of it. */
export const upgradePlugin = (name: string, remote: string, privileges: readonly PluginPrivilege[]) =>
  pull(at(name, '/upgrade'), { remote }, privileges);

async function pull(
  path: string,
  query: Record<string, string>,
  privileges: readonly PluginPrivilege[],
): Promise<void> {
  let failure: string | undefined;
  await readJsonLines<PullMessage>(path, { method: 'POST', query, body: privileges }, ({ error }) => {
    failure ??= error;
  });
  // The answer has begun by then: its status no longer says that the pull failed.
  if (failure !== undefined) throw new ApiError(500, failure);
}
