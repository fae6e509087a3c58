import type Docker from 'dockerode';

interface RunResult {
  readonly code: number;
  /** Standard output and standard error, in the order they came. */
  readonly output: string;
}

/** Runs a shell command in a running container, to its end. */
export async function runIn(container: Docker.Container, command: string): Promise<RunResult> {
  const exec = await container.exec({ Cmd: ['sh', '-c', command], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({ hijack: true, stdin: false });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { code: (await exec.inspect()).ExitCode ?? -1, output: textOf(Buffer.concat(chunks)) };
}

/** The text of a multiplexed stream. */
export function textOf(frames: Buffer): string {
  let text = '';
  for (let at = 0; at + 8 <= frames.length; ) {
    const end = at + 8 + frames.readUInt32BE(at + 4);
    text += frames.toString('utf8', at + 8, end);
    at = end;
  }
  return text;
}

/** A container of the starter image that is running; its commands end with it. */
export async function startContainer(
  client: Docker,
  options: Partial<Docker.ContainerCreateOptions> = {},
): Promise<Docker.Container> {
  const container = await client.createContainer({ Image: 'busybox', Cmd: ['sleep', '600'], ...options });
  await container.start();
  return container;
}
