import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Daemon, eventually, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import type { Container } from 'dockerode';

const serve = 'mkdir -p /www; hostname > /www/index.html; echo serving; exec httpd -f -p 8000 -h /www';
const ask = 'until wget -qO- http://web:8000/; do sleep 0.1; done; echo ready; exec sleep 1000';

const pass =
  'mkdir -p /www; until wget -qO /www/index.html http://site:8000/; do sleep 0.1; done; exec httpd -f -p 80 -h /www';

const logOf = async (container: Container): Promise<string> =>
  String(await container.logs({ stdout: true, stderr: true }));

test.serial(
  'dockerode brings a multi-container application up, scales it, looks into it and takes it down',
  async (t) => {
    const { client } = await startDaemon(t);
    const network = await client.createNetwork({ Name: 'app', Driver: 'bridge' });
    await client.createVolume({ Name: 'app-data' });
    const start = async (name: string, alias: string, script: string): Promise<Container> => {
      const container = await client.createContainer({
        name,
        Image: 'busybox',
        Cmd: ['sh', '-c', script],
        Labels: { app: 'yes', part: alias },
        StopSignal: 'SIGKILL',
        ExposedPorts: { '8000/tcp': {} },
        HostConfig: { NetworkMode: 'app', Binds: ['app-data:/data'], PortBindings: { '8000/tcp': [{ HostPort: '' }] } },
        NetworkingConfig: { EndpointsConfig: { app: { Aliases: [alias] } } },
      });
      await container.start();
      return container;
    };
    const web = await start('app_web_1', 'web', serve);
    const workers = await Promise.all([1, 2, 3].map((number) => start(`app_worker_${number}`, 'worker', ask)));
    for (const worker of workers) {
      await eventually('an answer', async () => (await logOf(worker)).includes('ready'));
      t.true((await logOf(worker)).includes(web.id.slice(0, 12)));
    }
    const listed = await client.listContainers({ filters: { label: ['app=yes'] } });
    t.deepEqual(listed.map(({ Names }) => Names[0]).sort(), [
      '/app_web_1',
      '/app_worker_1',
      '/app_worker_2',
      '/app_worker_3',
    ]);
    const exec = await web.exec({
      Cmd: ['sh', '-c', 'echo shared > /data/file'],
      AttachStdout: true,
      AttachStderr: true,
    });
    await text(await exec.start({ hijack: true, stdin: false }));
    const second = await workers[0]?.exec({ Cmd: ['cat', '/data/file'], AttachStdout: true });
    const stream = await second?.start({ hijack: true, stdin: false });
    const out = new PassThrough();
    if (stream !== undefined) client.modem.demuxStream(stream, out, out);
    stream?.once('end', () => out.end());
    t.is(await text(out), 'shared\n');
    const following = (await web.logs({
      follow: true,
      stdout: true,
      stderr: true,
    })) as unknown as NodeJS.ReadableStream;
    const followed = text(following);
    await Promise.all([web, ...workers].map((container) => container.stop({ t: 1 })));
    t.true((await followed).includes('serving'));
    await Promise.all([web, ...workers].map((container) => container.remove({ v: true })));
    await network.remove();
    await client.getVolume('app-data').remove();
    t.deepEqual(await client.listContainers({ all: true }), []);
  },
);

const file = `
version: "2.4"
services:
  web:
    image: busybox
    command: sh -c '${serve}'
    ports: ["8000"]
    volumes: ["data:/data"]
    healthcheck: { test: ["CMD", "wget", "-qO-", "http://127.0.0.1:8000/"], interval: 1s, retries: 5 }
    networks: { front: { aliases: [site] }, back: {} }
    stop_signal: SIGKILL
  edge:
    image: busybox
    command: sh -c '${pass}'
    ports: ["127.0.0.1::80"]
    networks: [front]
    stop_signal: SIGKILL
  worker:
    image: busybox
    command: sh -c '${ask}'
    depends_on: { web: { condition: service_healthy } }
    volumes: ["data:/data:ro"]
    networks: [back]
    stop_signal: SIGKILL
networks: { front: {}, back: {} }
volumes: { data: {} }
`;

async function compose({ directory, socket }: Daemon): Promise<(...args: readonly string[]) => Promise<string>> {
  const project = path.join(directory, 'project');
  await mkdir(project);
  await writeFile(path.join(project, 'docker-compose.yml'), file);
  const env = { ...process.env, DOCKER_HOST: `unix://${socket}`, COMPOSE_API_VERSION: 'auto' };
  const run = promisify(execFile);
  return async (...args) => {
    const { stdout, stderr } = await run('docker-compose', [...args], { cwd: project, env, timeout: 180_000 });
    return `${stdout}${stderr}`;
  };
}

test.serial('docker-compose brings an application up, scales it, looks into it and takes it down', async (t) => {
  const daemon = await startDaemon(t);
  const run = await compose(daemon);
  await run('up', '-d');
  await run('up', '-d', '--scale', 'worker=3');
  t.is((await run('ps', '-q', 'worker')).trim().split('\n').length, 3);
  await eventually('all answers', async () => {
    const lines = (await run('logs', '--no-color', 'worker')).split('\n');
    return lines.filter((line) => line.endsWith('ready')).length === 3;
  });
  t.is(await run('exec', '-T', 'web', 'sh', '-c', 'echo inside | tee /data/file'), 'inside\n');
  t.is(await run('exec', '-T', 'worker', 'cat', '/data/file'), 'inside\n');
  const published = (await run('port', 'edge', '80')).trim();
  t.regex(published, /^127\.0\.0\.1:\d+$/);
  await eventually('the page of the one behind', async () => {
    const page = await fetch(`http://${published}/`).then(
      (answer) => answer.text(),
      () => '',
    );
    return page === (await run('exec', '-T', 'web', 'hostname'));
  });
  await t.throwsAsync(run('exec', '-T', 'edge', 'nslookup', 'worker'));
  t.regex(await run('top', 'web'), /httpd/);
  t.regex(await run('port', 'web', '8000'), /^0\.0\.0\.0:\d+/);
  await run('restart', '-t', '1', 'worker');
  await run('stop');
  t.is((await daemon.client.listContainers()).length, 0);
  await run('start');
  t.is((await daemon.client.listContainers()).length, 5);
  await run('down', '-v');
  t.deepEqual(await daemon.client.listContainers({ all: true }), []);
  t.is((await daemon.client.listNetworks()).length, 3);
  t.deepEqual((await daemon.client.listVolumes()).Volumes ?? [], []);
});
