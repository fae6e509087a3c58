import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { imageOf, manifestArchive, tarOf } from '../testing/archives.js';
import { imageHarness } from '../testing/harness.js';
import { toHistoryItem, toInspect } from '../wire.js';

const layer = await tarOf({ 'etc/x': 'x' });
const configFields = [
  ...['User', 'WorkingDir', 'StopSignal', 'Env', 'Entrypoint', 'Cmd', 'OnBuild', 'Shell', 'ExposedPorts', 'Volumes'],
  ...['Healthcheck', 'Labels'],
];
const documentFields = [
  ...['created', 'author', 'comment', 'docker_version', 'container', 'config', 'container_config', 'history'],
  ...['architecture', 'os', 'variant'],
];
const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

const cases: Readonly<Record<string, object>> = {
  ...Object.fromEntries(documentFields.map((name) => [`${name} null`, { [name]: null }])),
  ...Object.fromEntries(configFields.map((name) => [`config.${name} null`, { config: { [name]: null } }])),
  'everything null': nulls(documentFields),
  'every field of config null': { config: nulls(configFields), container_config: nulls(configFields) },
  'fields of the history null': { history: [nulls(['created', 'created_by', 'author', 'comment', 'empty_layer'])] },
  'fields of the health check null': { config: { Healthcheck: nulls(['Test', 'Interval', 'Timeout', 'Retries']) } },
  'Cmd and Entrypoint as one string': { config: { Cmd: 'sh', Entrypoint: '/init' } },
  'no config at all': { config: undefined },
};

for (const [name, more] of Object.entries(cases)) {
  test(`an image is loaded, inspected, listed, saved and built on: ${name}`, async (t) => {
    const harness = await imageHarness(t);
    const image = imageOf([layer], more);
    await harness.load(await manifestArchive([{ ...image, tags: ['web:1'] }]));
    const { inspectImage, imageHistory, listImages, saveImages, exchange } = harness.area;
    const inspected = toInspect(await inspectImage.inspect('web:1'), { container: true, containerFields: true });
    t.like(inspected, { Id: image.id, Architecture: 'amd64', Os: 'linux' });
    t.is(listImages.list({ all: true, labels: ['a'], before: [], since: [], references: [] }).length, 0);
    t.notThrows(() => imageHistory.history('web:1').map(toHistoryItem));
    const made = await exchange.create({
      parent: image.id,
      config: harness.area.service.get('web:1').config,
      createdBy: 's',
    });
    t.is(imageHistory.history(made).length, 2);
    t.true((await buffer(saveImages.save(['web:1', made]))).length > 0);
    const again = await imageHarness(t);
    await again.load(await buffer(saveImages.save(['web:1'])));
    t.is(again.area.service.get('web:1').id, image.id);
  });
}
