import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { start, startRegistry } from './testing/policy-fixture.js';

const anything = { type: 'insecureAcceptAnything' };
const reject = { type: 'reject' };
const pemOf = (key: KeyObject) => Buffer.from(key.export({ type: 'spki', format: 'pem' })).toString('base64');

test('the most specific scope decides, and nothing of a rejected image is downloaded', async (t) => {
  const { asked, host, push } = await startRegistry(t);
  for (const repository of ['team/app', 'team/bad', 'other']) push(repository);
  push('team/bad', 'good');
  const docker = {
    [`${host}/team`]: [anything],
    [`${host}/team/bad`]: [reject],
    [`${host}/team/bad:good`]: [anything],
  };
  const pull = await start(t, { default: [reject], transports: { docker } });
  t.is(await pull(`${host}/team/app:latest`), undefined);
  t.is(await pull(`${host}/team/bad:good`), undefined);
  t.regex((await pull(`${host}/team/bad:latest`)) ?? '', /policy does not allow .*team\/bad:latest: .*rejected/);
  t.regex((await pull(`${host}/other:latest`)) ?? '', /rejected/);
  t.deepEqual(
    asked.filter((url) => /other\/blobs/.test(url)),
    [],
  );
});

for (const [kind, { publicKey, privateKey }] of [
  ['ECDSA', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['Ed25519', generateKeyPairSync('ed25519')],
] as const) {
  test(`an image needs a signature by the key, for its digest and its name: ${kind}`, async (t) => {
    const { attach, host, push } = await startRegistry(t);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const required = { type: 'sigstoreSigned', keyData: pemOf(publicKey), signedIdentity: { type: 'matchRepository' } };
    const pull = await start(t, { default: [required] });
    const signed = (repository: string, key: KeyObject, reference: string, digest?: string) => {
      attach(repository, push(repository), key, { reference, ...(digest !== undefined && { digest }) });
      return pull(`${host}/${repository}:latest`);
    };
    t.is(await signed('right', privateKey, `${host}/right`), undefined);
    t.regex((await signed('foreign', other.privateKey, `${host}/foreign`)) ?? '', /by none of the keys/);
    t.regex((await signed('renamed', privateKey, `${host}/right`)) ?? '', /a signature is for .*\/right/);
    const another = `sha256:${'1'.repeat(64)}`;
    t.regex((await signed('swapped', privateKey, `${host}/swapped`, another)) ?? '', /a signature is for sha256:111/);
    push('bare');
    t.regex((await pull(`${host}/bare:latest`)) ?? '', /it has no signature/);
  });
}

test('by default the signature names the tag; by digest the repository is enough', async (t) => {
  const { attach, host, push } = await startRegistry(t);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pull = await start(t, { default: [{ type: 'sigstoreSigned', keyDatas: [pemOf(publicKey)] }] });
  const digest = push('app', '1');
  attach('app', digest, privateKey, { reference: `${host}/app:2` });
  t.regex((await pull(`${host}/app:1`)) ?? '', /a signature is for .*app:2/);
  t.is(await pull(`${host}/app@${digest}`), undefined);
  attach('app', digest, privateKey, { reference: `${host}/app:1` });
  t.is(await pull(`${host}/app:1`), undefined);
});

test('an engine does not start with a policy that it cannot read or keep, and the message names the place', async (t) => {
  const refused: readonly (readonly [policy: unknown, message: RegExp])[] = [
    ['{', /policy\.json is invalid: /],
    [{}, /default needs a list of at least one requirement/],
    [{ default: [] }, /default needs a list/],
    [
      { default: [{ type: 'signedBy', keyType: 'X509Certificates', keyPath: '/x' }] },
      /keyType "X509Certificates" is not/,
    ],
    [{ default: [{ type: 'signedBy', keyType: 'GPGKeys', keyData: 'AAAA' }] }, /holds no public keys of OpenPGP/],
    [{ default: [reject], extra: 1 }, /"extra" is not supported/],
    [{ default: [{ type: 'sigstoreSigned' }] }, /default\[0\] needs one of keyPath/],
    [{ default: [{ type: 'sigstoreSigned', fulcio: {} }] }, /"fulcio" is not supported/],
    [{ default: [{ type: 'sigstoreSigned', keyData: 'AAAA' }] }, /holds no public key/],
    [{ default: [reject], transports: { docker: { a: [{ type: 'reject', x: 1 }] } } }, /docker\.a\[0\] "x" is not/],
  ];
  for (const [policy, message] of refused) await t.throwsAsync(start(t, policy), { message });
});

/** What became of an import and of a load, and how many images there are then. */
async function enter(t: ExecutionContext, policy: unknown) {
  const { engine } = await start(t, policy);
  const tar = { 'Content-Type': 'application/x-tar' };
  const body = Buffer.alloc(1024);
  const outcome = async (path: string, archive: Buffer) => {
    const answer = await engine.ask('POST', path, { headers: tar, body: archive });
    return `${answer.status} ${/policy does not allow [^"]*/.exec(answer.text)?.[0] ?? ''}`.trim();
  };
  const imported = await outcome('/images/create?fromSrc=-&repo=made', body);
  const loaded = await outcome('/images/load', body);
  const { length } = (await engine.ask('GET', '/images/json')).json<object[]>();
  return { imported, loaded, length };
}

test('images that clients send as archives are judged by their transports, or else by the default', async (t) => {
  const signed = {
    type: 'sigstoreSigned',
    keyData: pemOf(generateKeyPairSync('ed25519').publicKey),
    signedIdentity: { type: 'matchRepository' },
  };
  const refusal = (transport: string, reason: string) =>
    `403 policy does not allow images of the transport ${transport}: ${reason}`;
  const rejected = {
    imported: refusal('tarball', 'they are rejected'),
    loaded: refusal('docker-archive', 'they are rejected'),
    length: 0,
  };
  t.deepEqual(await enter(t, { default: [reject] }), rejected);
  const transports = { 'docker-archive': { '': [reject] }, tarball: { '': [reject] } };
  t.deepEqual(await enter(t, { default: [anything], transports }), rejected);
  t.deepEqual(await enter(t, { default: [signed] }), {
    imported: refusal('tarball', 'they carry no signatures'),
    loaded: refusal('docker-archive', 'they carry no signatures'),
    length: 0,
  });
  t.like(await enter(t, { default: [anything] }), { imported: '200', loaded: '200', length: 1 });
  const open = { 'docker-archive': { '': [anything] }, tarball: { '': [anything] } };
  t.like(await enter(t, { default: [reject], transports: open }), { imported: '200', loaded: '200', length: 1 });
});
