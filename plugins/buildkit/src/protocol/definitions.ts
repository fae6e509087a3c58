/**
 * The messages of BuildKit's public protocol that this package reads or writes; fields that it neither reads nor has to
 * refuse are left out. See https://github.com/moby/buildkit, https://github.com/tonistiigi/fsutil.
 */
export const definitions: readonly string[] = [
  `syntax = "proto3";
   package google.protobuf;
   message Timestamp { int64 seconds = 1; int32 nanos = 2; }
   message Any { string type_url = 1; bytes value = 2; }`,

  `syntax = "proto3";
   package google.rpc;
   message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }`,

  `syntax = "proto3";
   package pb;
   message Platform { string Architecture = 1; string OS = 2; string Variant = 3; }
   message Definition { repeated bytes def = 1; map<string, OpMetadata> metadata = 2; }
   message OpMetadata {}
   message Op { repeated Input inputs = 1; SourceOp source = 3; }
   message Input { string digest = 1; int64 index = 2; }
   message SourceOp { string identifier = 1; }
   message SourceInfo { string filename = 1; bytes data = 2; Definition definition = 3; string language = 4; }
   message Range { Position start = 1; Position end = 2; }
   message Position { int32 line = 1; int32 character = 2; }`,

  `syntax = "proto3";
   package moby.buildkit.v1.types;
   message WorkerRecord {
     string ID = 1;
     map<string, string> Labels = 2;
     repeated pb.Platform platforms = 3;
     BuildkitVersion BuildkitVersion = 5;
   }
   message BuildkitVersion { string package = 1; string version = 2; string revision = 3; }`,

  `syntax = "proto3";
   package moby.buildkit.v1.apicaps;
   message APICap { string ID = 1; bool Enabled = 2; }`,

  `syntax = "proto3";
   package moby.buildkit.v1;
   message DiskUsageRequest { repeated string filter = 1; }
   message DiskUsageResponse { repeated UsageRecord record = 1; }
   message PruneRequest {
     repeated string filter = 1; bool all = 2; int64 keepDuration = 3;
     int64 reservedSpace = 4; int64 maxUsedSpace = 5; int64 minFreeSpace = 6;
   }
   message UsageRecord {
     string ID = 1; bool Mutable = 2; bool InUse = 3; int64 Size = 4;
     google.protobuf.Timestamp CreatedAt = 6; google.protobuf.Timestamp LastUsedAt = 7;
     int64 UsageCount = 8; string Description = 9; string RecordType = 10; bool Shared = 11; repeated string Parents = 12;
   }
   message SolveRequest {
     string Ref = 1;
     pb.Definition Definition = 2;
     string ExporterDeprecated = 3;
     map<string, string> ExporterAttrsDeprecated = 4;
     string Session = 5;
     string Frontend = 6;
     map<string, string> FrontendAttrs = 7;
     CacheOptions Cache = 8;
     repeated string Entitlements = 9;
     map<string, pb.Definition> FrontendInputs = 10;
     bool Internal = 11;
     bytes SourcePolicy = 12;
     repeated Exporter Exporters = 13;
     bool EnableSessionExporter = 14;
   }
   message Exporter { string Type = 1; map<string, string> Attrs = 2; }
   message CacheOptions {
     string ExportRefDeprecated = 1;
     repeated string ImportRefsDeprecated = 2;
     repeated CacheOptionsEntry Exports = 4;
     repeated CacheOptionsEntry Imports = 5;
   }
   message CacheOptionsEntry { string Type = 1; map<string, string> Attrs = 2; }
   message SolveResponse { map<string, string> ExporterResponse = 1; }
   message BytesMessage { bytes data = 1; }
   message StatusRequest { string Ref = 1; }
   message StatusResponse {
     repeated Vertex vertexes = 1;
     repeated VertexStatus statuses = 2;
     repeated VertexLog logs = 3;
     repeated VertexWarning warnings = 4;
   }
   message Vertex {
     string digest = 1; repeated string inputs = 2; string name = 3; bool cached = 4;
     google.protobuf.Timestamp started = 5; google.protobuf.Timestamp completed = 6; string error = 7;
   }
   message VertexStatus {
     string ID = 1; string vertex = 2; string name = 3; int64 current = 4; int64 total = 5;
     google.protobuf.Timestamp timestamp = 6; google.protobuf.Timestamp started = 7; google.protobuf.Timestamp completed = 8;
   }
   message VertexLog { string vertex = 1; google.protobuf.Timestamp timestamp = 2; int64 stream = 3; bytes msg = 4; }
   message VertexWarning {
     string vertex = 1; int64 level = 2; bytes short = 3; repeated bytes detail = 4; string url = 5;
     pb.SourceInfo info = 6; repeated pb.Range ranges = 7;
   }
   message ListWorkersRequest { repeated string filter = 1; }
   message ListWorkersResponse { repeated moby.buildkit.v1.types.WorkerRecord record = 1; }
   message BuildHistoryRequest {
     bool ActiveOnly = 1; string Ref = 2; bool EarlyExit = 3; repeated string Filter = 4; int32 Limit = 5;
   }
   message BuildHistoryEvent { int32 type = 1; BuildHistoryRecord record = 2; }
   message BuildHistoryRecord {
     string Ref = 1;
     string Frontend = 2;
     map<string, string> FrontendAttrs = 3;
     repeated Exporter Exporters = 4;
     google.rpc.Status error = 5;
     google.protobuf.Timestamp CreatedAt = 6;
     google.protobuf.Timestamp CompletedAt = 7;
     map<string, string> ExporterResponse = 9;
     bool pinned = 14;
     int32 numCachedSteps = 15; int32 numTotalSteps = 16; int32 numCompletedSteps = 17;
   }
   message UpdateBuildHistoryRequest { string Ref = 1; bool Pinned = 2; bool Delete = 3; bool Finalize = 4; }
   message UpdateBuildHistoryResponse {}
   message InfoRequest {}
   message InfoResponse { moby.buildkit.v1.types.BuildkitVersion buildkitVersion = 1; }`,

  `syntax = "proto3";
   package moby.buildkit.v1.frontend;
   message PingRequest {}
   message PongResponse {
     repeated moby.buildkit.v1.apicaps.APICap FrontendAPICaps = 1;
     repeated moby.buildkit.v1.apicaps.APICap LLBCaps = 2;
     repeated moby.buildkit.v1.types.WorkerRecord Workers = 3;
   }
   message SolveRequest {
     pb.Definition Definition = 1;
     string Frontend = 2;
     map<string, string> FrontendOpt = 3;
     bool Final = 10;
     repeated CacheOptionsEntry CacheImports = 12;
     map<string, pb.Definition> FrontendInputs = 13;
     bool Evaluate = 14;
     repeated bytes SourcePolicies = 15;
   }
   message CacheOptionsEntry { string Type = 1; map<string, string> Attrs = 2; }
   message SolveResponse { Result result = 3; }
   message Ref { string id = 1; pb.Definition def = 2; }
   message RefMap { map<string, Ref> refs = 1; }
   message Result {
     oneof result { string refDeprecated = 1; Ref ref = 3; RefMap refs = 4; }
     map<string, bytes> metadata = 10;
   }
   message ReturnRequest { Result result = 1; google.rpc.Status error = 2; }
   message ReturnResponse {}
   message EvaluateRequest { string Ref = 1; }
   message EvaluateResponse {}`,

  `syntax = "proto3";
   package fsutil.types;
   message Stat {
     string path = 1; uint32 mode = 2; uint32 uid = 3; uint32 gid = 4; int64 size = 5; int64 modTime = 6;
     string linkname = 7; int64 devmajor = 8; int64 devminor = 9; map<string, bytes> xattrs = 10;
   }
   message Packet {
     enum PacketType { PACKET_STAT = 0; PACKET_REQ = 1; PACKET_DATA = 2; PACKET_FIN = 3; PACKET_ERR = 4; }
     PacketType type = 1; Stat stat = 2; uint32 ID = 3; bytes data = 4;
   }`,

  `syntax = "proto3";
   package moby.filesync.v1;
   message BytesMessage { bytes data = 1; }
   message CredentialsRequest { string Host = 1; }
   message CredentialsResponse { string Username = 1; string Secret = 2; }`,

  `syntax = "proto3";
   package moby.upload.v1;
   message BytesMessage { bytes data = 1; }`,

  `syntax = "proto3";
   package containerd.services.content.v1;
   message ReadContentRequest { string digest = 1; int64 offset = 2; int64 size = 3; }
   message ReadContentResponse { int64 offset = 1; bytes data = 2; }
   message WriteContentRequest {
     int32 action = 1; string ref = 2; int64 total = 3; string expected = 4; int64 offset = 5; bytes data = 6;
   }
   message WriteContentResponse { int32 action = 1; int64 offset = 4; int64 total = 5; string digest = 6; }`,

  `syntax = "proto3";
   package moby.buildkit.secrets.v1;
   message GetSecretRequest { string ID = 1; }
   message GetSecretResponse { bytes data = 1; }`,

  `syntax = "proto3";
   package moby.sshforward.v1;
   message BytesMessage { bytes data = 1; }
   message CheckAgentRequest { string ID = 1; }
   message CheckAgentResponse {}`,

  `syntax = "proto3";
   package opentelemetry.proto.collector.trace.v1;
   message ExportTraceServiceRequest {}
   message ExportTraceServiceResponse {}`,
];
