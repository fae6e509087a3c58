import { version } from '@gantry/core';
import { type Tracer, trace } from '@opentelemetry/api';

export const EngineTracer = Symbol('gantry.tracing.tracer');
export type EngineTracer = Tracer;

/** Of the tracer provider that the program has registered, now or later. Without one its spans are not recorded. */
export const engineTracer = (): Tracer => trace.getTracer('gantry', version);
