import { createEngine } from 'gantry';
import { GenericContainer, Wait } from 'testcontainers';

// testcontainers with an engine of its own process; writes what it saw as JSON.
const engine = await createEngine();
process.env.DOCKER_HOST = await engine.listen();

const web = await new GenericContainer('busybox:latest')
  .withCommand(['sh', '-c', 'echo page > /tmp/index.html; echo serving; exec httpd -f -p 8000 -h /tmp'])
  .withExposedPorts(8000)
  .withWaitStrategy(Wait.forAll([Wait.forLogMessage('serving'), Wait.forListeningPorts()]))
  .start();
const page = await (await fetch(`http://${web.getHost()}:${web.getMappedPort(8000)}/`)).text();
const { output, exitCode } = await web.exec(['sh', '-c', 'echo executed; exit 3']);
const seen = (await engine.containers.list()).map(({ Id }) => Id === web.getId());
await web.stop({ timeout: 1 });
const left = await engine.containers.list({ all: true });
await engine.close();
process.stdout.write(JSON.stringify({ page, exec: [output, exitCode], seen, left }));
// Its log streams keep the process alive.
process.exit(0);
