// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type NetworkCreateBody = {
  readonly Name?: string | undefined;
  readonly CheckDuplicate?: boolean | undefined;
  readonly Driver?: string | undefined;
  readonly Internal?: boolean | undefined;
  readonly EnableIPv4?: boolean | undefined;
  readonly EnableIPv6?: boolean | undefined;
  readonly Scope?: string | undefined;
  readonly Attachable?: boolean | undefined;
  readonly Ingress?: boolean | undefined;
  readonly ConfigOnly?: boolean | undefined;
  readonly ConfigFrom?: {
    readonly Network?: string | undefined;
  } | undefined;
  readonly IPAM?: {
    readonly Driver?: string | undefined;
    readonly Config?: readonly {
      readonly Subnet?: string | undefined;
      readonly IPRange?: string | undefined;
      readonly Gateway?: string | undefined;
      readonly AuxAddress?: Readonly<Record<string, string>> | undefined;
      readonly AuxiliaryAddresses?: Readonly<Record<string, string>> | undefined;
    }[] | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly Options?: Readonly<Record<string, string>> | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
};

export type NetworkCreated = {
  readonly Id: string;
  readonly Warning: string;
};

export type NetworkDetails = {
  readonly Name: string;
  readonly Id: string;
  readonly Created: string;
  readonly Scope: string;
  readonly Driver: string;
  readonly EnableIPv4: boolean;
  readonly EnableIPv6: boolean;
  readonly IPAM: {
    readonly Driver: string;
    readonly Options: Readonly<Record<string, string>> | null;
    readonly Config: readonly {
      readonly Subnet?: string | undefined;
      readonly IPRange?: string | undefined;
      readonly Gateway?: string | undefined;
      readonly AuxiliaryAddresses?: Readonly<Record<string, string>> | undefined;
    }[] | null;
  };
  readonly Internal: boolean;
  readonly Attachable: boolean;
  readonly Ingress: boolean;
  readonly ConfigFrom: {
    readonly Network: string;
  };
  readonly ConfigOnly: boolean;
  readonly Containers: Readonly<Record<string, {
    readonly Name: string;
    readonly EndpointID: string;
    readonly MacAddress: string;
    readonly IPv4Address: string;
    readonly IPv6Address: string;
  }>>;
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Peers?: readonly {
    readonly Name: string;
    readonly IP: string;
  }[] | undefined;
};

export type NetworksPruned = {
  readonly NetworksDeleted: readonly string[] | null;
};

export interface NetworksRoutes {
  /** Lists networks. */
  'GET /networks': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly NetworkDetails[];
  };
  /** Creates a network. */
  'POST /networks/create': {
    readonly options: { readonly body: NetworkCreateBody; };
    readonly answer: NetworkCreated;
  };
  /** Removes networks without containers. */
  'POST /networks/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: NetworksPruned;
  };
  /** Describes a network. */
  'GET /networks/{id}': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly verbose?: boolean | undefined; readonly scope?: string | undefined; }; };
    readonly answer: NetworkDetails;
  };
  /** Removes a network. */
  'DELETE /networks/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
}
