import { eventually } from '@gantry/test-engine';
import tracing from '@gantry/tracing';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import test from 'ava';
import { startApi } from './testing/start-engine.js';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));

/** The names of spans below one, each behind those above it. */
function treeBelow(root: ReadableSpan, spans: readonly ReadableSpan[], path = ''): readonly string[] {
  const name = path === '' ? root.name : `${path} > ${root.name}`;
  const children = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === root.spanContext().spanId);
  return [name, ...children.flatMap((child) => treeBelow(child, spans, name))];
}

async function finished(name: string): Promise<ReadableSpan> {
  const find = () => exporter.getFinishedSpans().find((span) => span.name === name);
  await eventually(`the span ${name} has ended`, () => find() !== undefined);
  return find() as ReadableSpan;
}

test.serial('the start of a container is one trace, from the request to the drivers and the runtime', async (t) => {
  const api = await startApi(t, { use: [tracing] });
  const id = await api.create({ Cmd: ['sleep', '300'] });
  exporter.reset();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const answer = await api.ask('POST', `/containers/${id}/start`, { headers: { traceparent } });
  t.is(answer.status, 204);
  const root = await finished('POST /containers/:id/start');
  t.like(root.attributes, { 'http.route': '/containers/:id/start', 'http.response.status_code': 204 });
  const spans = exporter.getFinishedSpans();
  const tree = treeBelow(root, spans);
  const request = 'POST /containers/:id/start';
  for (const call of [
    'storage/memory mount',
    'sandbox/memory create',
    'runtime/memory create',
    'state/memory transaction',
  ]) {
    t.true(tree.includes(`${request} > ${call}`), `${call} of\n${tree.join('\n')}`);
  }
  t.is(new Set(tree.map((each) => each.split(' > ')[0])).size, 1);
  t.true(spans.every((span) => span.endTime[0] > 0));
});

test.serial('a call that fails and an unknown path are marked, and nothing is traced without a request', async (t) => {
  const api = await startApi(t, { use: [tracing] });
  exporter.reset();
  t.is((await api.get('/nowhere/at/all')).status, 404);
  const span = await finished('GET');
  t.like(span.attributes, { 'http.response.status_code': 404, 'url.path': '/nowhere/at/all' });
  exporter.reset();
  const state = api.kernel.drivers({
    kind: 'state',
    token: Symbol.for('gantry.driver.state/1'),
    version: { major: 1, minor: 0 },
  });
  t.is(state.ids.length, 1);
  t.deepEqual(exporter.getFinishedSpans(), []);
});
