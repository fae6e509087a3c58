import type { PortRequest, PublishedPort } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';

/** What other areas may do with networks: sandboxes and endpoints of containers. */
export interface NetworkService {
  /** By full id, name, then unique id prefix. Rejects `not-found` ("network X not found"). */
  get(reference: string): Network;

  /**
   * Makes the sandbox of a container and joins every network of the request in order, the first with a default route
   * carrying it. Durable before it resolves. Publishes `network connect` for each. On rejection nothing is left.
   * Starting again after an exit calls it again.
   */
  open(request: SandboxRequest, options?: { readonly signal?: AbortSignal }): Promise<OpenSandbox>;

  /** Leaves every network, publishing `network disconnect`, and removes the sandbox. Not open: resolves. */
  close(containerId: string): Promise<void>;

  /** Joins one more network while the container runs. Rejects `forbidden` when it is on it already. */
  connect(containerId: string, attachment: Attachment): Promise<Endpoint>;

  /**
   * Leaves one network while the container runs; another one becomes its way out. Rejects `internal` when it is
   * not connected.
   */
  disconnect(containerId: string, networkId: string): Promise<void>;

  /** The container has another name: its endpoints are found by it. Durable when it resolves. Not open: resolves. */
  renamed(containerId: string, name: string): Promise<void>;

  /**
   * Endpoints of a running container, in joining order; empty otherwise. Keys of inspect's Networks are names. What has
   * not changed is the same object as before.
   */
  endpointsOf(containerId: string): readonly Endpoint[];

  /**
   * Told once, at the daemon's start, which containers run: their endpoints, ports and sandboxes go on; everything else
   * an earlier daemon left is taken back.
   */
  restore(live: readonly string[]): Promise<void>;

  /** Where the network area asks about containers. @returns takes the source out again. */
  addContainers(containers: NetworkContainers): () => void;
}

export interface Network {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  readonly scope: 'local' | 'global' | 'swarm';
  /** `bridge`, `host` and `none`, which cannot be made or removed by users. */
  readonly predefined: boolean;
  /** Containers use the host's own stack. */
  readonly hostStack: boolean;
  /** User-defined networks have the embedded resolver, aliases and static addresses. */
  readonly userDefined: boolean;
}

export interface SandboxRequest {
  readonly container: SandboxContainer;
  readonly attachments: readonly Attachment[];
  readonly dns: DnsSettings;
}

export interface SandboxContainer {
  readonly id: string;
  /** Without the slash. */
  readonly name: string;
  readonly hostname: string;
  readonly domainname: string;
}

export interface Attachment {
  /** Network id. */
  readonly networkId: string;
  readonly aliases: readonly string[];
  /** `container:alias`: alias -> id or name of the other container, which may come, and come again, later. */
  readonly links: Readonly<Record<string, string>>;
  readonly ipv4Address?: string;
  readonly ipv6Address?: string;
  /** Link-local addresses beside these, of either family, without prefix length. */
  readonly linkLocal?: readonly string[];
  readonly macAddress?: string;
  /**
   * What the container publishes: on the first of its networks that can and is not internal, whichever of them names
   * the ports. When the container leaves that one, another takes over; port 0 then is another port.
   */
  readonly ports: readonly PortRequest[];
  /** What links open, such as `80/tcp`. */
  readonly exposedPorts?: readonly string[];
}

export interface DnsSettings {
  readonly nameservers: readonly string[];
  readonly search: readonly string[];
  readonly options: readonly string[];
}

export interface OpenSandbox {
  /** OCI network namespace path; undefined: the host's own stack. */
  readonly path: string | undefined;
  readonly endpoints: readonly Endpoint[];
  /** Content of /etc/resolv.conf: the embedded resolver on user-defined networks. */
  readonly resolvConf: string;
}

export interface Endpoint {
  readonly id: string;
  readonly networkId: string;
  readonly networkName: string;
  readonly interfaceName: string;
  readonly macAddress: string;
  /** Without prefix length; empty when there is none. */
  readonly ipv4Address: string;
  readonly ipv4PrefixLength: number;
  readonly gateway: string;
  readonly ipv6Address: string;
  readonly ipv6PrefixLength: number;
  readonly ipv6Gateway: string;
  readonly aliases: readonly string[];
  readonly ports: readonly PublishedPort[];
}

/** Containers, as the network area sees them. */
export interface NetworkContainers {
  /** By id, name or prefix. Rejects `not-found` ("No such container: X"). */
  resolve(reference: string): { readonly id: string; readonly name: string; readonly running: boolean };
  /** POST /networks/(id)/connect: the container's part of it, calling `connect` when it runs. */
  attach(containerId: string, networkId: string, endpoint: EndpointSettings): Promise<void>;
  /** POST /networks/(id)/disconnect, calling `disconnect` when it runs. */
  detach(containerId: string, networkId: string, force: boolean): Promise<void>;
}

/** What a client may ask of an endpoint, by the specification's names. */
export interface EndpointSettings {
  readonly IPAMConfig?: {
    readonly IPv4Address?: string;
    readonly IPv6Address?: string;
    readonly LinkLocalIPs?: readonly string[];
  };
  readonly Links?: readonly string[];
  readonly Aliases?: readonly string[];
  readonly MacAddress?: string;
}

export const NetworkService: ServicePoint<NetworkService> = servicePoint<NetworkService>('networks');
