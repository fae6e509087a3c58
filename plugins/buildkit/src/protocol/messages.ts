/** Messages as `Protocol` decodes them: every field is there. */

export type Attributes = Readonly<Record<string, string>>;

export interface Definition {
  readonly def: readonly Uint8Array[];
  readonly metadata?: Readonly<Record<string, object>>;
}

export interface CacheEntry {
  readonly Type: string;
  readonly Attrs: Attributes;
}

export interface Exporter {
  readonly Type: string;
  readonly Attrs: Attributes;
}

/** moby.buildkit.v1.SolveRequest */
export interface ControlSolveRequest {
  readonly Ref: string;
  readonly Definition: Definition | null;
  readonly ExporterDeprecated: string;
  readonly ExporterAttrsDeprecated: Attributes;
  readonly Session: string;
  readonly Frontend: string;
  readonly FrontendAttrs: Attributes;
  readonly Cache: {
    readonly ExportRefDeprecated: string;
    readonly ImportRefsDeprecated: readonly string[];
    readonly Exports: readonly CacheEntry[];
    readonly Imports: readonly CacheEntry[];
  } | null;
  readonly Entitlements: readonly string[];
  readonly FrontendInputs: Readonly<Record<string, Definition>>;
  /** Of the client itself, and not part of the history. */
  readonly Internal: boolean;
  readonly SourcePolicy: Uint8Array;
  readonly Exporters: readonly Exporter[];
  readonly EnableSessionExporter: boolean;
}

/** moby.buildkit.v1.frontend.SolveRequest */
export interface GatewaySolveRequest {
  readonly Definition: Definition | null;
  readonly Frontend: string;
  readonly FrontendOpt: Attributes;
  readonly CacheImports: readonly CacheEntry[];
  readonly FrontendInputs: Readonly<Record<string, Definition>>;
  readonly SourcePolicies: readonly Uint8Array[];
}

/** moby.buildkit.v1.frontend.ReturnRequest */
export interface GatewayReturnRequest {
  readonly result: { readonly ref?: { readonly id: string }; readonly refDeprecated?: string } | null;
  readonly error: RpcStatus | null;
}

/** google.rpc.Status */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  readonly details: readonly { readonly type_url: string; readonly value: Uint8Array }[];
}

export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** moby.buildkit.v1.Vertex */
export interface Vertex {
  readonly digest: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly cached?: boolean;
  readonly started?: Timestamp;
  readonly completed?: Timestamp;
  readonly error?: string;
}

/** moby.buildkit.v1.VertexStatus */
export interface VertexStatus {
  readonly ID: string;
  readonly vertex: string;
  readonly name: string;
  readonly current: number;
  readonly total: number;
  readonly timestamp: Timestamp;
  readonly started: Timestamp;
  readonly completed?: Timestamp;
}

/** moby.buildkit.v1.VertexLog */
interface VertexLog {
  readonly vertex: string;
  readonly timestamp: Timestamp;
  readonly stream: number;
  readonly msg: Uint8Array;
}

/** moby.buildkit.v1.VertexWarning */
export interface VertexWarning {
  readonly vertex: string;
  readonly level: number;
  readonly short: Uint8Array;
  readonly detail: readonly Uint8Array[];
  readonly url: string;
  readonly info: { readonly filename: string; readonly data: Uint8Array; readonly language: string };
  readonly ranges: readonly SourceRange[];
}

/** pb.Range */
export interface SourceRange {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

/** moby.buildkit.v1.StatusResponse */
export interface StatusResponse {
  readonly vertexes?: readonly Vertex[];
  readonly statuses?: readonly VertexStatus[];
  readonly logs?: readonly VertexLog[];
  readonly warnings?: readonly VertexWarning[];
}

/** fsutil.types.Stat */
export interface FileStat {
  readonly path: string;
  /** As Go's `os.FileMode`. */
  readonly mode: number;
  readonly size: number;
  /** Nanoseconds; as a number it is exact to about 256 ns. */
  readonly modTime: number;
  readonly linkname: string;
  readonly devmajor: number;
  readonly devminor: number;
  readonly xattrs: Readonly<Record<string, Uint8Array>>;
}

/** fsutil.types.Packet */
export interface Packet {
  readonly type: number;
  readonly stat: FileStat | null;
  readonly ID: number;
  readonly data: Uint8Array;
}
