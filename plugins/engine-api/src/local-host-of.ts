import { unavailable } from '@gantry/core/errors';

/**
 * Where commands of the same host reach an engine that listens at `hosts`: the first Unix socket, as `unix:///path`.
 * @throws EngineError `unavailable` when there is none.
 */
export function localHostOf(hosts: readonly string[]): string {
  const host = hosts.find((each) => each.startsWith('unix://'));
  if (host === undefined) {
    throw unavailable(`the engine listens at no Unix socket, but at ${hosts.join(', ') || 'nothing'}`);
  }
  return host;
}
