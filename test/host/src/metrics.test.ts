import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { startContainer } from './testing/run-in.js';

const dashboard = fileURLToPath(new URL('../../../docs/grafana/gantry.json', import.meta.url));

const scrape = (socketPath: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ socketPath, path: '/metrics' }, (response) => void text(response).then(resolve, reject))
      .on('error', reject)
      .end();
  });

/** The names of series, by what the types of their metrics make of them. */
const seriesOf = (exposition: string): ReadonlySet<string> =>
  new Set(exposition.split('\n').flatMap((line) => /^([a-z_]+)[{ ]/.exec(line)?.[1] ?? []));

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

test('every metric of the dashboard is one of the engine, and promtool of Prometheus finds no fault', async (t) => {
  const { client, socket } = await startDaemon(t, { extraPackages: ['@gantry/metrics'] });
  await startContainer(client);
  await scrape(socket);
  const exposition = await scrape(socket);
  const series = seriesOf(exposition);
  const { panels, templating } = JSON.parse(await readFile(dashboard, 'utf8')) as {
    readonly panels: readonly Panel[];
    readonly templating: object;
  };
  t.true(panels.length > 10);
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const named = expr.match(/\bgantry_[a-z_]+/g) ?? [];
      t.true(named.length > 0, title);
      for (const name of named) t.true(series.has(name), `${title}: ${name}`);
    }
  }
  for (const name of JSON.stringify(templating).match(/\bgantry_[a-z_]+/g) ?? []) t.true(series.has(name), name);
  const check = promisify(execFile)('promtool', ['check', 'metrics']);
  check.child.stdin?.on('error', () => undefined).end(exposition);
  const { stdout, stderr } = await check;
  t.is(`${stdout}${stderr}`, '');
});
