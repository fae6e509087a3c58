import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { context } from '@opentelemetry/api';
import { AsyncContext } from './async-context.js';
import { configSchema } from './config.js';
import { EngineTracer, engineTracer } from './engine-tracer.js';
import { loadSdk } from './load-sdk.js';
import { TracedCalls } from './traced-calls.js';
import { TracedRequests } from './traced-requests.js';

export default definePlugin({
  id: 'tracing',
  requires: [EngineApi],
  configSchema,
  observer: () => new TracedCalls(engineTracer()),
  async setup({ config, container }) {
    if (config.sdk !== undefined) await loadSdk(config.sdk);
    // Does nothing when the program has one.
    context.setGlobalContextManager(new AsyncContext());
    container.registerFactory(EngineTracer, [], engineTracer);
    return TracedRequests;
  },
});
