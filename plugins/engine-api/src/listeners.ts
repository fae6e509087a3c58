import { invalidArgument } from '@gantry/core/errors';
import type { Endpoint, ServerLimits } from '@gantry/core/http';
import { checkAccess, parseAccessList } from './access-list.js';
import type { EngineApiConfig } from './config.js';
import type { CrossOrigin } from './cross-origin.js';
import { type HostOptions, parseHost } from './hosts.js';

type Admission = NonNullable<ServerLimits['admit']>;

/** Where the engine listens, and what may be asked there. */
export interface Listener {
  readonly endpoint: Endpoint;
  readonly admit: Admission;
}

/**
 * Reads `hosts`, where everything may be asked, and `listeners`, which have settings of their own; the others are
 * those of all hosts.
 * @throws EngineError `invalid-argument` naming the option.
 */
export function readListeners(config: EngineApiConfig, pages: CrossOrigin): readonly Listener[] {
  const common = optionsOf(config);
  const open = config.hosts.flatMap((host) => parseHost(host, common));
  const limited = config.listeners.flatMap((listener, index) => {
    const option = `listeners[${index}].allow`;
    if (listener.allow?.length === 0)
      throw invalidArgument(`${option}: nothing would be allowed; leave it out for all`);
    const list = listener.allow && parseAccessList(option, listener.allow);
    const admit: Admission = (ctx) => list && checkAccess(list, ctx);
    return parseHost(listener.host, { ...common, ...optionsOf({ ...config, ...listener }) }).map((endpoint) => ({
      endpoint,
      admit,
    }));
  });
  return [...open.map((endpoint) => ({ endpoint, admit: () => undefined })), ...limited].map(({ endpoint, admit }) => ({
    endpoint,
    admit: endpoint.kind === 'unix' ? admit : withPages(admit, pages),
  }));
}

const withPages =
  (admit: Admission, pages: CrossOrigin): Admission =>
  (ctx) => {
    pages.refuse(ctx);
    admit(ctx);
  };

function optionsOf({ mode, group, tls, insecureTcp }: EngineApiConfig): HostOptions {
  return { mode, insecureTcp, ...(group !== undefined && { group }), ...(tls !== undefined && { tls }) };
}
