import protobuf from 'protobufjs';

/** The part of etcd's API, version 3, that this driver uses. Numbers and names are etcd's. */
const source = `
syntax = "proto3";
package etcdserverpb;

message ResponseHeader { uint64 cluster_id = 1; uint64 member_id = 2; int64 revision = 3; uint64 raft_term = 4; }
message KeyValue { bytes key = 1; int64 create_revision = 2; int64 mod_revision = 3; int64 version = 4; bytes value = 5; }

message RangeRequest { bytes key = 1; bytes range_end = 2; int64 limit = 3; int64 revision = 4; bool serializable = 7; }
message RangeResponse { ResponseHeader header = 1; repeated KeyValue kvs = 2; bool more = 3; int64 count = 4; }
message PutRequest { bytes key = 1; bytes value = 2; }
message DeleteRangeRequest { bytes key = 1; bytes range_end = 2; }

message Compare {
  int32 result = 1;
  int32 target = 2;
  bytes key = 3;
  oneof target_union { int64 version = 4; int64 create_revision = 5; int64 mod_revision = 6; bytes value = 7; }
}
message RequestOp {
  oneof request {
    RangeRequest request_range = 1;
    PutRequest request_put = 2;
    DeleteRangeRequest request_delete_range = 3;
  }
}
message TxnRequest { repeated Compare compare = 1; repeated RequestOp success = 2; repeated RequestOp failure = 3; }
message TxnResponse { ResponseHeader header = 1; bool succeeded = 2; }

message CompactionRequest { int64 revision = 1; bool physical = 2; }
message CompactionResponse { ResponseHeader header = 1; }

message Event { int32 type = 1; KeyValue kv = 2; }
message WatchCreateRequest { bytes key = 1; bytes range_end = 2; int64 start_revision = 3; }
message WatchRequest { oneof request_union { WatchCreateRequest create_request = 1; } }
message WatchResponse {
  ResponseHeader header = 1;
  int64 watch_id = 2;
  bool created = 3;
  bool canceled = 4;
  int64 compact_revision = 5;
  string cancel_reason = 6;
  repeated Event events = 11;
}

message StatusRequest {}
message StatusResponse {
  ResponseHeader header = 1;
  string version = 2;
  int64 dbSize = 3;
  uint64 leader = 4;
  repeated string errors = 8;
  int64 dbSizeInUse = 9;
  bool isLearner = 10;
}
message AlarmRequest { int32 action = 1; uint64 memberID = 2; int32 alarm = 3; }
message AlarmMember { uint64 memberID = 1; int32 alarm = 2; }
message AlarmResponse { ResponseHeader header = 1; repeated AlarmMember alarms = 2; }
message DefragmentRequest {}
message DefragmentResponse { ResponseHeader header = 1; }
message SnapshotRequest {}
message SnapshotResponse { ResponseHeader header = 1; uint64 remaining_bytes = 2; bytes blob = 3; }

message Member { uint64 ID = 1; string name = 2; repeated string peerURLs = 3; bool isLearner = 5; }
message MemberAddRequest { repeated string peerURLs = 1; bool isLearner = 2; }
message MemberAddResponse { ResponseHeader header = 1; Member member = 2; }
message MemberUpdateRequest { uint64 ID = 1; repeated string peerURLs = 2; }
message MemberUpdateResponse { ResponseHeader header = 1; }
message MemberRequest { uint64 ID = 1; }
message MembersResponse { ResponseHeader header = 1; repeated Member members = 2; }
message MoveLeaderRequest { uint64 targetID = 1; }
message MoveLeaderResponse { ResponseHeader header = 1; }
message MemberListRequest {}
message MemberListResponse { ResponseHeader header = 1; repeated Member members = 2; }
`;

export interface ResponseHeader {
  readonly memberId: string;
  readonly revision: string;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly createRevision: string;
  readonly modRevision: string;
  readonly value: Buffer;
}

export interface Compare {
  readonly result: 0;
  readonly target: 1 | 2 | 3;
  readonly key: Buffer;
  readonly createRevision?: number;
  readonly modRevision?: number;
  readonly value?: Buffer;
}

export type RequestOp =
  | { readonly requestPut: { readonly key: Buffer; readonly value: Buffer } }
  | { readonly requestDeleteRange: { readonly key: Buffer } };

export interface WatchResponse {
  readonly header: ResponseHeader;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: string;
  readonly cancelReason: string;
  readonly events: readonly { readonly type: number; readonly kv: KeyValue }[];
}

/** How a message is written and read. Integers of 64 bits are read as text, bytes as buffers. */
export interface Codec<Q, A> {
  encode(request: Q): Buffer;
  decode(bytes: Buffer): A;
}

const { root } = protobuf.parse(source);

export function codec<Q, A>(request: string, response: string): Codec<Q, A> {
  const asked = root.lookupType(`etcdserverpb.${request}`);
  const answered = root.lookupType(`etcdserverpb.${response}`);
  return {
    encode: (value) => Buffer.from(asked.encode(asked.fromObject(value as object)).finish()),
    decode: (bytes) => answered.toObject(answered.decode(bytes), { longs: String, defaults: true }) as A,
  };
}
