import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/api-error';
import { notify } from '../notices/notices';
import { pathTo, useRoute } from '../routing/route';
import { type Session, signOut } from '../session/session';
import { useStore } from '../store/store';
import { type HostedPages, readHostedPages } from './hosted-pages';
import { setTheme, theme } from './theme';
import type { Theme } from './theme-attribute';

const pages: readonly (readonly [path: string, name: string])[] = [
  ['containers', 'Containers'],
  ['images', 'Images'],
  ['volumes', 'Volumes'],
  ['networks', 'Networks'],
  ['events', 'Events'],
  ['disk', 'Disk use'],
  ['swarm', 'Swarm'],
  ['plugins', 'Plugins'],
  ['daemon', 'Daemon'],
];

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'System colours'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function Navigation({ session }: { readonly session: Session }) {
  const { segments } = useRoute();
  const [open, setOpen] = useState(false);
  const current = segments[0] ?? 'containers';
  // A new page folds the navigation.
  useEffect(() => setOpen(false), [segments]);
  const leave = () => signOut().catch((error: unknown) => notify('failed', `Signing out failed: ${messageOf(error)}`));
  return (
    <header class="navigation">
      <a class="brand" href={pathTo('containers')}>
        <img src="icon.svg" alt="" width="22" height="22" /> Gantry
      </a>
      <button
        type="button"
        class="button fold"
        aria-expanded={open}
        aria-controls="navigation"
        onClick={() => setOpen(!open)}
      >
        Menu
      </button>
      <div id="navigation" class={open ? 'links open' : 'links'}>
        <nav aria-label="Pages">
          <ul>
            {pages.map(([path, name]) => (
              <li key={path}>
                <a href={pathTo(path)} aria-current={path === current ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
          {session.state === 'signed-in' && <HostedLinks />}
        </nav>
        <div class="account">
          <ThemeSwitch />
          {session.state === 'signed-in' && (
            <button type="button" class="button quiet" onClick={() => void leave()}>
              Sign out
            </button>
          )}
        </div>
      </div>
    </header>
  );
}

function HostedLinks() {
  const [hosted, setHosted] = useState<HostedPages>();
  useEffect(() => {
    const abort = new AbortController();
    readHostedPages(abort.signal).then(setHosted, () => {});
    return () => abort.abort();
  }, []);
  const colours = useStore(theme);
  if (hosted === undefined || hosted.pages.length === 0) return null;
  const addressOf = (path: string): string => {
    const address = new URL(path, hosted.url);
    address.searchParams.set('theme', colours);
    return address.href;
  };
  return (
    <ul aria-label="Pages of the second API">
      {hosted.pages.map(({ title, path }) => (
        <li key={path}>
          <a href={addressOf(path)}>{title} ↗</a>
        </li>
      ))}
    </ul>
  );
}

function ThemeSwitch() {
  const current = useStore(theme);
  return (
    <select aria-label="Colours" value={current} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
      {themes.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
