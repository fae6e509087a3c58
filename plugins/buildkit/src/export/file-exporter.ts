import type { Readable } from 'node:stream';
import { BuildService } from '@gantry/build/service';
import { inject, injectable } from '@gantry/core/driver';
import { notImplemented } from '@gantry/core/errors';
import { ImageArchives } from '@gantry/images/service';
import type { BuildJob } from '../jobs/build-job.js';
import { describeFailure } from '../progress/describe-failure.js';
import type { Attributes, Exporter } from '../protocol/messages.js';
import type { ClientSession } from '../sessions/client-session.js';
import { ClientSessions } from '../sessions/client-sessions.js';
import { namesOf } from './names-of.js';
import { sendDirectory } from './send-directory.js';

/** Attributes of each type that ask for what is done anyway. */
const fulfilled: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  local: { 'platform-split': /^(?:0|f|false)$/i, mode: /^copy$/ },
  tar: { 'platform-split': /^(?:0|f|false)$/i },
  oci: { name: /./, tar: /^(?:1|t|true)$/i, compression: /^uncompressed$/, 'oci-mediatypes': /^(?:1|t|true)$/i },
  docker: { name: /./, tar: /^(?:1|t|true)$/i, compression: /^uncompressed$/ },
};

interface Target {
  /** The number of the exporter in its request. */
  readonly index: number;
  readonly exporter: Exporter;
}

/** The exporters that send the result to the client: as a directory or a tar of its files, or as an archive of the image. */
@injectable()
export class FileExporter {
  constructor(
    @inject(BuildService.token) private readonly builder: BuildService,
    @inject(ImageArchives.token) private readonly archives: ImageArchives,
    @inject(ClientSessions) private readonly sessions: ClientSessions,
  ) {}

  static serves({ Type }: Exporter): boolean {
    return Type in fulfilled;
  }

  /** @throws EngineError naming the attribute that cannot be honoured. */
  check({ Type, Attrs }: Exporter): void {
    for (const [name, value] of Object.entries(Attrs)) {
      if (fulfilled[Type]?.[name]?.test(value) === true) continue;
      throw notImplemented(`the attribute ${name}=${value} of exporter ${Type} is not supported by this builder`);
    }
    namesOf(Attrs);
  }

  /** Resolves to what the client gets to know of the result, when it has all of it. */
  async export(job: BuildJob, imageId: string, { index, exporter }: Target): Promise<Attributes> {
    const signal = job.signal;
    const session = await this.sessions.get(job.request.Session, { signal });
    const { Type, Attrs } = exporter;
    const vertex = job.progress
      .vertex(Type === 'local' ? 'exporting to client directory' : `exporting to ${Type}`)
      .start();
    try {
      if (Type === 'oci' || Type === 'docker') {
        const archive = this.archives.saveAs([{ id: imageId, tags: namesOf(Attrs) }], { signal });
        await this.#sendFile(session, index, archive, signal);
      } else await this.#sendFiles(session, index, { imageId, isTar: Type === 'tar', signal });
      vertex.complete();
    } catch (error) {
      vertex.complete({ error: describeFailure(error) });
      throw error;
    }
    return { 'containerimage.config.digest': imageId };
  }

  async #sendFiles(
    session: ClientSession,
    index: number,
    { imageId, isTar, signal }: { readonly imageId: string; readonly isTar: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const files = await this.builder.openFiles(imageId);
    try {
      if (isTar) await this.#sendFile(session, index, files.tar({ signal }), signal);
      else await sendDirectory(session.sendDirectory(index, { signal }), files, signal);
    } finally {
      await files.release();
    }
  }

  async #sendFile(session: ClientSession, index: number, content: Readable, signal: AbortSignal): Promise<void> {
    const call = session.sendFile(index, { signal });
    try {
      for await (const data of content as AsyncIterable<Buffer>) {
        for (let at = 0; at < data.length; at += 2 ** 20) await call.write({ data: data.subarray(at, at + 2 ** 20) });
      }
      call.end();
      // The client ends the call once it has written everything.
      for await (const _message of call.messages());
    } finally {
      content.destroy();
      call.cancel();
    }
  }
}
