import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { account, startDistribution } from '../testing/distribution.js';
import { idOf, makeImage, pull, push, remove, startPuller } from '../testing/harness.js';
import { tarOf } from '../testing/tar.js';

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

/** Puts an OCI image into a registry as another tool makes it: compressed and written in a way of its own. */
async function publish(
  host: string,
  name: string,
  authorization: Readonly<Record<string, string>> = {},
): Promise<{ readonly digest: string; readonly id: string }> {
  const tar = await tarOf({ file: 'content '.repeat(1000) });
  const layer = gzipSync(tar, { level: 1 });
  const configuration = Buffer.from(
    JSON.stringify({ architecture, os: 'linux', config: {}, rootfs: { type: 'layers', diff_ids: [digestOf(tar)] } }),
  );
  const descriptors = [];
  for (const [kind, bytes] of [
    ['config.v1+json', configuration],
    ['layer.v1.tar+gzip', layer],
  ] as const) {
    const opened = await fetch(`http://${host}/v2/${name}/blobs/uploads/`, {
      method: 'POST',
      headers: authorization,
    });
    const place = new URL(opened.headers.get('location') ?? '', `http://${host}`);
    place.searchParams.set('digest', digestOf(bytes));
    await fetch(place, { method: 'PUT', body: bytes, headers: authorization });
    const mediaType = `application/vnd.oci.image.${kind}`;
    descriptors.push({ mediaType, digest: digestOf(bytes), size: bytes.length });
  }
  const [config, ...layers] = descriptors;
  const manifest = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config, layers, annotations: { kept: 'yes' } }),
  );
  const headers = { ...authorization, 'Content-Type': manifestType };
  await fetch(`http://${host}/v2/${name}/manifests/1`, { method: 'PUT', body: manifest, headers });
  return { digest: digestOf(manifest), id: digestOf(configuration) };
}

const digestAt = async (host: string, name: string, tag: string): Promise<string | null> => {
  const answer = await fetch(`http://${host}/v2/${name}/manifests/${tag}`, { headers: { Accept: manifestType } });
  return answer.headers.get('docker-content-digest');
};

test('a pulled image keeps its manifest when it is pushed under another tag or to another repository', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t);
  const { digest, id } = await publish(host, 'team/app');
  await pull(engine, { fromImage: `${host}/team/app`, tag: '1' });
  t.is(await idOf(engine, `${host}/team/app:1`), id);
  for (const [repository, how] of [
    ['team/app', 'Layer already exists'],
    ['other/app', 'Mounted from team/app'],
  ]) {
    await engine.ask('POST', `/images/${id}/tag?repo=${host}/${repository}&tag=2`);
    const pushed = await push(engine, `${host}/${repository}`, '2');
    t.is(pushed.lines.at(-1)?.aux?.Digest, digest);
    t.true(pushed.texts.some((text) => text.endsWith(`: ${how}`)));
    t.is(await digestAt(host, repository ?? '', '2'), digest);
  }
});

test('a pulled image keeps its manifest at another registry: its layers are copied from where it came', async (t) => {
  const engine = await startPuller(t);
  const [from, to] = [await startDistribution(t), await startDistribution(t)];
  const { digest, id } = await publish(from.host, 'team/app');
  await pull(engine, { fromImage: `${from.host}/team/app`, tag: '1' });
  await engine.ask('POST', `/images/${id}/tag?repo=${to.host}/app&tag=1`);
  const pushed = await push(engine, `${to.host}/app`, '1');
  t.is(pushed.error, undefined);
  t.is(pushed.lines.at(-1)?.aux?.Digest, digest);
  t.is(await digestAt(to.host, 'app', '1'), digest);
});

test('layers that cannot be read where they came from are compressed again, and the push says so', async (t) => {
  const engine = await startPuller(t);
  const [from, to] = [await startDistribution(t, { basic: true }), await startDistribution(t)];
  const { username, password } = account;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const { digest, id } = await publish(from.host, 'team/app', { Authorization: `Basic ${basic}` });
  const login = Buffer.from(JSON.stringify({ username, password, serveraddress: from.host })).toString('base64url');
  await pull(engine, { fromImage: `${from.host}/team/app`, tag: '1' }, { 'X-Registry-Auth': login });
  await engine.ask('POST', `/images/${id}/tag?repo=${to.host}/app&tag=1`);
  const pushed = await push(engine, `${to.host}/app`, '1');
  t.is(pushed.error, undefined);
  t.not(pushed.lines.at(-1)?.aux?.Digest, digest);
  t.true(
    pushed.texts.some((text) => text.includes(`${from.host}/team/app does not serve layer`)),
    pushed.texts.join(),
  );
  await remove(engine, id);
  await pull(engine, { fromImage: `${to.host}/app`, tag: '1' });
  t.is(await idOf(engine, `${to.host}/app:1`), id);
});

test('a push for another platform than that of the image is refused', async (t) => {
  const engine = await startPuller(t);
  const { host } = await startDistribution(t);
  await makeImage(engine, `${host}/app`, '1');
  const platform = encodeURIComponent('{"os":"linux","architecture":"s390x"}');
  const refused = await engine.ask('POST', `/images/${host}/app/push?tag=1&platform=${platform}`);
  t.is(refused.status, 404);
  t.regex(String(refused.json().message), /does not match the specified platform \(linux\/s390x\)$/);
  t.is((await engine.ask('POST', `/images/${host}/app/push?tag=1&platform=x`)).status, 400);
});
