import { useEffect, useState } from 'preact/hooks';
import { Empty, Failure, Loading } from '../components/status-views';
import { reloadForMissingFile } from '../loading/reload';
import type { otherPages } from './other-pages';

let loaded: typeof otherPages | undefined;

/** A page whose script is loaded when it or another one is first shown: the first page need not wait for all of them. */
export function OtherPage({ name }: { readonly name: string }) {
  const [pages, setPages] = useState(loaded);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded !== undefined) return;
    import('./other-pages').then(
      (module) => {
        loaded = module.otherPages;
        setPages(loaded);
      },
      () => setFailed(!reloadForMissingFile()),
    );
  }, []);
  if (pages === undefined) {
    // An engine of another version has other files, and browsers do not ask again for one that was missing.
    const reload = () => location.reload();
    return failed ? (
      <Failure what="the page" error={new Error('reload it')} retry={reload} />
    ) : (
      <Loading what="the page" />
    );
  }
  const Page = pages[name];
  return Page === undefined ? <Empty>There is no page "{name}".</Empty> : <Page />;
}
