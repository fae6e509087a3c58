import { messageOf } from '@gantry/core/errors';
import type { CallObserver, ObservedCall } from '@gantry/core/plugin';
import { context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';

/**
 * Makes a span of each call of a driver that takes its time, which is one that returns a promise. What answers at once is
 * not worth one.
 */
export class TracedCalls implements CallObserver {
  constructor(private readonly tracer: Tracer) {}

  observe<T>({ kind, id, method }: ObservedCall, run: () => T): T {
    const active = context.active();
    // Work that no request asked for, such as of timers, would be a trace of one span each.
    if (trace.getSpan(active) === undefined) return run();
    const attributes = { 'gantry.driver.kind': kind, 'gantry.driver.id': id };
    const span = this.tracer.startSpan(`${kind}/${id} ${method}`, { attributes }, active);
    const result = context.with(trace.setSpan(active, span), run);
    return result instanceof Promise ? (ended(span, result) as T) : result;
  }
}

/** The result, with the span ended when it is there. */
function ended<T>(span: Span, result: Promise<T>): Promise<T> {
  return result.then(
    (value) => {
      span.end();
      return value;
    },
    (error: unknown) => {
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      span.end();
      throw error;
    },
  );
}
