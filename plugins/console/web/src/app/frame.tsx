import { useLayoutEffect } from 'preact/hooks';
import { DialogHost } from '../components/dialog';
import { Loading } from '../components/status-views';
import { eventStream } from '../events/event-stream';
import { session } from '../session/session';
import { useStore } from '../store/store';
import { ConnectionBanner } from './connection-banner';
import { CurrentPage } from './current-page';
import { Navigation } from './navigation';
import { NoticeList } from './notice-list';
import { SignIn } from './sign-in';

export function Frame() {
  const current = useStore(session);
  const since = current.state === 'signed-in' ? current.since : undefined;
  useLayoutEffect(() => {
    if (since === undefined) return;
    eventStream.start(since);
    return () => eventStream.stop();
  }, [since]);
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the page
      </button>
      <Navigation session={current} />
      <div class="content">
        <ConnectionBanner session={current} />
        <main id="main" tabIndex={-1}>
          {current.state === 'signed-in' && <CurrentPage />}
          {current.state === 'signed-out' && <SignIn />}
          {current.state === 'unknown' && <Loading what="the session" />}
        </main>
      </div>
      <NoticeList />
      <DialogHost />
    </>
  );
}

function skip(): void {
  document.getElementById('main')?.focus();
}
