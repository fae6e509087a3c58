import { dismiss, notices } from '../notices/notices';
import { useStore } from '../store/store';

export function NoticeList() {
  return (
    <section class="notices" aria-label="Notices" aria-live="polite">
      {useStore(notices).map(({ id, kind, text }) => (
        <div key={id} class={`notice ${kind}`}>
          <p>
            <bdi title={text}>{text.length > 600 ? `${text.slice(0, 600)}…` : text}</bdi>
          </p>
          <button type="button" class="button quiet" aria-label="Dismiss the notice" onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </section>
  );
}
