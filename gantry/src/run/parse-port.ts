import { UsageError } from './usage-error.js';

interface PublishedPort {
  /** Such as `80/tcp`. */
  readonly port: string;
  readonly binding: { readonly HostIp?: string; readonly HostPort?: string };
}

/** `8080:80`, `127.0.0.1:8080:80`, `[::1]:53:53/udp` or `80`, for which the host chooses a port. @throws UsageError. */
export function parsePort(text: string): PublishedPort {
  const match = /^(?:(?:(\[[\da-f:]+\]|[^:]+):)?(\d*):)?(\d+)(?:\/(tcp|udp|sctp))?$/i.exec(text);
  const [, address, hostPort = '', port = '', protocol = 'tcp'] = match ?? [];
  if (port === '' || [port, hostPort].some((number) => Number(number) > 65535)) {
    throw new UsageError(`--publish: "${text}" is not [ADDRESS:]HOST-PORT:PORT[/udp]; ranges are given port by port`);
  }
  const ip = address?.replace(/^\[|\]$/g, '');
  return {
    port: `${port}/${protocol.toLowerCase()}`,
    binding: { ...(ip !== undefined && { HostIp: ip }), HostPort: hostPort },
  };
}
