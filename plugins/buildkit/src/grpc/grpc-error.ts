import { EngineError, messageOf } from '@gantry/core/errors';

/** Numbers of https://grpc.github.io/grpc/core/md_doc_statuscodes.html. */
const grpcCodes = {
  ok: 0,
  canceled: 1,
  unknown: 2,
  'invalid-argument': 3,
  'deadline-exceeded': 4,
  'not-found': 5,
  'already-exists': 6,
  'permission-denied': 7,
  'resource-exhausted': 8,
  'failed-precondition': 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

type GrpcCode = keyof typeof grpcCodes;

/** The error of a call, as the other side sees it. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';

  constructor(
    readonly code: GrpcCode | number,
    message: string,
    { status, ...options }: ErrorOptions & { readonly status?: Uint8Array } = {},
  ) {
    super(message, options);
    this.status = status;
  }

  /** The error as an encoded message `google.rpc.Status`, where it has details. */
  readonly status: Uint8Array | undefined;

  get number(): number {
    return typeof this.code === 'number' ? this.code : grpcCodes[this.code];
  }
}

const codeOfKind: Readonly<Record<string, GrpcCode>> = {
  'invalid-argument': 'invalid-argument',
  unauthorized: 'unauthenticated',
  forbidden: 'permission-denied',
  'not-found': 'not-found',
  conflict: 'failed-precondition',
  'not-implemented': 'unimplemented',
  unavailable: 'unavailable',
  internal: 'internal',
};

/** The status that a call which failed with this error ends with. */
export function toGrpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  if (EngineError.is(error)) {
    return new GrpcError(codeOfKind[error.kind] ?? 'unknown', error.message, { cause: error });
  }
  if (error instanceof Error && error.name === 'AbortError') return new GrpcError('canceled', 'context canceled');
  return new GrpcError('unknown', messageOf(error), { cause: error });
}
