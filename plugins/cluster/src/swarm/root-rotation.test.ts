import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { startAuthority } from '../testing/start-authority.js';
import { newInitBody, startCluster, startSwarm } from '../testing/start-cluster.js';

type Engine = Awaited<ReturnType<typeof startCluster>>;

interface TlsInfo {
  readonly TrustRoot: string;
  readonly CertIssuerSubject: string;
  readonly CertIssuerPublicKey: string;
}

interface Swarm {
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly CAConfig: { readonly ForceRotate?: number } };
  readonly TLSInfo: TlsInfo;
  readonly RootRotationInProgress: boolean;
  readonly JoinTokens: { readonly Worker: string; readonly Manager: string };
}

interface Node {
  readonly ID: string;
  readonly Status: { readonly State: string; readonly Addr: string };
  readonly Description: { readonly TLSInfo: TlsInfo };
}

const swarmOf = async (engine: Engine): Promise<Swarm> => (await engine.ask('GET', '/swarm')).json<Swarm>();
const nodesOf = async (engine: Engine): Promise<readonly Node[]> => (await engine.ask('GET', '/nodes')).json<Node[]>();

async function update(engine: Engine, CAConfig: object) {
  const { Spec, Version } = await swarmOf(engine);
  const body = { ...Spec, CAConfig: { ...Spec.CAConfig, ...CAConfig } };
  return engine.ask('POST', `/swarm/update?version=${Version.Index}`, { body });
}

async function change(t: ExecutionContext, engine: Engine, CAConfig: object): Promise<void> {
  const answer = await update(engine, CAConfig);
  t.is(answer.status, 200, answer.text);
}

/** Resolves when all nodes trust another root than before, and have certificates of it. */
const rotated = (engine: Engine, before: Swarm): Promise<Swarm> =>
  eventually('the root is rotated', async () => {
    const swarm = await swarmOf(engine);
    if (swarm.RootRotationInProgress || swarm.TLSInfo.TrustRoot === before.TLSInfo.TrustRoot) return undefined;
    const nodes = await nodesOf(engine);
    return nodes.every(({ Description: { TLSInfo: shown } }) => same(shown, swarm.TLSInfo)) ? swarm : undefined;
  });

const same = (one: TlsInfo, other: TlsInfo): boolean => JSON.stringify(one) === JSON.stringify(other);

const join = (engine: Engine, address: string, JoinToken: string) =>
  engine.ask('POST', '/swarm/join', { body: { RemoteAddrs: [`${address}:2377`], JoinToken } });

async function managerAndWorker(t: ExecutionContext) {
  const { engine: manager, nodeId } = await startSwarm(t, { Spec: { Dispatcher: { HeartbeatPeriod: 100e6 } } });
  const address = (await nodesOf(manager))[0]?.Status.Addr ?? '';
  const worker = await startCluster(t);
  const joined = await join(worker, address, (await swarmOf(manager)).JoinTokens.Worker);
  t.is(joined.status, 200, joined.text);
  const { ID: workerId = '' } = (await nodesOf(manager)).find(({ ID }) => ID !== nodeId) ?? {};
  return { manager, worker, address, workerId };
}

const becomes = (manager: Engine, id: string, state: string) =>
  eventually(`the node is ${state}`, async () =>
    (await nodesOf(manager)).some(({ ID, Status }) => ID === id && Status.State === state),
  );

test('the root is rotated, every node follows, and join tokens are other ones', async (t) => {
  const { address, manager } = await managerAndWorker(t);
  const before = await swarmOf(manager);
  await change(t, manager, { ForceRotate: 1 });
  const after = await rotated(manager, before);
  t.is(after.Spec.CAConfig.ForceRotate, 1);
  t.not(after.TLSInfo.CertIssuerPublicKey, before.TLSInfo.CertIssuerPublicKey);
  t.not(after.JoinTokens.Worker.slice(0, 59), before.JoinTokens.Worker.slice(0, 59), 'the digest of the root');
  t.not(after.JoinTokens.Manager.slice(59), before.JoinTokens.Manager.slice(59), 'the secret');
  t.deepEqual(
    (await nodesOf(manager)).map(({ Status }) => Status.State),
    ['ready', 'ready'],
  );
  const other = await startCluster(t);
  t.is((await join(other, address, before.JoinTokens.Worker)).status, 400);
  t.is((await join(other, address, after.JoinTokens.Worker)).status, 200);
  await change(t, manager, { NodeCertExpiry: 7200e9 });
  t.is((await swarmOf(manager)).TLSInfo.TrustRoot, after.TLSInfo.TrustRoot, 'the same number rotates nothing');
});

