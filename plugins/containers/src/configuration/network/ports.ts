import { isIP } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';
import { parseHostPort, parsePort } from '../../sandbox/port-requests.js';
import type { PortBinding } from '../../schema.js';

/** `80` and `80/tcp` are one port; records keep the long form. @throws EngineError `invalid-argument`. */
function fullPort(field: string, text: string): string {
  try {
    const { port, protocol } = parsePort(text);
    return `${port}/${protocol}`;
  } catch (cause) {
    throw invalidArgument(`${field}: invalid port specification: "${text}"`, { cause });
  }
}

/** ExposedPorts as it is kept. @throws EngineError `invalid-argument` naming the port. */
export const exposedPorts = (given: Readonly<Record<string, object>>): Readonly<Record<string, object>> =>
  Object.fromEntries(Object.keys(given).map((text) => [fullPort('ExposedPorts', text), {}]));

/** The same of an image, which was made elsewhere: what cannot be read is left out. */
export const imagePorts = (given: Readonly<Record<string, object>>): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.keys(given).flatMap((text) => {
      try {
        return [[fullPort('ExposedPorts', text), {}]];
      } catch {
        return [];
      }
    }),
  );

type PortBindings = Readonly<Record<string, readonly PortBinding[]>>;

/** PortBindings as it is kept. @throws EngineError `invalid-argument`. */
export function portBindings(given: PortBindings): PortBindings {
  const kept: Record<string, readonly PortBinding[]> = {};
  for (const [text, bindings] of Object.entries(given)) {
    const port = fullPort('PortBindings', text);
    kept[port] = [...(kept[port] ?? []), ...bindings.map((binding) => checkBinding(port, binding))];
  }
  return kept;
}

function checkBinding(port: string, { HostIp = '', HostPort = '' }: PortBinding): PortBinding {
  const address = HostIp.replace(/^\[(.*)\]$/, '$1');
  if (address !== '' && isIP(address) === 0) {
    throw invalidArgument(`PortBindings: ${port}: HostIp "${HostIp}" is not an IP address`);
  }
  try {
    parseHostPort(HostPort);
  } catch (cause) {
    throw invalidArgument(`PortBindings: ${port}: invalid port specification: "${HostPort}"`, { cause });
  }
  return { HostIp: address, HostPort };
}
