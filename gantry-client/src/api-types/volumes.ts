// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type VolumeCreateBody = {
  readonly Name?: string | undefined;
  readonly Driver?: string | undefined;
  readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly ClusterVolumeSpec?: unknown | undefined;
};

export type VolumeDetails = {
  readonly Name: string;
  readonly Driver: string;
  readonly Mountpoint: string;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Scope: string;
  readonly CreatedAt?: string | undefined;
  readonly Status?: unknown | undefined;
};

export type VolumeList = {
  readonly Volumes: readonly VolumeDetails[] | null;
  readonly Warnings: readonly string[] | null;
};

export type VolumesPruned = {
  readonly VolumesDeleted: readonly string[] | null;
  readonly SpaceReclaimed: number;
};

export interface VolumesRoutes {
  /** Lists volumes. */
  'GET /volumes': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: VolumeList;
  };
  /** Creates a volume, or answers with the one that has the name. */
  'POST /volumes/create': {
    readonly options: { readonly body?: VolumeCreateBody | undefined; };
    readonly answer: VolumeDetails;
  };
  /** Deletes volumes that no container uses. */
  'POST /volumes/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: VolumesPruned;
  };
  /** Describes a volume. */
  'GET /volumes/{name}': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: VolumeDetails;
  };
  /** Refused: volumes of a cluster are not supported. */
  'PUT /volumes/{name}': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: undefined;
  };
  /** Deletes a volume. */
  'DELETE /volumes/{name}': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
}
