// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type ExecCreateBody = {
  readonly AttachStdin?: boolean | undefined;
  readonly AttachStdout?: boolean | undefined;
  readonly AttachStderr?: boolean | undefined;
  readonly DetachKeys?: string | undefined;
  readonly Tty?: boolean | undefined;
  readonly Cmd?: readonly string[] | string | undefined;
  readonly Privileged?: boolean | undefined;
  readonly User?: string | undefined;
  readonly Env?: readonly string[] | undefined;
  readonly WorkingDir?: string | undefined;
  readonly ConsoleSize?: readonly number[] | null | undefined;
};

export type ExecCreated = {
  readonly Id: string;
  readonly Warnings?: readonly string[] | undefined;
};

export type ExecDetails = {
  readonly ID: string;
  readonly ContainerID: string;
  readonly Running: boolean;
  readonly ExitCode: number | null;
  readonly CanRemove: boolean;
  readonly DetachKeys: string;
  readonly OpenStdin: boolean;
  readonly OpenStdout: boolean;
  readonly OpenStderr: boolean;
  readonly Pid: number;
  readonly ProcessConfig: {
    readonly entrypoint: string;
    readonly arguments: readonly string[];
    readonly tty: boolean;
    readonly privileged?: boolean | undefined;
    readonly user?: string | undefined;
  };
};

export type ExecStartBody = {
  readonly Detach?: boolean | undefined;
  readonly Tty?: boolean | undefined;
  readonly ConsoleSize?: readonly number[] | null | undefined;
};

export interface ExecRoutes {
  /** Prepares a further process in a container. */
  'POST /containers/{id}/exec': {
    readonly options: { readonly path: { readonly id: string; }; readonly body: ExecCreateBody; };
    readonly answer: ExecCreated;
  };
  /** Describes it. */
  'GET /exec/{id}/json': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: ExecDetails;
  };
  /** Resizes its terminal. */
  'POST /exec/{id}/resize': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly h: number; readonly w: number; }; };
    readonly answer: undefined;
  };
  /** Starts it; unless detached, the connection is raw behind the head. */
  'POST /exec/{id}/start': {
    readonly options: { readonly path: { readonly id: string; }; readonly body?: ExecStartBody | undefined; };
    readonly bytes: 'raw';
  };
}
