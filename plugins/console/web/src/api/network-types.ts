export interface NetworkContainer {
  readonly Name: string;
  readonly EndpointID: string;
  readonly MacAddress: string;
  readonly IPv4Address: string;
  readonly IPv6Address: string;
}

export interface Network {
  readonly Id: string;
  readonly Name: string;
  readonly Created: string;
  readonly Driver: string;
  readonly Scope: string;
  readonly Internal: boolean;
  readonly Attachable: boolean;
  readonly Ingress: boolean;
  readonly EnableIPv6: boolean;
  readonly IPAM: {
    readonly Driver?: string;
    readonly Config?:
      | readonly { readonly Subnet?: string; readonly Gateway?: string; readonly IPRange?: string }[]
      | null;
  };
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Containers?: Readonly<Record<string, NetworkContainer>> | null;
}

export const subnetsOf = ({ IPAM }: Network): string =>
  (IPAM.Config ?? []).flatMap(({ Subnet }) => (Subnet === undefined ? [] : [Subnet])).join(', ');

/** Networks that every engine has and that cannot be removed. */
export const isPredefined = ({ Name }: Network): boolean => ['bridge', 'host', 'none'].includes(Name);
