import { buffer, text } from 'node:stream/consumers';
import { GenericContainer, Network, Wait } from 'testcontainers';

// testcontainers over DOCKER_HOST; writes what it saw as JSON. PROJECT is a directory with a Dockerfile.
// Its log streams do not keep a process alive.
setInterval(() => undefined, 60_000);
const project = process.env.PROJECT ?? '';
const serve = 'echo page > /tmp/index.html; echo serving; exec httpd -f -p 8000 -h /tmp';

const network = await new Network().start();
const web = await new GenericContainer('busybox:latest')
  .withCommand(['sh', '-c', serve])
  .withNetwork(network)
  .withNetworkAliases('web')
  .withExposedPorts(8000)
  .withEnvironment({ WORD: 'given' })
  .withTmpFs({ '/scratch': 'rw' })
  .withCopyContentToContainer([{ content: 'copied', target: '/etc/copied', mode: 0o600 }])
  .withHealthCheck({ test: ['CMD-SHELL', 'wget -qO- http://127.0.0.1:8000/'], interval: 200, retries: 20 })
  .withResourcesQuota({ memory: 0.1, cpu: 0.5 })
  .withUlimits({ nofile: { hard: 1000, soft: 1000 } })
  .withExtraHosts([{ host: 'other', ipAddress: '192.0.2.1' }])
  .withAddedCapabilities('NET_ADMIN')
  .withWaitStrategy(Wait.forAll([Wait.forLogMessage('serving'), Wait.forHealthCheck(), Wait.forListeningPorts()]))
  .start();
const address = `http://${web.getHost()}:${web.getMappedPort(8000)}/`;
const page = await (await fetch(address)).text();
const asked = await new GenericContainer('busybox:latest')
  .withCommand(['sh', '-c', 'wget -qO /answer http://web:8000/ && sleep 1000'])
  .withNetwork(network)
  .withWaitStrategy(Wait.forSuccessfulCommand('test -s /answer'))
  .start();
const answer = await asked.exec(['cat', '/answer']);
const exec = await web.exec(['sh', '-c', 'echo $WORD $MORE; pwd; id -u; exit 3'], {
  env: { MORE: 'more' },
  workingDir: '/tmp',
  user: '1000',
});
const copied = await web.exec([
  'sh',
  '-c',
  'cat /etc/copied; stat -c %a /etc/copied; grep other /etc/hosts; ulimit -n',
]);
const archive = await buffer(await web.copyArchiveFromContainer('/etc/copied'));
await web.restart();
const image = await web.commit({ repo: 'committed', tag: '1', deleteOnExit: false });
const logs = text(await web.logs());
await web.stop({ timeout: 1 });
await asked.stop({ timeout: 1 });

const built = await GenericContainer.fromDockerfile(project)
  .withBuildArgs({ WORD: 'built' })
  .build('built:1', { deleteOnExit: false });
const once = await built.withWaitStrategy(Wait.forOneShotStartup()).withCommand(['cat', '/word']).start();
const onceLog = await text(await once.logs());
await once.stop();

const builtBySession = await GenericContainer.fromDockerfile(project)
  .withBuildkit()
  .withBuildArgs({ WORD: 'by session' })
  .build('built:2', { deleteOnExit: false });
const second = await builtBySession.withWaitStrategy(Wait.forOneShotStartup()).withCommand(['cat', '/word']).start();
const sessionLog = await text(await second.logs());
await second.stop();

const startReusable = () => new GenericContainer('busybox').withCommand(['sleep', '1000']).withReuse().start();
const kept = await startReusable();
const again = await startReusable();
const isReused = again.getId() === kept.getId();
await again.stop({ timeout: 1 });
await network.stop();

process.stdout.write(
  JSON.stringify({
    page,
    answer: answer.output,
    exec: [exec.output, exec.exitCode],
    copied: copied.output,
    archive: archive.length,
    image: /^sha256:[0-9a-f]{64}$/.test(image),
    logs: await logs,
    onceLog,
    sessionLog,
    isReused,
  }),
  () => process.exit(),
);
