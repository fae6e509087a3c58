import type { ImageConfig, ImageHealthcheck } from '@gantry/images/service';
import { inheritVariables, unite } from '../inherit.js';
import type { ContainerConfig, ContainerConfigBody, Healthcheck } from '../schema.js';
import { wordsOf } from './command-line.js';

/**
 * The configuration of a container: what the client says, and for the rest what its image says. Maps are united, the
 * environment is merged by name, and everything else is the client's when it is not empty.
 */
export function mergeImage(body: ContainerConfigBody, image: ImageConfig): ContainerConfig {
  const { Cmd, Entrypoint, StopSignal, ...rest } = body;
  const signal = StopSignal === undefined || StopSignal === '' ? image.StopSignal : String(StopSignal);
  return defined({
    ...rest,
    User: body.User || image.User,
    Env: inheritVariables(body.Env, image.Env),
    Labels: { ...image.Labels, ...body.Labels },
    ExposedPorts: unite(image.ExposedPorts, body.ExposedPorts),
    Volumes: unite(image.Volumes, body.Volumes),
    WorkingDir: body.WorkingDir || image.WorkingDir,
    StopSignal: signal,
    Healthcheck: mergeHealthcheck(body.Healthcheck, image.Healthcheck),
    Shell: body.Shell?.length ? body.Shell : image.Shell,
    ...mergeCommand(wordsOf(Entrypoint), wordsOf(Cmd), image),
  });
}

/**
 * An entrypoint of the client's own drops the image's command. `[""]` is how clients say "no entrypoint", which drops
 * the image's one too.
 */
function mergeCommand(
  entrypoint: readonly string[] | undefined,
  command: readonly string[] | undefined,
  image: ImageConfig,
): { readonly Entrypoint: readonly string[] | undefined; readonly Cmd: readonly string[] | undefined } {
  const cleared = entrypoint?.length === 1 && entrypoint[0] === '';
  const inheritsCommand = !entrypoint?.length && !command?.length;
  return {
    Entrypoint: cleared ? undefined : (entrypoint ?? image.Entrypoint),
    Cmd: inheritsCommand ? image.Cmd : command,
  };
}

/** Field by field, where zero and the empty test mean the image's. */
function mergeHealthcheck(
  own: Healthcheck | undefined,
  inherited: ImageHealthcheck | undefined,
): Healthcheck | undefined {
  if (own === undefined || inherited === undefined) return own ?? inherited;
  return defined({
    Test: own.Test?.length ? own.Test : inherited.Test,
    Interval: own.Interval || inherited.Interval,
    Timeout: own.Timeout || inherited.Timeout,
    StartPeriod: own.StartPeriod || inherited.StartPeriod,
    StartInterval: own.StartInterval || inherited.StartInterval,
    Retries: own.Retries || inherited.Retries,
  });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the fields that are undefined, which records do not keep. */
function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
