import { invalidArgument } from '@gantry/core/errors';
import { type Endpoint, inheritedEndpoints, type TlsFiles } from '@gantry/core/http';

export interface HostOptions {
  /** Permission bits of Unix sockets, octal digits. */
  readonly mode: string;
  readonly group?: string;
  readonly tls?: TlsFiles;
  /** Listen on TCP without client certificates. */
  readonly insecureTcp: boolean;
}

/**
 * Reads where to listen: `unix:///path`, `tcp://host:port`, `fd://` for sockets handed over by systemd.
 * @throws EngineError `invalid-argument` naming the value.
 */
export function parseHost(host: string, options: HostOptions): readonly Endpoint[] {
  if (host.startsWith('unix://')) {
    const path = host.slice('unix://'.length);
    if (!path.startsWith('/'))
      throw invalidArgument(`hosts: "${host}" is not absolute, such as unix:///run/gantry.sock`);
    const { group } = options;
    return [{ kind: 'unix', path, mode: Number.parseInt(options.mode, 8), ...(group !== undefined && { group }) }];
  }
  if (host.startsWith('tcp://') && URL.canParse(host)) {
    if (process.env.GANTRY_ROOTLESS !== undefined) {
      throw invalidArgument(`hosts: "${host}" could not be reached: a rootless engine listens on Unix sockets only`);
    }
    const { hostname, port } = new URL(host);
    const { tls, insecureTcp: insecure } = options;
    if (tls?.ca === undefined && !insecure) {
      throw invalidArgument(
        `hosts: ${host} would let anyone who reaches it become root here; set "tls" with "ca", or "insecureTcp" if that is meant`,
      );
    }
    const secured = tls === undefined ? { insecure } : { tls };
    return [
      { kind: 'tcp', host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (tls ? 2376 : 2375)), ...secured },
    ];
  }
  if (host === 'fd://') {
    const inherited = inheritedEndpoints(process.env, process.pid);
    if (inherited.length === 0) throw invalidArgument('hosts: fd:// needs sockets from systemd, and there are none');
    return inherited;
  }
  throw invalidArgument(`hosts: "${host}" is neither unix:///path, tcp://host:port nor fd://`);
}
