import { isRecord } from '@gantry/core/driver';
import type { RepositoryFacts } from '../activity.js';

/** Reads the fields of a delivery. They may be of any type: each is checked when it is read. */
export class Payload {
  constructor(private readonly value: unknown) {}

  /** The value at a path such as `issue.user`; empty where a part is missing. */
  at(path: string): Payload {
    let value: unknown = this.value;
    for (const name of path.split('.')) {
      value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
    return new Payload(value);
  }

  get isPresent(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  text(path: string): string | undefined {
    const { value } = this.at(path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  number(path: string): number | undefined {
    const { value } = this.at(path);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  }

  flag(path: string): boolean | undefined {
    const { value } = this.at(path);
    return typeof value === 'boolean' ? value : undefined;
  }

  list(path: string): readonly Payload[] {
    const { value } = this.at(path);
    return Array.isArray(value) ? value.map((each: unknown) => new Payload(each)) : [];
  }

  /** A URL that a browser may follow. */
  address(path: string): string | undefined {
    return webAddress(this.text(path));
  }

  login(path: string): string | undefined {
    return this.at(path).text('login') ?? this.at(path).text('username');
  }
}

/** The text if it is an http URL; undefined for `javascript:` and the like. */
export const webAddress = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? text
    : undefined;

/** The repository of a delivery; undefined without one. */
export function repositoryOf(payload: Payload, hook: string): RepositoryFacts | undefined {
  const repository = payload.at('repository');
  const owner = repository.login('owner') ?? repository.text('owner.name');
  const name = repository.text('name');
  if (owner === undefined || name === undefined) return undefined;
  const id = repository.number('id');
  const facts = {
    origin: id === undefined ? undefined : `${hook}:${id}`,
    shownId: id,
    private: repository.flag('private'),
    fork: repository.flag('fork'),
    description: repository.text('description'),
    url: repository.address('url'),
    htmlUrl: repository.address('html_url'),
    gitUrl: repository.text('git_url'),
    sshUrl: repository.text('ssh_url'),
    ownerId: repository.number('owner.id'),
    ownerType: repository.text('owner.type'),
    avatarUrl: repository.address('owner.avatar_url'),
  };
  return { owner, name, ...present(facts) };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Omits undefined properties. */
export const present = <T extends object>(value: T): Present<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Present<T>;