test('a rotation waits for a node that is down, and nodes join meanwhile with the present tokens', async (t) => {
  const { address, manager, worker, workerId } = await managerAndWorker(t);
  await worker.kernel.stop();
  await becomes(manager, workerId, 'down');
  const before = await swarmOf(manager);
  await change(t, manager, { ForceRotate: 1 });
  const during = await swarmOf(manager);
  t.true(during.RootRotationInProgress);
  t.is(during.TLSInfo.TrustRoot, before.TLSInfo.TrustRoot, 'still the trusted one');
  t.not(during.TLSInfo.CertIssuerPublicKey, before.TLSInfo.CertIssuerPublicKey);
  t.deepEqual(during.JoinTokens, before.JoinTokens);
  const other = await startCluster(t);
  t.is((await join(other, address, during.JoinTokens.Worker)).status, 200);
  await eventually('the nodes that are there have new certificates', async () => {
    const found = await nodesOf(manager);
    return found.filter(({ Description }) => same(Description.TLSInfo, during.TLSInfo)).length === 2;
  });
  await manager.restart();
  t.true((await swarmOf(manager)).RootRotationInProgress);
  await worker.restart();
  await rotated(manager, before);
  await becomes(manager, workerId, 'ready');
});

test('a rotation does not wait for a node that is removed', async (t) => {
  const { manager, worker, workerId } = await managerAndWorker(t);
  await worker.kernel.stop();
  await becomes(manager, workerId, 'down');
  const before = await swarmOf(manager);
  await change(t, manager, { ForceRotate: 1 });
  t.true((await swarmOf(manager)).RootRotationInProgress);
  t.is((await manager.ask('DELETE', `/nodes/${workerId}`)).status, 200);
  await rotated(manager, before);
});

test('a node that was away when the rotation ended comes back', async (t) => {
  const { manager, worker, workerId } = await managerAndWorker(t);
  const before = await swarmOf(manager);
  const slow = await startCluster(t);
  const [{ Status: { Addr: address } = { Addr: '' } } = {}] = await nodesOf(manager);
  t.is((await join(slow, address, before.JoinTokens.Worker)).status, 200);
  const slowId = (await nodesOf(manager)).at(-1)?.ID ?? '';
  await slow.kernel.stop();
  await becomes(manager, slowId, 'down');
  await change(t, manager, { ForceRotate: 1 });
  const during = await swarmOf(manager);
  await eventually('the worker has a certificate of the next root', async () =>
    (await nodesOf(manager)).some(
      ({ ID, Description }) => ID === workerId && same(Description.TLSInfo, during.TLSInfo),
    ),
  );
  await worker.kernel.stop();
  await slow.restart();
  await eventually('the rotation ends', async () => !(await swarmOf(manager)).RootRotationInProgress);
  await manager.restart(); // with no connection, and no certificate, of before
  await worker.restart();
  await becomes(manager, workerId, 'ready');
  await rotated(manager, before);
});

test('another rotation takes the place of one that has not ended', async (t) => {
  const { manager, worker, workerId } = await managerAndWorker(t);
  await worker.kernel.stop();
  await becomes(manager, workerId, 'down');
  const before = await swarmOf(manager);
  await change(t, manager, { ForceRotate: 1 });
  const first = await swarmOf(manager);
  await change(t, manager, { ForceRotate: 2 });
  const second = await swarmOf(manager);
  t.not(second.TLSInfo.CertIssuerPublicKey, first.TLSInfo.CertIssuerPublicKey);
  await worker.restart();
  const after = await rotated(manager, before);
  t.is(after.TLSInfo.CertIssuerPublicKey, second.TLSInfo.CertIssuerPublicKey);
});

