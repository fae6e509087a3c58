import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const beyond = 12;

interface VisibleRows {
  readonly box: RefObject<HTMLDivElement>;
  readonly first: number;
  readonly end: number;
}

/** Which of many rows of one height a scrolling box shows, and some beyond both of its edges. */
export function useVisibleRows(count: number, rowHeight: number): VisibleRows {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, rows: 40 });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      const top = Math.floor(element.scrollTop / rowHeight);
      const rows = Math.ceil(element.clientHeight / rowHeight) + 1;
      setView((old) => (Math.abs(old.top - top) < beyond / 2 && old.rows === rows && top > 0 ? old : { top, rows }));
    };
    measure();
    // What scrolls must be reached by the keyboard.
    element.tabIndex = 0;
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [rowHeight]);

  const first = Math.max(0, Math.min(view.top, count - view.rows) - beyond);
  return { box, first, end: Math.min(count, first + view.rows + 2 * beyond) };
}
