import { randomUUID } from 'node:crypto';
import { BuildService, type BuildSource, type SessionBuild } from '@gantry/build/service';
import { inject, injectable } from '@gantry/core/driver';
import { EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import type { JsonStream } from '@gantry/core/http';
import { ImageService } from '@gantry/images/service';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ExportResult } from '../export/export-result.js';
import type { BuildJob } from '../jobs/build-job.js';
import { BuildJobs } from '../jobs/build-jobs.js';
import { describeFailure } from '../progress/describe-failure.js';
import { VertexOutput } from '../progress/vertex-output.js';
import type { ControlSolveRequest, Exporter } from '../protocol/messages.js';
import { Protocol } from '../protocol/protocol.js';
import { ClientSessions } from '../sessions/client-sessions.js';
import { credentialsOf } from '../sessions/registry-credentials.js';
import { BuildSources } from './build-sources.js';
import { parseFrontendAttributes } from './frontend-attributes.js';

const OutputsSchema = Type.Array(
  Type.Object({ Type: Type.String(), Attrs: Type.Optional(Type.Record(Type.String(), Type.String())) }),
);

/** `POST /build?version=2`, as CLIs before 23 and testcontainers send it: the progress is in the answer. */
@injectable()
export class SolveSessionBuild {
  constructor(
    @inject(BuildService.token) private readonly builder: BuildService,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ClientSessions) private readonly sessions: ClientSessions,
    @inject(BuildSources) private readonly sources: BuildSources,
    @inject(BuildJobs) private readonly jobs: BuildJobs,
    @inject(ExportResult) private readonly exportResult: ExportResult,
  ) {}

  /** Errors are reported in the stream once it has begun. */
  async build(build: SessionBuild): Promise<void> {
    const request = solveRequestOf(build);
    this.exportResult.check(request);
    const job = this.jobs.open(request);
    try {
      const stream = build.begin();
      const traced = trace(job, stream, build.signal);
      const outcome = await this.#run(job, build).then(
        (imageId) => ({ imageId }),
        (error: unknown) => ({ error }),
      );
      job.progress.end();
      await traced;
      const { reason } = build.signal;
      if (build.signal.aborted && !(reason instanceof EngineError)) return;
      if ('imageId' in outcome) {
        await stream.write({ id: 'moby.image.id', aux: { ID: outcome.imageId } });
        return;
      }
      const message = reason instanceof EngineError ? messageOf(reason) : describeFailure(outcome.error);
      await stream.write({ errorDetail: { message }, error: message });
    } finally {
      this.jobs.end(job);
    }
  }

  async #run(job: BuildJob, build: SessionBuild): Promise<string> {
    const signal = AbortSignal.any([build.signal, job.signal]);
    const session = build.session === '' ? undefined : await this.sessions.get(build.session, { signal });
    const defaults = parseFrontendAttributes(build.fileName === '' ? {} : { filename: build.fileName });
    let result = { imageId: '', stageImages: [] as readonly string[] };
    const complete = async (images: { readonly imageId: string; readonly stageImages: readonly string[] }) => {
      job.addResult(images, this.images.hold(images.imageId));
      result = images;
    };
    const request = {
      ...build.request,
      automaticArguments: defaults.request.automaticArguments,
      followsBuildKit: true,
      ...(session !== undefined && {
        credentials: credentialsOf(session, signal),
        readSecret: (id: string) => session.secret(id, { signal }),
        findAgent: (id: string) => session.agent(id, { signal }),
      }),
    };
    let source: BuildSource = { remote: build.remote, body: build.body, fileName: build.fileName };
    if (build.remote === 'client-session') {
      if (session === undefined) throw invalidArgument('session: remote=client-session needs the id of a session');
      build.body.resume();
      source = await this.sources.source({ job, session, signal }, defaults);
    }
    const output = new VertexOutput(job.progress);
    await this.builder.build(source, request, output, { signal, judge: build.judge, complete });
    await this.exportResult.export(job, result);
    return result.imageId;
  }
}

/** Writes the progress of a build into its answer, until the build has ended. */
async function trace(job: BuildJob, stream: JsonStream, signal: AbortSignal): Promise<void> {
  const type = (await Protocol.load()).type('moby.buildkit.v1.StatusResponse');
  for await (const status of job.progress.follow(signal)) {
    const bytes = type.encode(type.fromObject(status)).finish();
    await stream.write({ id: 'moby.buildkit.trace', aux: Buffer.from(bytes).toString('base64') });
  }
}

function solveRequestOf({ request, reference, session, outputs }: SessionBuild): ControlSolveRequest {
  const given = exportersOf(outputs);
  const image = { Type: 'moby', Attrs: request.tags.length === 0 ? {} : { name: request.tags.join(',') } };
  return {
    Ref: reference === '' ? randomUUID() : reference,
    Session: session,
    Exporters: given.length > 0 ? given : [image],
    Definition: null,
    ExporterDeprecated: '',
    ExporterAttrsDeprecated: {},
    Frontend: '',
    FrontendAttrs: {},
    Cache: null,
    Entitlements: [],
    FrontendInputs: {},
    Internal: false,
    SourcePolicy: new Uint8Array(),
    EnableSessionExporter: false,
  };
}

function exportersOf(outputs: string): readonly Exporter[] {
  if (outputs === '') return [];
  try {
    const list: unknown = JSON.parse(outputs);
    if (Value.Check(OutputsSchema, list)) return list.map(({ Type, Attrs = {} }) => ({ Type, Attrs }));
  } catch {
    // named below
  }
  throw invalidArgument(`outputs: ${outputs} is not a list of exporters`);
}
