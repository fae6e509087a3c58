import type { RequestListener } from 'node:http';

interface FakeChange {
  /** As the documented interface has it: `add`, `edit, rename`, `branch` … */
  readonly type: string;
  readonly path: string;
  readonly text?: string;
  readonly isFolder?: boolean;
  readonly from?: string;
}

export interface FakeChangeset {
  readonly author: { readonly displayName: string; readonly uniqueName: string };
  readonly date: string;
  readonly comment?: string;
  readonly changes: readonly FakeChange[];
}

/** A Team Foundation collection's content. Changesets are numbered from 1. */
interface FakeCollection {
  readonly projects: readonly string[];
  readonly branches?: readonly string[];
  readonly changesets: readonly FakeChangeset[];
  /** Called for every request, to count it or to fail it. */
  readonly onRequest?: (path: string, query: URLSearchParams) => 'fail' | undefined;
}

/** A fake of a collection's documented REST interface, below any path. */
export const teamFoundationServer =
  (collection: FakeCollection): RequestListener =>
  (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const path = url.pathname.replace(/^.*\/_apis\//, '');
    const query = url.searchParams;
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    };
    const list = (value: readonly unknown[]): void => {
      const skip = Number(query.get('$skip') ?? 0);
      const page = value.slice(skip, skip + Number(query.get('$top') ?? 100));
      send(200, { count: page.length, value: page });
    };
    if (collection.onRequest?.(path, query) === 'fail') return void response.destroy();
    if (!url.pathname.includes('/_apis/') || !query.has('api-version')) return send(404, {});
    const item = query.get('scopePath') ?? query.get('path') ?? '';
    const version = Number(query.get('version') ?? collection.changesets.length);
    const [, id] = /^tfvc\/changesets\/(\d+)\/changes$/.exec(path) ?? [];
    if (id !== undefined) return list((collection.changesets[Number(id) - 1]?.changes ?? []).map(changeJson));
    switch (path) {
      case 'projects':
        return list(collection.projects.map((name) => ({ id: `id-of-${name}`, name })));
      case 'tfvc/branches':
        return list((collection.branches ?? []).map((branch) => ({ path: branch })));
      case 'tfvc/changesets':
        return list(changesets(collection, query));
      case 'tfvc/items': {
        const files = stateAt(collection, version);
        if (query.get('download') === 'true') {
          const text = files.get(item);
          if (text === undefined) return send(404, {});
          return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text);
        }
        const inside = [...files.keys()].filter((name) => name.startsWith(`${item}/`));
        if (inside.length === 0) return send(404, {});
        return send(200, { value: [{ path: item, isFolder: true }, ...inside.map((name) => ({ path: name }))] });
      }
    }
    send(404, {});
  };

const changeJson = ({ type, path, isFolder, from }: FakeChange) => ({
  changeType: type,
  item: { path, ...(isFolder === true && { isFolder }) },
  ...(from !== undefined && { sourceServerItem: from }),
});

function changesets(collection: FakeCollection, query: URLSearchParams): readonly unknown[] {
  const folder = query.get('searchCriteria.itemPath') ?? '$/';
  const first = Number(query.get('searchCriteria.fromId') ?? 1);
  return collection.changesets.flatMap(({ author, date, comment, changes }, index) => {
    const changesetId = index + 1;
    const touches = changes.some(({ path }) => path.startsWith(`${folder}/`));
    return touches && changesetId >= first
      ? [{ changesetId, author, checkedInBy: author, createdDate: date, comment }]
      : [];
  });
}

/** Paths and texts of all files after a changeset. */
function stateAt({ changesets: all }: FakeCollection, version: number): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { changes } of all.slice(0, version)) {
    for (const { type, path, text, from, isFolder } of changes) {
      if (from !== undefined && isFolder === true) {
        for (const [name, content] of [...files].filter(([other]) => other.startsWith(`${from}/`))) {
          files.set(path + name.slice(from.length), content);
          if (type.includes('rename')) files.delete(name);
        }
      }
      if (type.includes('delete')) files.delete(path);
      else if (text !== undefined) files.set(path, text);
    }
  }
  return files;
}
