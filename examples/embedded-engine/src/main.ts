import { createEngine } from 'gantry';

await using engine = await createEngine();

const { stdout } = await engine.run('busybox', ['uname', '-s']);
console.log(`a command in a container: ${stdout.trim()}`);

await using network = await engine.networks.create({ Name: 'inside' });
await using server = await engine.containers.start('busybox', ['sh', '-c', serve('a page')], {
  name: 'web',
  HostConfig: { NetworkMode: 'inside' },
});
for await (const line of (await server.logs({ follow: true, stderr: false })).stdout) {
  if (String(line).includes('ready')) break;
}
const page = await engine.run('busybox', ['wget', '-qO-', 'http://web/'], { HostConfig: { NetworkMode: 'inside' } });
console.log(`a page of ${(await network.inspect()).Name}: ${page.stdout.trim()}`);

// For other clients, such as testcontainers:
process.env.DOCKER_HOST = await engine.listen();
console.log(`others may use ${process.env.DOCKER_HOST}`);

function serve(text: string): string {
  return `mkdir /w && echo '${text}' > /w/index.html && httpd -p 80 -h /w && echo ready && exec sleep 600`;
}
