import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'ava';
import { startClientHost } from '../testing/client-host.js';
import { dockerOn } from '../testing/debian.js';

const cliPackage = '@devcontainers/cli';
const configuration = {
  image: 'busybox:latest',
  init: true,
  containerEnv: { INSIDE: 'inside' },
  remoteEnv: { REMOTE: 'remote' },
  postCreateCommand: 'echo created > /tmp/created',
  updateRemoteUserUID: false,
  mounts: ['source=kept,target=/kept,type=volume'],
  capAdd: ['SYS_PTRACE'],
  securityOpt: ['seccomp=unconfined'],
};

const buildFile = 'FROM busybox:latest AS base\nARG WORD\nRUN echo "$WORD" > /word\n';
const buildConfiguration = {
  build: { dockerfile: 'Dockerfile', args: { WORD: 'built by the CLI' } },
  updateRemoteUserUID: false,
};

test('the dev containers CLI starts a container of an image, runs its commands, enters it, and builds images', async (t) => {
  const host = await startClientHost(t);
  const workspace = path.join(host.daemon.directory, 'workspace');
  await mkdir(path.join(workspace, '.devcontainer'), { recursive: true });
  await writeFile(path.join(workspace, '.devcontainer/devcontainer.json'), JSON.stringify(configuration));
  const docker = await dockerOn(host);
  const manifest = createRequire(import.meta.url).resolve(`${cliPackage}/package.json`);
  const cli = path.join(path.dirname(manifest), 'devcontainer.js');
  const where = ['--workspace-folder', workspace, '--docker-path', docker.program];
  const up = JSON.parse(await host.succeed(process.execPath, [cli, 'up', ...where]));
  t.is(up.outcome, 'success');
  const inside = 'echo $INSIDE $REMOTE; cat /tmp/created; ls -a; mount | grep -c /kept';
  const output = await host.succeed(process.execPath, [cli, 'exec', ...where, 'sh', '-c', inside]);
  t.is(output, 'inside remote\ncreated\n.\n..\n.devcontainer\n1\n');
  const again = JSON.parse(await host.succeed(process.execPath, [cli, 'up', ...where]));
  t.is(again.containerId, up.containerId);
  await docker.succeed('rm', '--force', '--volumes', up.containerId);

  const project = path.join(host.daemon.directory, 'built');
  await mkdir(path.join(project, '.devcontainer'), { recursive: true });
  await writeFile(path.join(project, '.devcontainer/devcontainer.json'), JSON.stringify(buildConfiguration));
  await writeFile(path.join(project, '.devcontainer/Dockerfile'), buildFile);
  const there = ['--workspace-folder', project, '--docker-path', docker.program];
  const built = JSON.parse(await host.succeed(process.execPath, [cli, 'build', ...there, '--image-name', 'made:1']));
  t.like(built, { outcome: 'success', imageName: ['made:1'] });
  t.is(await docker.succeed('run', '--rm', 'made:1', 'cat', '/word'), 'built by the CLI\n');
  const started = JSON.parse(await host.succeed(process.execPath, [cli, 'up', ...there]));
  t.is(await host.succeed(process.execPath, [cli, 'exec', ...there, 'cat', '/word']), 'built by the CLI\n');
  await docker.succeed('rm', '--force', '--volumes', started.containerId);
});
