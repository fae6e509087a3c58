import { messageOf } from '@gantry/core/errors';
import { bodyStream, jsonStream, queryOf, type Router, statuses } from '@gantry/core/http';
import { decodeRegistryConfig } from '@gantry/engine-api/service';
import { StepFailed } from './build-error.js';
import { parseBuildQuery } from './build-query.js';
import type { Builder } from './builder.js';
import { BuildOutput } from './output.js';

/** Spec: POST /build. What goes wrong once the parameters are read is told in the stream. */
export function buildRoutes(router: Router, builder: Builder): void {
  router.post('/build', statuses.unavailableIsServerError, async (ctx) => {
    const query = queryOf(ctx);
    const request = parseBuildQuery(query, decodeRegistryConfig(ctx.get('X-Registry-Config')));
    const { signal } = ctx.state;
    const stream = jsonStream(ctx).open();
    const output = new BuildOutput(stream, request.quiet);
    const source = {
      body: bodyStream(ctx),
      remote: query.string('remote') ?? '',
      buildFile: query.string('buildfile') ?? '',
    };
    try {
      await builder.build(source, request, output, { signal });
    } catch (error) {
      if (!signal.aborted) await output.failure(messageOf(error), error instanceof StepFailed ? error.code : undefined);
    }
  });
}
