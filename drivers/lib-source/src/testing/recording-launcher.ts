import { LinuxError } from '@gantry/lib-linux';
import { type LaunchedProcess, type Launcher, type LaunchRequest, SpawnLauncher } from '@gantry/lib-linux/launcher';

/** Starts programs and records their arguments and environments, which the process list shows. */
export class RecordingLauncher implements Launcher {
  readonly launched: { readonly request: LaunchRequest; readonly process: LaunchedProcess }[] = [];
  readonly #launcher = new SpawnLauncher();

  /** @param missing programs that are not installed. */
  constructor(private readonly missing: readonly string[] = []) {}

  /** Whether a text was in the arguments or the environment of any program. */
  exposed(text: string): boolean {
    return this.launched.some(({ request: { args, env } }) => {
      return [...args, ...Object.values(env ?? {})].some((part) => part.includes(text));
    });
  }

  launch: Launcher['launch'] = async (request) => {
    if (this.missing.includes(request.file)) throw new LinuxError('ENOENT', 'posix_spawn', { path: request.file });
    const process = await this.#launcher.launch(request);
    this.launched.push({ request, process });
    return process;
  };

  run: Launcher['run'] = (...call) => this.#launcher.run(...call);
  stream: Launcher['stream'] = (...call) => this.#launcher.stream(...call);
}