/** A root as openssl makes it. */
function makeRoot(newKey: string, ...options: readonly string[]) {
  const command = ['req', '-x509', '-nodes', '-subj', '/CN=own root', '-keyout', '-', '-newkey', newKey, ...options];
  const made = execFileSync('openssl', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const certificateAt = made.indexOf('-----BEGIN CERTIFICATE-----');
  return { SigningCAKey: made.slice(0, certificateAt), SigningCACert: made.slice(certificateAt) };
}

const tenYears = ['-days', '3650'];
const ellipticRoot = (...options: readonly string[]) =>
  makeRoot('ec', '-pkeyopt', 'ec_paramgen_curve:P-384', ...(options.length === 0 ? tenYears : options));

for (const [what, root] of [
  ['an RSA key', () => makeRoot('rsa:2048', ...tenYears)],
  ['an ECDSA key on P-384', ellipticRoot],
] as const) {
  test(`a root with ${what} that a client gives takes over, and is not shown with the specification`, async (t) => {
    const { manager } = await managerAndWorker(t);
    const before = await swarmOf(manager);
    const given = root();
    await change(t, manager, { ...given, ForceRotate: 1 });
    const after = await rotated(manager, before);
    t.is(after.TLSInfo.TrustRoot.trim(), given.SigningCACert.trim());
    t.deepEqual(Object.keys(after.Spec.CAConfig).sort(), ['ForceRotate', 'NodeCertExpiry']);
    await change(t, manager, { ForceRotate: 2 });
    await rotated(manager, after);
  });
}

test('the present root is given again, which ends a rotation', async (t) => {
  const { manager, worker, workerId } = await managerAndWorker(t);
  const own = ellipticRoot();
  const before = await swarmOf(manager);
  await change(t, manager, own);
  const present = await rotated(manager, before);
  await worker.kernel.stop();
  await becomes(manager, workerId, 'down');
  await change(t, manager, { ForceRotate: 1 });
  t.true((await swarmOf(manager)).RootRotationInProgress);
  await change(t, manager, own);
  const after = await swarmOf(manager);
  t.false(after.RootRotationInProgress);
  t.deepEqual(after.TLSInfo, present.TLSInfo);
  await worker.restart();
  await eventually('every node has a certificate of it', async () =>
    (await nodesOf(manager)).every(({ Description }) => same(Description.TLSInfo, present.TLSInfo)),
  );
});

test('a swarm begins with a root that a client gives', async (t) => {
  const CAConfig = ellipticRoot();
  const { engine } = await startSwarm(t, { Spec: { CAConfig } });
  const { TLSInfo, RootRotationInProgress } = await swarmOf(engine);
  t.is(TLSInfo.TrustRoot.trim(), CAConfig.SigningCACert.trim());
  t.is(new X509Certificate(TLSInfo.TrustRoot).subject, 'CN=own root');
  t.false(RootRotationInProgress);
});

test('an authority elsewhere has the key of the root, and issues the certificates of nodes', async (t) => {
  const { address, manager } = await managerAndWorker(t);
  const { SigningCACert, SigningCAKey } = ellipticRoot();
  const { behaviour, URL } = await startAuthority(t, { SigningCACert, SigningCAKey });
  const ExternalCAs = [{ Protocol: 'cfssl', URL, CACert: SigningCACert.trim() }];
  const before = await swarmOf(manager);
  behaviour.commonName = 'another node';
  await change(t, manager, { SigningCACert, ExternalCAs });
  await eventually('the authority is asked', () => behaviour.clients.length > 0);
  t.true((await swarmOf(manager)).RootRotationInProgress, 'a certificate of another subject is refused');
  behaviour.commonName = undefined;
  const after = await rotated(manager, before);
  t.is(after.TLSInfo.TrustRoot.trim(), SigningCACert.trim());
  t.deepEqual([...new Set(behaviour.clients)], ['swarm-manager'], 'the leader asks, with its certificate');
  const other = await startCluster(t);
  t.is((await join(other, address, after.JoinTokens.Worker)).status, 200);
  const refusal = async (config: object): Promise<string> => {
    const answer = await update(manager, config);
    t.is(answer.status, 400, answer.text);
    return answer.json<{ message: string }>().message;
  };
  t.regex(await refusal({ ExternalCAs: [] }), /^CAConfig\.ExternalCAs: .* has to stay$/);
  t.regex(await refusal({ ForceRotate: 1 }), /^CAConfig\.SigningCACert: the key of the present root/);
  await change(t, manager, { SigningCACert, SigningCAKey, ExternalCAs: [] });
  await change(t, manager, { ForceRotate: 1 });
  await rotated(manager, after);
});

test('a swarm does not begin with a root whose key is elsewhere', async (t) => {
  const engine = await startCluster(t);
  const { SigningCACert } = ellipticRoot();
  const CAConfig = { SigningCACert, ExternalCAs: [{ URL: 'https://localhost:1', CACert: SigningCACert }] };
  const answer = await engine.ask('POST', '/swarm/init', { body: { ...newInitBody(), Spec: { CAConfig } } });
  t.is(answer.status, 400);
  t.regex(answer.text, /it begins with a root whose key it has/);
  t.is((await engine.ask('GET', '/swarm')).status, 503);
});

const refused: readonly [what: string, config: () => object, words: RegExp][] = [
  [
    'a key without its certificate',
    () => ({ SigningCAKey: ellipticRoot().SigningCAKey }),
    /^CAConfig\.SigningCAKey: if a signing CA key is provided, the signing CA cert must also be provided$/,
  ],
  [
    'a certificate without its key',
    () => ({ SigningCACert: ellipticRoot().SigningCACert }),
    /^CAConfig\.SigningCACert: without CAConfig\.SigningCAKey there has to be one of CAConfig\.ExternalCAs/,
  ],
  [
    'a key of another certificate',
    () => ({
      SigningCACert: ellipticRoot().SigningCACert,
      SigningCAKey: ellipticRoot().SigningCAKey,
    }),
    /^CAConfig\.SigningCACert: the key does not belong to the certificate$/,
  ],
  ['no certificate at all', () => ({ SigningCACert: 'x', SigningCAKey: 'y' }), /^CAConfig\.SigningCACert: .* read$/],
  [
    'two certificates',
    () => {
      const { SigningCACert, SigningCAKey } = ellipticRoot();
      return { SigningCACert: SigningCACert + SigningCACert, SigningCAKey };
    },
    /^CAConfig\.SigningCACert: .* cannot contain multiple certificates$/,
  ],
  [
    'a certificate that expires within a year',
    () => ellipticRoot('-days', '200'),
    /^CAConfig\.SigningCACert: CA certificate expires too soon/,
  ],
  ['a short RSA key', () => makeRoot('rsa:1024', ...tenYears), /^CAConfig\.SigningCACert: .* RSA key of 2048 bits$/],
  [
    'a certificate that cannot have a successor',
    () => ellipticRoot(...tenYears, '-addext', 'basicConstraints=critical,CA:TRUE,pathlen:0'),
    /^CAConfig\.SigningCACert: the path length of the certificate is 0/,
  ],
  ['a negative number', () => ({ ForceRotate: -1 }), /^CAConfig\.ForceRotate: -1/],
];

test('roots that cannot be used are refused, and the swarm keeps its own', async (t) => {
  const { engine } = await startSwarm(t);
  const before = await swarmOf(engine);
  for (const [what, config, words] of refused) {
    const answer = await update(engine, config());
    t.is(answer.status, 400, what);
    t.regex(answer.json<{ message: string }>().message, words, what);
  }
  t.deepEqual(await swarmOf(engine), before);
});
