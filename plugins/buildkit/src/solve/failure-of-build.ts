import { BuildFileError, StepFailed } from '@gantry/build/service';
import { GrpcError } from '../grpc/grpc-error.js';
import { describeFailure } from '../progress/describe-failure.js';
import { rangesOf } from '../progress/ranges-of.js';
import type { VertexOutput } from '../progress/vertex-output.js';
import { Protocol } from '../protocol/protocol.js';
import { encodeStatus } from './encode-status.js';

/** Code of errors that clients print no name for. */
const unknown = 2;

/** Longest build file that is sent along, in characters: it travels in the header of an answer. */
const maxLength = 2 ** 19;

/**
 * The error of a build as clients get it. Its details, in the form of BuildKit, have the build file with the lines that
 * failed, the vertex that shows them, and the exit code of a program.
 */
export async function failureOfBuild(error: unknown, { file, failed }: VertexOutput): Promise<GrpcError> {
  const message = describeFailure(error);
  const lines = error instanceof BuildFileError ? error.lines : failed?.lines;
  const details = [
    ...(file === undefined || lines === undefined || file.text.length > maxLength
      ? []
      : [detail('errdefs.Source', { info: sourceInfo(file.name, file.text), ranges: rangesOf(lines) })]),
    ...(failed?.digest === undefined ? [] : [detail('errdefs.Vertex', { digest: failed.digest })]),
    ...(error instanceof StepFailed ? [detail('gatewayapi.ExitMessage', { Code: error.code })] : []),
  ];
  const status = encodeStatus(await Protocol.load(), { code: unknown, message, details });
  return new GrpcError(unknown, message, { cause: error, status });
}

/** Details have the names of Go's types, and their fields as JSON. */
const detail = (name: string, value: object) => ({
  type_url: `github.com/moby/buildkit/${name}+json`,
  value: Buffer.from(JSON.stringify(value)),
});

const sourceInfo = (filename: string, text: string) => ({
  filename,
  data: Buffer.from(text).toString('base64'),
  language: 'Dockerfile',
});
