import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { runIn, startContainer } from '@gantry/host';
import { kernelFiles } from '@gantry/lib-linux/files';
import type Docker from 'dockerode';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';

const place = '/data/labelled';

const start = (client: Docker, HostConfig: object = {}) =>
  startContainer(client, { HostConfig: { NetworkMode: 'none', ...HostConfig } });

/** The labels of a container, as the API shows them. */
async function labelsOf(container: Docker.Container) {
  const { ProcessLabel, MountLabel } = (await container.inspect()) as unknown as Record<string, string>;
  return { process: ProcessLabel, mount: MountLabel };
}

const own = async (container: Docker.Container): Promise<string> =>
  (await runIn(container, 'tr -d "\\0" < /proc/1/attr/current')).output.trim();

const contextOf = (path: string) => kernelFiles.getAttribute(path, 'security.selinux')?.toString().replace('\0', '');

/** Contexts of SELinux, with a policy that keeps containers from the host's files and from each other's. */
export function labelsTests({ daemon }: DaemonUnderTest): void {
  test('SELinux confines containers, each with categories of its own', needs.selinux, async () => {
    const { client } = daemon();
    assert.ok((await client.info()).SecurityOptions.includes('selinux'));
    const containers = [await start(client), await start(client)];
    const labels = await Promise.all(containers.map(labelsOf));
    for (const [index, container] of containers.entries()) {
      const { process, mount } = labels[index] ?? {};
      const level = /^system_u:system_r:container_t:(s0:c\d+,c\d+)$/.exec(process ?? '')?.[1];
      assert.equal(mount, `system_u:object_r:container_file_t:${level}`);
      assert.equal(await own(container), process);
      const { Pid } = (await container.inspect()).State;
      for (const path of ['/bin/busybox', '/dev', '/dev/shm'])
        assert.equal(contextOf(`/proc/${Pid}/root${path}`), mount, path);
      assert.equal(
        (await runIn(container, 'echo kept > /written && cat /written /etc/resolv.conf > /dev/null')).output,
        '',
      );
    }
    assert.notEqual(labels[0]?.process, labels[1]?.process);
    // The root of another one, seen by its process.
    const [first, second] = containers as [Docker.Container, Docker.Container];
    const { Pid } = (await second.inspect()).State;
    const readAs = (label = '') =>
      outputOf(client, `cat /proc/${Pid}/root/written`, {
        HostConfig: {
          PidMode: 'host',
          SecurityOpt: [`label=level:${label.split(':').slice(3).join(':')}`],
          CapAdd: ['SYS_PTRACE'],
        },
      });
    assert.equal(await readAs(labels[1]?.process), 'kept');
    assert.match(await readAs(labels[0]?.process), /Permission denied/);
    await Promise.all([first, second].map((container) => container.remove({ force: true })));
  });

  test('binds are relabelled with z for all containers and with Z for one', needs.selinux, async () => {
    const { client } = daemon();
    mkdirSync(place, { recursive: true });
    writeFileSync(`${place}/file`, 'content\n');
    const read = 'cat /bound/file; echo by a container > /bound/file';
    const bind = (mode: string) => ({ HostConfig: { Binds: [`${place}:/bound${mode}`] } });
    assert.match(await outputOf(client, read, bind('')), /Permission denied/);
    assert.equal(readFileSync(`${place}/file`, 'utf8'), 'content\n');
    assert.equal(await outputOf(client, read, bind(':z')), 'content');
    assert.equal(contextOf(`${place}/file`), 'system_u:object_r:container_file_t:s0');
    assert.equal(await outputOf(client, read, bind('')), 'by a container', 'for all containers');
    assert.equal(await outputOf(client, read, bind(':Z')), 'by a container');
    assert.match(await outputOf(client, read, bind('')), /Permission denied/, 'for one container');
    assert.equal(
      await outputOf(client, 'echo new > /volume/file && cat /volume/file', {
        HostConfig: { Binds: ['labelled:/volume'] },
      }),
      'new',
    );
    await client.getVolume('labelled').remove();
    const refused = await client.createContainer({
      Image: 'busybox',
      HostConfig: { NetworkMode: 'none', Binds: ['/usr:/bound:z'] },
    });
    await assert.rejects(refused.start(), { statusCode: 500, message: /SELinux relabeling of \/usr is not allowed/ });
    await refused.remove();
    rmSync(place, { recursive: true });
  });

  test('label options choose the contexts, or switch them off', needs.selinux, async () => {
    const { client } = daemon();
    const asked = await start(client, { SecurityOpt: ['label=level:s0:c5,c6', 'label=type:container_t'] });
    assert.deepEqual(await labelsOf(asked), {
      process: 'system_u:system_r:container_t:s0:c5,c6',
      mount: 'system_u:object_r:container_file_t:s0:c5,c6',
    });
    assert.equal(await own(asked), 'system_u:system_r:container_t:s0:c5,c6');
    const sharing = await start(client, { PidMode: `container:${asked.id}` });
    assert.deepEqual(await labelsOf(sharing), await labelsOf(asked), 'who shares processes has the same labels');
    for (const HostConfig of [{ SecurityOpt: ['label=disable'] }, { Privileged: true }]) {
      const free = await start(client, HostConfig);
      assert.equal((await labelsOf(free)).process, '');
      assert.match(await own(free), /:kernel_t:/);
      await free.remove({ force: true });
    }
    const unknown = { Image: 'busybox', HostConfig: { SecurityOpt: ['label=type:absent_t'] } };
    await assert.rejects(client.createContainer(unknown), { statusCode: 400, message: /label=type:absent_t.*has no/ });
    for (const container of [sharing, asked]) await container.remove({ force: true });
  });
}
