import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import Docker from 'dockerode';

// dockerode with the newest version of the API, over DOCKER_HOST; writes what it saw as JSON.
const client = new Docker({ version: 'v1.51' });

async function outputOf(stream: NodeJS.ReadableStream): Promise<{ out: string; err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  client.modem.demuxStream(stream, out, err);
  stream.once('end', () => {
    out.end();
    err.end();
  });
  const [outText, errText] = await Promise.all([text(out), text(err)]);
  return { out: outText, err: errText };
}

const version = await client.version();
const networks = await Promise.all(['one', 'two'].map((Name) => client.createNetwork({ Name })));
const container = await client.createContainer({
  name: 'web',
  Image: 'busybox',
  Cmd: ['sh', '-c', 'echo out; echo err >&2; exec sleep 1000'],
  StopSignal: 'SIGKILL',
  HostConfig: {
    Init: true,
    Mounts: [{ Type: 'volume', Source: 'data', Target: '/data' }],
  },
  NetworkingConfig: { EndpointsConfig: { one: { Aliases: ['first'] }, two: {} } },
});
await container.start();
const inspected = await container.inspect();
const exec = await container.exec({
  Cmd: ['sh', '-c', 'echo $WORD; pwd; exit 3'],
  Env: ['WORD=given'],
  WorkingDir: '/data',
  AttachStdout: true,
});
const execOutput = await outputOf(await exec.start({ hijack: true, stdin: false }));
const nextExit = container.wait({ condition: 'next-exit' });
const usage = await client.df();
const archive = await buffer((await container.getArchive({ path: '/etc/hostname' })) as NodeJS.ReadableStream);
const stats = (await container.stats({ stream: false, 'one-shot': true })) as { readonly num_procs?: number };
const following = (await container.logs({
  follow: true,
  stdout: true,
  stderr: true,
})) as unknown as NodeJS.ReadableStream;
const followed = outputOf(following);
await container.stop({ t: 1 });
const exit = (await nextExit) as { readonly StatusCode: number };
const log = await followed;

const removed = await client.createContainer({
  Image: 'busybox',
  Cmd: ['sh', '-c', 'exit 7'],
  HostConfig: { AutoRemove: true },
});
const removal = removed.wait({ condition: 'removed' });
await removed.start();
const removedExit = (await removal) as { readonly StatusCode: number };

await container.remove();
const pruned = {
  containers: await client.pruneContainers(),
  images: await client.pruneImages(),
  networks: await client.pruneNetworks(),
  volumes: await client.pruneVolumes({ filters: { all: ['true'] } }),
};
process.stdout.write(
  JSON.stringify({
    apiVersion: version.ApiVersion,
    networks: Object.keys(inspected.NetworkSettings.Networks).sort(),
    created: networks.length,
    execOutput,
    execExit: (await exec.inspect()).ExitCode,
    usage: { images: usage.Images?.length, containers: usage.Containers?.length, volumes: usage.Volumes?.length },
    archive: archive.includes(container.id.slice(0, 12)),
    stats: typeof stats.num_procs,
    log,
    exit: exit.StatusCode,
    removedExit: removedExit.StatusCode,
    pruned: {
      networks: pruned.networks.NetworksDeleted?.sort(),
      volumes: pruned.volumes.VolumesDeleted,
      containers: pruned.containers.ContainersDeleted ?? [],
      images: pruned.images.ImagesDeleted ?? [],
    },
  }),
);
