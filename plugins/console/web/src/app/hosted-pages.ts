import { send } from '../api/request';

export interface HostedPages {
  readonly url: string;
  readonly pages: readonly { readonly title: string; readonly path: string }[];
}

/** The pages of the second API; rejects when its plugins do not run. Only web addresses become links. */
export async function readHostedPages(signal: AbortSignal): Promise<HostedPages> {
  const { url, pages } = (await (await send('/hosted', { signal })).json()) as HostedPages;
  return { url, pages: pages.filter(({ path }) => /^https?:$/.test(new URL(path, url).protocol)) };
}
